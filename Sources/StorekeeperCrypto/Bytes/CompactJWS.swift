/// A token in compact form, split into segments that are neither decoded nor verified (RFC 7515 section 7.1).
package struct CompactJWS: Sendable {
  /// The whole token, as sent.
  private let bytes: [UInt8]
  private let firstDot: Int
  private let secondDot: Int

  /// Splits a token at its two dots; nil for a text with fewer or more of them.
  package init?(_ text: String) {
    bytes = Array(text.utf8)
    let dot = UInt8(ascii: ".")
    guard let first = bytes[...].firstIndex(ofByte: dot),
      let second = bytes[(first + 1)...].firstIndex(ofByte: dot),
      bytes[(second + 1)...].firstIndex(ofByte: dot) == nil
    else { return nil }
    firstDot = first
    secondDot = second
  }

  /// The header segment, encoded.
  package var header: ArraySlice<UInt8> { bytes[..<firstDot] }

  /// The payload segment, encoded.
  package var payload: ArraySlice<UInt8> { bytes[(firstDot + 1)..<secondDot] }

  /// The signature segment, encoded.
  package var signature: ArraySlice<UInt8> { bytes[(secondDot + 1)...] }

  /// The signed text: header and payload segment with the dot between them.
  package var signed: ArraySlice<UInt8> { bytes[..<secondDot] }

  /// The part of the signed text after the header segment: a dot and the payload segment.
  package var signedRemainder: ArraySlice<UInt8> { bytes[firstDot..<secondDot] }
}
