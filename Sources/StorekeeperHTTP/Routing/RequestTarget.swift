/// What a request is about: the path as it was sent, and the parameters of the query.
///
/// Source: RFC 9112 section 3.2; RFC 3986 section 3; URL Standard section 5.1 for the query.
struct RequestTarget: Hashable, Sendable {
  let path: Substring
  private let query: Substring

  /// Takes `/path?query`, or an address with scheme and host before it.
  init(_ url: String) {
    var rest = url[...]
    if !rest.hasPrefix("/"), let scheme = rest.firstRange(of: "://") {
      rest = rest[scheme.upperBound...]
      rest = rest.firstIndex { $0 == "/" || $0 == "?" }.map { rest[$0...] } ?? "/"
    }
    rest = rest.prefix { $0 != "#" }
    path = rest.prefix { $0 != "?" }
    query = rest.dropFirst(path.count).dropFirst()
  }

  /// The first value of a parameter, or nil where it is missing or empty.
  ///
  /// - Throws: ``UndecodableParameter`` where it stands for no text.
  func parameter(_ name: String) throws(UndecodableParameter) -> String? {
    for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard Self.decoded(parts[0]) == name else { continue }
      guard parts.count == 2 else { return nil }
      guard let value = Self.decoded(parts[1]) else { throw UndecodableParameter() }
      return value.isEmpty ? nil : value
    }
    return nil
  }

  /// The text that `%XX` and `+` stand for, or nil where it is none.
  private static func decoded(_ text: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(hexDigit),
          let low = rest.popFirst().flatMap(hexDigit)
        else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}

/// A parameter of the query that stands for no text.
struct UndecodableParameter: Error {}
