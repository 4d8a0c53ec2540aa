internal import StorekeeperCrypto

/// A token in compact form, split into segments and not verified (RFC 7515 section 7.1).
package struct CompactJWS: Sendable {
  /// The maximum length of a token in bytes.
  package static let maximumLength = 262_144

  /// The whole token, as sent.
  private let bytes: [UInt8]
  private let firstDot: Int
  private let secondDot: Int

  /// Splits a token into segments, without decoding them.
  package init(_ text: String) throws(SignedDataFailure) {
    let length = text.utf8.count
    guard length <= Self.maximumLength else { throw .tokenTooLarge(limit: Self.maximumLength) }
    bytes = Array(text.utf8)
    let dot = UInt8(ascii: ".")
    guard let first = bytes[...].firstIndex(ofByte: dot), first > 0,
      let second = bytes[(first + 1)...].firstIndex(ofByte: dot), second > first + 1,
      bytes[(second + 1)...].firstIndex(ofByte: dot) == nil
    else { throw .malformedToken }
    firstDot = first
    secondDot = second
  }

  /// The header segment, encoded.
  package var header: ArraySlice<UInt8> { bytes[..<firstDot] }

  /// The part of the signed text after the header segment: a dot and the payload segment.
  package var signedRemainder: ArraySlice<UInt8> { bytes[firstDot..<secondDot] }

  /// Decodes a segment.
  package func decoded(_ segment: TokenSegment) throws(SignedDataFailure) -> [UInt8] {
    let text =
      switch segment {
      case .header: header
      case .payload: bytes[(firstDot + 1)..<secondDot]
      case .signature: bytes[(secondDot + 1)...]
      }
    guard let decoded = Base64.decode(text, .url) else { throw .badEncoding(segment) }
    return decoded
  }
}
