internal import StorekeeperCrypto
package import JSONValues
internal import ReceiptModels

/// The header of a token: the algorithm, and certificates in DER that nobody has looked at.
package struct TokenHeader {
  /// The certificates in the order of `x5c`: leaf, intermediate, root.
  package let certificates: [[UInt8]]

  /// The largest certificate accepted, in bytes.
  static let maximumCertificateSize = 16_384

  /// Reads a header (contract, section 1.1, checks 4 to 9).
  ///
  /// Only `alg`, `x5c` and `crit` are looked at. `kid`, `typ` and unknown members are tolerated;
  /// `jku`, `x5u` and `jwk` are never followed, as keys named by an attacker prove nothing.
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

  /// The members of a header that is no obstacle to ES256 (checks 4 to 6).
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
    guard let bytes = Base64.decode(Array(text.utf8)[...], .standard) else {
      throw .certificateEncoding(index)
    }
    guard bytes.count <= maximumCertificateSize else { throw .certificateTooLarge(index) }
    return bytes
  }

  /// What the header said, cut to what an error message can bear; a character can be of any length.
  private static func shownAlgorithm(_ algorithm: JSONValue?) -> String? {
    guard case .string(let text) = algorithm else { return nil }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(32)))
  }
}
