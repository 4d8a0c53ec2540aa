internal import StorekeeperCrypto
public import ReceiptModels

extension TestAuthority {
  /// Creates an authority like the one that signs app receipts, with RSA keys throughout.
  ///
  /// ```swift
  /// let authority = try TestAuthority.forReceipts()
  /// let verifier = try AppReceiptVerifier(
  ///   bundleIDs: ["com.example.reader"], trustAnchors: [authority.trustAnchor])
  /// let receipt = try verifier.verify(der: try authority.sign(receipt))
  /// ```
  public static func forReceipts(
    _ change: (inout Shape) -> Void = { _ in }
  ) throws -> TestAuthority {
    try TestAuthority { shape in
      shape.root.key = .rsa2048
      shape.root.commonName = "Storekeeper Test Root CA"
      shape.intermediate.key = .rsa2048
      shape.intermediate.organizationalUnit = "G5"
      shape.leaf.key = .rsa2048
      shape.leaf.commonName = "Test Mac App Store and iTunes Store Receipt Signing"
      change(&shape)
    }
  }

  /// Creates an authority like the one that signs tokens and notifications, with keys on elliptic
  /// curves; the same as `TestAuthority()`.
  ///
  /// Its root is not that of receipts, as with Apple, so a verifier of both trusts two anchors.
  public static func forSignedData(
    _ change: (inout Shape) -> Void = { _ in }
  ) throws -> TestAuthority {
    try TestAuthority(change)
  }

  /// Signs an app receipt with SHA-256.
  ///
  /// The fields are encoded as in Apple's receipts. Of ``/ReceiptModels/AppReceipt/attributes``,
  /// only those are encoded whose types have no field.
  ///
  /// Without a device the given hash is encoded.
  public func sign(_ receipt: AppReceipt, deviceIdentifier: [UInt8]? = nil) throws -> [UInt8] {
    var encoder = AppReceiptEncoder(receipt)
    if let deviceIdentifier { try encoder.makeHash(for: deviceIdentifier) }
    return try sign(receiptContent: encoder.bytes)
  }

  /// Signs an app receipt with any content, valid or not.
  public func sign(receiptContent content: [UInt8]) throws -> [UInt8] {
    var message = try receiptBuilder().message(content)
    if shape.signer == .stranger {
      // OpenSSL refuses a key that is not the certificate's, so the signature at the end is
      // replaced.
      let signature = try PrivateKey(generating: .rsa2048).signature(of: content)
      message.replaceSubrange((message.count - signature.count)..., with: signature)
    }
    return message
  }

  /// Returns the builder of the messages, for tests that change it.
  package func receiptBuilder() -> CMSBuilder {
    let certificates = shape.presented.map { position in
      switch position {
      case .leaf: leaf
      case .intermediate: intermediate
      case .root: root
      }
    }
    return CMSBuilder(certificates: certificates, signers: [(leaf, leafKey)])
  }
}
