import JSONValues

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The forms of keys that are not PEM.
enum PublicKeyForm {
  /// Whether the contents of a file are a key in DER (such as the SubjectPublicKeyInfo of RFC 5280),
  /// the same in Base64, or a key in JSON (RFC 7517), so that they can't be meant as a secret.
  static func isKeyWithoutPEM(_ bytes: [UInt8]) -> Bool {
    let text = bytes.trimmingPrefix([0xEF, 0xBB, 0xBF]).drop { isSpace($0) }
    if text.first == UInt8(ascii: "{"), (try? JSONValue(parsing: Array(text))) != nil {
      return true
    }
    if isSequence(bytes[...]) { return true }
    guard let decoded = Data(base64Encoded: Data(text.filter { !isSpace($0) })) else {
      return false
    }
    return isSequence(Array(decoded)[...])
  }

  /// Whether bytes are exactly one DER sequence, perhaps with a line break that an editor has added, and
  /// begin as a key does: with another sequence or a number.
  private static func isSequence(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    guard rest.popFirst() == 0x30, let first = rest.popFirst() else { return false }
    var length = Int(first)
    if first & 0x80 != 0 {
      let count = Int(first & 0x7F)
      guard (1...3).contains(count), rest.count >= count else { return false }
      length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(count)
    }
    guard rest.first == 0x30 || rest.first == 0x02, length <= rest.count else { return false }
    return rest.dropFirst(length).allSatisfy { isSpace($0) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
