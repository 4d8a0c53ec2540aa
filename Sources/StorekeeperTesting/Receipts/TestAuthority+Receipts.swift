package import StorekeeperCrypto
public import ReceiptModels

extension TestAuthority {
  /// An authority like the one that signs app receipts: RSA keys throughout.
  ///
  /// ```swift
  /// let authority = try TestAuthority.forReceipts()
  /// let verifier = try AppReceiptVerifier(
  ///   bundleIDs: ["com.example.reader"], trustAnchors: [authority.trustAnchor])
  /// let receipt = try verifier.verify(der: try authority.sign(receipt))
  /// ```
  ///
  /// - Parameter change: Changes what it looks like; by default nothing.
  /// - Returns: An authority whose ``sign(_:deviceIdentifier:)`` makes receipts that verify.
  /// - Throws: When OpenSSL refuses to make such certificates.
  public static func forReceipts(
    _ change: (inout Shape) -> Void = { _ in }
  ) throws -> TestAuthority {
    try TestAuthority { shape in
      shape.root.key = .rsa2048
      shape.intermediate.key = .rsa2048
      shape.leaf.key = .rsa2048
      change(&shape)
    }
  }

  /// An authority below the same root that signs tokens, with keys on elliptic curves.
  ///
  /// One trust anchor then serves for receipts and for tokens.
  ///
  /// - Returns: An authority for the same trust anchor.
  /// - Throws: When OpenSSL refuses to make such certificates.
  public func forSignedData() throws -> TestAuthority {
    try withNewIntermediate { shape in
      shape.intermediate.key = .p384
      shape.leaf.key = .p256
    }
  }

  /// An app receipt in DER, signed with SHA-256.
  ///
  /// The fields of the receipt are written as Apple writes them; of
  /// ``/ReceiptModels/AppReceipt/attributes`` those whose types are not among the fields.
  ///
  /// - Parameters:
  ///   - receipt: What the receipt is to say.
  ///   - deviceIdentifier: The device that the receipt is made for: its hash is computed; without,
  ///     the one given is written.
  /// - Returns: The receipt in DER.
  /// - Throws: When OpenSSL refuses to sign.
  public func sign(
    _ receipt: AppReceipt, deviceIdentifier: [UInt8]? = nil
  ) throws -> [UInt8] {
    var encoder = AppReceiptEncoder(receipt)
    if let deviceIdentifier { try encoder.makeHash(for: deviceIdentifier) }
    return try sign(receiptContent: encoder.bytes)
  }

  /// An app receipt in DER over any content, right or wrong.
  ///
  /// - Parameter content: The bytes to sign.
  /// - Returns: The message in DER.
  /// - Throws: When OpenSSL refuses to sign.
  public func sign(receiptContent content: [UInt8]) throws -> [UInt8] {
    var message = try receiptBuilder().message(content)
    if shape.signer == .stranger {
      // OpenSSL makes no message with a key that is not the certificate's. The signature stands last.
      let signature = try PrivateKey(generating: .rsa2048).signature(of: content)
      message.replaceSubrange((message.count - signature.count)..., with: signature)
    }
    return message
  }

  /// What makes the messages, to be changed by tests.
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
