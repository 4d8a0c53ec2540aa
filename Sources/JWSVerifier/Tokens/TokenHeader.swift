internal import StorekeeperCrypto
package import JSONValues
internal import ReceiptModels

/// The header of a token, with certificates in DER that are not verified.
package struct TokenHeader {
  /// The certificates in the order of `x5c`: leaf, intermediate, root.
  package let certificates: [[UInt8]]

  /// The maximum size of a certificate in bytes.
  static let maximumCertificateSize = 16_384

  /// Reads a header.
  ///
  /// Only `alg`, `x5c` and `crit` are read. `kid`, `typ` and unknown members are ignored. `jku`,
  /// `x5u` and `jwk` are never followed, because a key that the token itself names proves nothing.
  package init(_ bytes: [UInt8]) throws(SignedDataFailure) {
    let header = try Self.signatureHeader(bytes)
    guard let chain = header.place(of: "x5c", in: header.root), header.kind(at: chain) == .array
    else { throw .missingCertificateChain }
    var texts: [ArraySlice<UInt8>] = []
    for element in header.elements(at: chain) {
      guard let text = header.content(at: element) else { throw .missingCertificateChain }
      texts.append(text)
    }
    guard texts.count == 3 else { throw .wrongChainLength(texts.count) }
    var certificates: [[UInt8]] = []
    for (index, text) in texts.enumerated() {
      certificates.append(try Self.certificate(text, at: index))
    }
    self.certificates = certificates
  }

  /// Returns a header that is an object, and names ES256 and no critical extensions.
  package static func signatureHeader(_ bytes: [UInt8]) throws(SignedDataFailure) -> JSONText {
    guard let header = try? JSONText(checking: bytes, within: .values),
      header.kind(at: header.root) == .object
    else { throw .malformedHeader }
    // RFC 7515 section 4.1.11: an extension that is not understood makes the token invalid.
    guard header.place(of: "crit", in: header.root) == nil else { throw .criticalHeader }
    let algorithm = header.place(of: "alg", in: header.root).flatMap { header.string(at: $0) }
    guard let algorithm, algorithm.isSameText(as: "ES256") else {
      throw .unsupportedAlgorithm(algorithm.map(Self.shown))
    }
    return header
  }

  private static func certificate(
    _ text: ArraySlice<UInt8>, at index: Int
  ) throws(SignedDataFailure) -> [UInt8] {
    guard text.count <= (maximumCertificateSize + 2) / 3 * 4 else {
      throw .certificateTooLarge(index)
    }
    // RFC 7515 section 4.1.6: standard base64, not base64url.
    guard let bytes = Base64.decode(text, .standard) else {
      throw .certificateEncoding(index)
    }
    guard bytes.count <= maximumCertificateSize else { throw .certificateTooLarge(index) }
    return bytes
  }

  /// Returns the algorithm, truncated for an error message by Unicode scalars, as a single
  /// character can be of any length.
  private static func shown(_ algorithm: String) -> String {
    String(String.UnicodeScalarView(algorithm.unicodeScalars.prefix(32)))
  }
}
