internal import StorekeeperCrypto

/// A token in compact form, taken apart but not believed (RFC 7515 section 7.1).
package struct CompactJWS: Sendable {
  /// The longest token accepted, in bytes.
  package static let maximumLength = 262_144

  /// The whole token in ASCII, or whatever else was sent.
  private let bytes: [UInt8]
  private let firstDot: Int
  private let secondDot: Int

  /// Splits a token; nothing is decoded yet (contract, section 1.1, checks 1 and 2).
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

  /// The text of the header segment.
  package var header: ArraySlice<UInt8> { bytes[..<firstDot] }

  /// What follows the header segment in the text that is signed: a dot and the payload segment.
  package var signedRemainder: ArraySlice<UInt8> { bytes[firstDot..<secondDot] }

  /// The decoded bytes of a segment (check 3).
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
