/// An identifier in the path of a request.
///
/// Purchase tokens come from a client, and the request carries the server's credentials, so each
/// identifier has to be exactly one part of the path.
enum PathPart {
  /// The maximum length of an identifier in bytes; Google's purchase tokens have about 200.
  static let maximumLength = 4096

  /// Returns an identifier percent-encoded.
  static func encoded(
    _ text: String, _ member: InvalidCall.Member
  ) throws(InvalidCall) -> String {
    guard !text.isEmpty else { throw .empty(member) }
    guard text.utf8.count <= maximumLength else { throw .tooLong(member, limit: maximumLength) }
    // A client or proxy would remove such a part.
    guard !text.isSameText(as: "."), !text.isSameText(as: "..") else { throw .notPathPart(member) }
    return percentEncoded(text)
  }

  /// Returns a text with every byte percent-encoded but ASCII letters, digits, `-`, `.`, `_` and `~`
  /// (RFC 3986 section 2.3).
  static func percentEncoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0xF)]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
