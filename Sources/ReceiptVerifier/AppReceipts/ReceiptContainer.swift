internal import OpenSSLSupport

/// The signed-data message of an app receipt, its certificates apart from the rest (RFC 5652
/// sections 3 and 5.1).
///
/// OpenSSL reads every certificate of a message anew, which takes about six times as long as all
/// three signatures; and Apple embeds the same three for years. So OpenSSL is given the message
/// without them, and what was found about them is remembered. The signature does not cover them.
struct ReceiptContainer {
  /// The message without its certificates.
  let message: CMSMessage
  /// All that presents the certificates, byte for byte.
  let certificateField: ArraySlice<UInt8>
  /// The certificates, each in DER, as far as nobody has looked at them.
  let certificates: [ArraySlice<UInt8>]

  /// Takes apart a message in DER that fills the bytes (contract, section 6.2, step 1).
  init(der bytes: [UInt8]) throws(ReceiptFailure) {
    let parts: Parts
    do throws(DERReader.Failure) {
      parts = try Parts(bytes)
    } catch {
      throw .malformedContainer
    }
    guard parts.isFilling else { throw .trailingBytes }
    guard let signedData = parts.signedData else { throw .notSignedData }
    certificateField = bytes[signedData.certificateField]
    certificates = signedData.certificates.map { bytes[$0] }
    message = try CMSMessage(receipt: signedData.messageWithoutCertificates(bytes))
  }

  /// Where the parts of a message stand.
  private struct Parts {
    /// Whether the message fills the bytes.
    let isFilling: Bool
    /// The parts of its signed data; nil when it holds something else.
    let signedData: SignedData?

    init(_ bytes: [UInt8]) throws(DERReader.Failure) {
      var whole = DERReader(in: 0..<bytes.count)
      var message = try whole.contents(.sequence, bytes)
      isFilling = whole.isAtEnd
      let type = try message.value(.objectIdentifier, bytes)
      guard bytes[type.whole].elementsEqual(SignedData.type) else {
        signedData = nil
        return
      }
      var explicit = try message.contents(.constructed(0), bytes)
      try message.finish()
      signedData = try SignedData(bytes, in: &explicit)
      try explicit.finish()
    }
  }

  /// Where the parts of signed data stand.
  private struct SignedData {
    /// What stands before the certificates: version, digests, content.
    let head: Range<Int>
    /// The certificates with the tag that encloses them; empty when there is none.
    let certificateField: Range<Int>
    /// Each certificate.
    let certificates: [Range<Int>]
    /// What stands behind: revocation lists, signers.
    let tail: Range<Int>

    /// 1.2.840.113549.1.7.2 with tag and length.
    static let type: [UInt8] = [
      0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
    ]

    init(_ bytes: [UInt8], in reader: inout DERReader) throws(DERReader.Failure) {
      var fields = try reader.contents(.sequence, bytes)
      let version = try fields.value(.integer, bytes)
      _ = try fields.value(.set, bytes)
      let content = try fields.value(.sequence, bytes)
      head = version.whole.lowerBound..<content.whole.upperBound
      var certificates: [Range<Int>] = []
      if fields.nextTag(bytes) == .constructed(0) {
        let field = try fields.value(.constructed(0), bytes)
        certificateField = field.whole
        var set = DERReader(in: field.content)
        while !set.isAtEnd { certificates.append(try set.value(.sequence, bytes).whole) }
      } else {
        certificateField = head.upperBound..<head.upperBound
      }
      self.certificates = certificates
      let start = certificateField.upperBound
      if fields.nextTag(bytes) == .constructed(1) { _ = try fields.value(.constructed(1), bytes) }
      let signers = try fields.value(.set, bytes)
      try fields.finish()
      tail = start..<signers.whole.upperBound
    }

    func messageWithoutCertificates(_ bytes: [UInt8]) -> [UInt8] {
      let count = head.count + tail.count
      let signedData = DERHeader(.sequence, length: count)
      let explicit = DERHeader(.constructed(0), length: signedData.bytes.count + count)
      let inner = explicit.bytes + signedData.bytes
      let message = DERHeader(.sequence, length: Self.type.count + inner.count + count)
      return message.bytes + Self.type + inner + bytes[head] + bytes[tail]
    }
  }
}

extension CMSMessage {
  /// A message that has to be signed data about data.
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

  /// The only signer, which signs the data itself with RSA (contract, section 6.2, step 2).
  func onlySigner() throws(ReceiptFailure) -> Signer {
    let signers = signers
    guard let signer = signers.first, signers.count == 1 else {
      throw .signerCount(signers.count)
    }
    guard !signer.hasAttributes else { throw .unexpectedAttributes }
    guard signer.rsaDigest != nil else { throw .unsupportedDigest }
    return signer
  }
}
