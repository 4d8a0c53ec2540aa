package import StorekeeperCrypto

// Apple's signed data as tokens in compact form.
extension CompactJWS {
  /// The maximum length of a token in bytes.
  private static let maximumLength = 262_144

  /// Splits signed data into segments, without decoding them.
  package init(signedData text: String) throws(SignedDataFailure) {
    guard text.utf8.count <= Self.maximumLength else {
      throw .tokenTooLarge(limit: Self.maximumLength)
    }
    guard let jws = CompactJWS(text), !jws.header.isEmpty, !jws.payload.isEmpty else {
      throw .malformedToken
    }
    self = jws
  }

  /// Decodes a segment.
  package func decoded(_ segment: TokenSegment) throws(SignedDataFailure) -> [UInt8] {
    let text =
      switch segment {
      case .header: header
      case .payload: payload
      case .signature: signature
      }
    guard let decoded = Base64.decode(text, .url) else { throw .badEncoding(segment) }
    return decoded
  }
}
