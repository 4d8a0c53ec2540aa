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
    guard case .array(let elements) = header["x5c"] else { throw .missingCertificateChain }
    var texts: [String] = []
    for element in elements {
      guard case .string(let text) = element else { throw .missingCertificateChain }
      texts.append(text)
    }
    guard texts.count == 3 else { throw .wrongChainLength(texts.count) }
    var certificates: [[UInt8]] = []
    for (index, text) in texts.enumerated() {
      certificates.append(try Self.certificate(text, at: index))
    }
    self.certificates = certificates
  }

  /// Returns the members of a header that names ES256 and no critical extensions.
  package static func signatureHeader(
    _ bytes: [UInt8]
  ) throws(SignedDataFailure) -> [String: JSONValue] {
    guard case .object(let header) = try? JSONValue(parsing: bytes) else { throw .malformedHeader }
    // RFC 7515 section 4.1.11: an extension that is not understood makes the token invalid.
    guard header["crit"] == nil else { throw .criticalHeader }
    guard case .string(let algorithm) = header["alg"], algorithm.isSameText(as: "ES256") else {
      throw .unsupportedAlgorithm(Self.shownAlgorithm(header["alg"]))
    }
    return header
  }

  private static func certificate(
    _ text: String, at index: Int
  ) throws(SignedDataFailure) -> [UInt8] {
    guard text.utf8.count <= (maximumCertificateSize + 2) / 3 * 4 else {
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
  private static func shownAlgorithm(_ algorithm: JSONValue?) -> String? {
    guard case .string(let text) = algorithm else { return nil }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(32)))
  }
}
