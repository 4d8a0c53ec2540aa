internal import StorekeeperCrypto

/// The signed-data message of an app receipt, separated from its certificates (RFC 5652 sections 3
/// and 5.1).
///
/// OpenSSL parses every certificate of a message again, which takes about six times as long as all
/// three signatures, and Apple embeds the same three for years. So the verdict on them is cached, and
/// OpenSSL gets the message without them, and only if its signer is not in the form that Apple
/// writes. The signature does not cover the certificates.
///
/// Of what the signature does not cover, little may vary: the whole is DER with one digest algorithm and no
/// revocation lists. The versions and the parameters of the algorithms remain free, so that two messages with
/// different bytes may be the same receipt.
struct ReceiptContainer {
  /// The only signer, who signed the data itself with RSA.
  let signer: CMSSigner
  let content: ArraySlice<UInt8>
  /// The field that holds the certificates, byte for byte.
  let certificateField: ArraySlice<UInt8>
  /// The certificates in DER, not verified; their number and size are within the limits.
  let certificates: [ArraySlice<UInt8>]

  /// Splits a message in DER that fills the bytes.
  init(der bytes: [UInt8]) throws(ReceiptFailure) {
    let parts: Parts
    do throws(DERReader.Failure) {
      parts = try Parts(bytes)
    } catch {
      throw .malformedContainer
    }
    guard parts.isFilling else { throw .trailingBytes }
    guard let signedData = parts.signedData else { throw .notSignedData }
    guard signedData.isAboutData else { throw .notSignedData }
    guard let content = signedData.content else { throw .malformedContainer }
    guard signedData.certificates.count <= ReceiptLimits.certificates else {
      throw .tooManyCertificates(limit: ReceiptLimits.certificates)
    }
    guard signedData.certificates.allSatisfy({ $0.count <= ReceiptLimits.certificateSize }) else {
      throw .certificateTooLarge(limit: ReceiptLimits.certificateSize)
    }
    certificateField = bytes[signedData.certificateField]
    certificates = signedData.certificates.map { bytes[$0] }
    self.content = bytes[content]
    let usual = CMSSigner(usual: bytes, head: signedData.head, signers: signedData.signers)
    if let usual {
      signer = usual
    } else {
      signer = try CMSMessage(receipt: signedData.messageWithoutCertificates(bytes)).onlySigner()
    }
  }
}

/// The ranges of the parts of a message.
private struct Parts {
  /// Whether the message fills the bytes.
  let isFilling: Bool
  /// The parts of the signed data; nil when the message holds something else.
  let signedData: SignedDataParts?

  init(_ bytes: [UInt8]) throws(DERReader.Failure) {
    var whole = DERReader(in: 0..<bytes.count)
    var message = try whole.contents(.sequence, bytes)
    isFilling = whole.isAtEnd
    let type = try message.value(.objectIdentifier, bytes)
    guard bytes[type.whole].equals(ObjectIdentifier.signedData[...]) else {
      signedData = nil
      return
    }
    var explicit = try message.contents(.constructed(0), bytes)
    try message.finish()
    signedData = try SignedDataParts(bytes, in: &explicit)
    try explicit.finish()
  }
}

/// The ranges of the parts of signed data.
private struct SignedDataParts {
  /// The part before the certificates: version, digest algorithm, content.
  let head: Range<Int>
  let isAboutData: Bool
  /// The signed content; nil when it is detached or in several pieces.
  let content: Range<Int>?
  /// The field with the certificates; empty when it is missing.
  let certificateField: Range<Int>
  /// The certificates, up to one more than the limit.
  let certificates: [Range<Int>]
  let signers: Range<Int>

  init(_ bytes: [UInt8], in reader: inout DERReader) throws(DERReader.Failure) {
    var fields = try reader.contents(.sequence, bytes)
    let version = try fields.value(.integer, bytes)
    var digests = try fields.contents(.set, bytes)
    _ = try digests.value(.sequence, bytes)
    try digests.finish()
    let encapsulated = try fields.value(.sequence, bytes)
    var description = DERReader(in: encapsulated.content)
    let type = try description.value(.objectIdentifier, bytes)
    isAboutData = bytes[type.whole].equals(ObjectIdentifier.data[...])
    content = isAboutData ? try Self.content(bytes, in: &description) : nil
    head = version.whole.lowerBound..<encapsulated.whole.upperBound
    var certificates: [Range<Int>] = []
    if fields.nextTag(bytes) == .constructed(0) {
      let field = try fields.value(.constructed(0), bytes)
      certificateField = field.whole
      var set = DERReader(in: field.content)
      while !set.isAtEnd, certificates.count <= ReceiptLimits.certificates {
        certificates.append(try set.value(.sequence, bytes).whole)
      }
    } else {
      certificateField = head.upperBound..<head.upperBound
    }
    self.certificates = certificates
    signers = try fields.value(.set, bytes).whole
    try fields.finish()
  }

  /// Returns the octets of the content, if they are in one piece.
  private static func content(
    _ bytes: [UInt8], in description: inout DERReader
  ) throws(DERReader.Failure) -> Range<Int>? {
    if description.isAtEnd { return nil }
    var explicit = try description.contents(.constructed(0), bytes)
    try description.finish()
    let octets = try explicit.value(.octetString, bytes)
    try explicit.finish()
    return octets.content
  }

  func messageWithoutCertificates(_ bytes: [UInt8]) -> [UInt8] {
    let count = head.count + signers.count
    let signedData = DERHeader(.sequence, length: count)
    let explicit = DERHeader(.constructed(0), length: signedData.bytes.count + count)
    let inner = explicit.bytes + signedData.bytes
    let type = ObjectIdentifier.signedData
    let message = DERHeader(.sequence, length: type.count + inner.count + count)
    return message.bytes + type + inner + bytes[head] + bytes[signers]
  }
}

/// Content types (RFC 5652 sections 4 and 5.1), with tag and length.
private enum ObjectIdentifier {
  /// Signed data, 1.2.840.113549.1.7.2.
  static let signedData: [UInt8] = [
    0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
  ]
  /// Data, 1.2.840.113549.1.7.1.
  static let data: [UInt8] = [
    0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01,
  ]
}

extension CMSMessage {
  /// Creates a message that must be signed data with content of type data.
  convenience init(receipt bytes: [UInt8]) throws(ReceiptFailure) {
    do throws(ParsingFailure) {
      try self.init(bytes)
    } catch {
      switch error {
      case .malformed: throw .malformedContainer
      case .trailingBytes: throw .trailingBytes
      }
    }
    guard isSignedData else { throw .notSignedData }
  }

  /// Returns the only signer, which must sign the data itself with RSA.
  func onlySigner() throws(ReceiptFailure) -> CMSSigner {
    let signers = signers
    guard let signer = signers.first, signers.count == 1 else {
      throw .signerCount(signers.count)
    }
    guard !signer.hasAttributes else { throw .unexpectedAttributes }
    guard signer.rsaDigest != nil else { throw .unsupportedDigest }
    return signer
  }
}
