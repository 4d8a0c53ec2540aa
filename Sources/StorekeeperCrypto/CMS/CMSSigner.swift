/// A signer of a CMS message (RFC 5652 section 5.3).
package struct CMSSigner: Sendable {
  /// Whether the signer has signed or unsigned attributes.
  package let hasAttributes: Bool
  /// The digest, if app receipts use it and the signature is RSA with PKCS #1 v1.5; otherwise nil.
  package let rsaDigest: RSADigest?

  private let identifier: Identifier?
  private let signature: ArraySlice<UInt8>

  /// The identifier of the certificate that signed.
  enum Identifier: Sendable {
    /// Issuer and serial number, both in DER.
    case certificate(issuer: ArraySlice<UInt8>, serialNumber: ArraySlice<UInt8>)
    /// The subject key identifier.
    case key([UInt8])
  }

  init(
    hasAttributes: Bool, rsaDigest: RSADigest?, identifier: Identifier?,
    signature: ArraySlice<UInt8>
  ) {
    self.hasAttributes = hasAttributes
    self.rsaDigest = rsaDigest
    self.identifier = identifier
    self.signature = signature
  }

  /// Returns whether the key of a certificate made this signature over the data itself, with RSA
  /// and PKCS #1 v1.5; nothing else about the certificate is checked.
  ///
  /// Without signed attributes there is nothing more to verify (RFC 5652 section 5.4). CMS_verify
  /// would hash the data once for each digest in the message, which is an unsigned list, and
  /// recurse through them.
  package func isSignature(of data: ArraySlice<UInt8>, by certificate: Certificate) -> Bool {
    guard let rsaDigest, let key = certificate.publicKey else { return false }
    return key.isValid(rsaSignature: signature, of: data, digest: rsaDigest)
  }

  /// Returns whether the signer's identifier is that of a certificate.
  package func names(_ certificate: Certificate) -> Bool {
    switch identifier {
    case .certificate(let issuer, let serialNumber):
      certificate.isNamed(byIssuer: issuer, serialNumber: serialNumber)
    case .key(let identifier): certificate.hasSubjectKeyIdentifier(identifier)
    case nil: false
    }
  }
}

extension CMSSigner {
  /// Reads the only signer of a message in the form that Apple writes; nil for any other form, which
  /// OpenSSL may be able to read.
  ///
  /// OpenSSL needs as long for a message as for half a signature. It reads this form in the same way.
  ///
  /// - Parameters:
  ///   - bytes: The whole message.
  ///   - head: The range of version, digest algorithms and content of the signed data.
  ///   - signers: The range of its signers.
  package init?(usual bytes: [UInt8], head: Range<Int>, signers: Range<Int>) {
    do throws(DERReader.Failure) {
      var parts = DERReader(in: head)
      try parts.usualVersion(bytes)
      var digests = try parts.contents(.set, bytes)
      _ = try digests.usualAlgorithm(bytes)
      try digests.finish()

      var set = DERReader(in: signers)
      var all = try set.contents(.set, bytes)
      var fields = try all.contents(.sequence, bytes)
      try all.finish()
      try fields.usualVersion(bytes)
      var names = try fields.contents(.sequence, bytes)
      let issuer = try DistinguishedName(bytes, in: &names).range
      let serialNumber = try names.integer(bytes).whole
      try names.finish()
      let types = (try fields.usualAlgorithm(bytes), try fields.usualAlgorithm(bytes))
      let digest: RSADigest
      switch types {
      case (.sha1, .rsa), (.sha1, .rsaWithSHA1): digest = .sha1
      case (.sha256, .rsa), (.sha256, .rsaWithSHA256): digest = .sha256
      default: return nil
      }
      let signature = try fields.value(.octetString, bytes).content
      try fields.finish()
      self.init(
        hasAttributes: false, rsaDigest: digest,
        identifier: .certificate(issuer: bytes[issuer], serialNumber: bytes[serialNumber]),
        signature: bytes[signature])
    } catch {
      return nil
    }
  }
}

/// The algorithms in messages of the usual form.
private enum UsualAlgorithm: CaseIterable {
  case sha256, sha1, rsa, rsaWithSHA1, rsaWithSHA256

  /// The object identifier, without tag and length.
  var numbers: [UInt8] {
    switch self {
    // 2.16.840.1.101.3.4.2.1
    case .sha256: [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
    // 1.3.14.3.2.26
    case .sha1: [0x2B, 0x0E, 0x03, 0x02, 0x1A]
    // 1.2.840.113549.1.1.1, .5 and .11
    case .rsa: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    case .rsaWithSHA1: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05]
    case .rsaWithSHA256: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B]
    }
  }
}

extension DERReader {
  /// Reads an AlgorithmIdentifier whose parameters are NULL or absent.
  fileprivate mutating func usualAlgorithm(_ bytes: [UInt8]) throws(Failure) -> UsualAlgorithm {
    var parts = try contents(.sequence, bytes)
    let type = bytes[try parts.value(.objectIdentifier, bytes).content]
    let parameters = try parts.optional(.null, bytes)
    try parts.finish()
    guard parameters?.content.isEmpty != false,
      let algorithm = UsualAlgorithm.allCases.first(where: { type.equals($0.numbers[...]) })
    else { throw Failure() }
    return algorithm
  }

  /// Reads a version of one byte, whose value has no meaning here.
  fileprivate mutating func usualVersion(_ bytes: [UInt8]) throws(Failure) {
    guard try integer(bytes).content.count == 1 else { throw Failure() }
  }
}
