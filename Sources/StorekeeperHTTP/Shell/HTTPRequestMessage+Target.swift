package import HTTPMessages
internal import JSONValues

// The target of a request: the path as it was sent, and the parameters of the query. Both are compared byte by
// byte, so canonically equivalent Unicode texts may differ.
//
// Source: RFC 9112 section 3.2; RFC 3986 section 3; URL Standard section 5.1 for the query.
extension HTTPRequestMessage {
  /// The path of `/path?query` or of an absolute URL.
  package var path: Substring.UTF8View { target.prefix { $0 != UInt8(ascii: "?") } }

  /// Returns the value of a parameter in the query, or nil if it is missing or empty.
  func parameter(_ name: String) throws(UnusableParameter) -> String? {
    let query = target.drop { $0 != UInt8(ascii: "?") }.dropFirst()
    var found: String?
    for pair in query.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard Self.decoded(parts[0])?.utf8.elementsEqual(name.utf8) == true else { continue }
      // One server might use the first of two values, and another the last.
      guard found == nil, let value = parts.count == 2 ? Self.decoded(parts[1]) : "" else {
        throw UnusableParameter()
      }
      found = value
    }
    return found?.utf8.isEmpty == true ? nil : found
  }

  /// Returns the fields of a form by their names; nil for one with a name that appears twice, or with bytes that are no
  /// text.
  static func fields(_ body: [UInt8]) -> [String: String]? {
    var fields: [String: String] = [:]
    for pair in body.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(parts[0]), let value = parts.count == 2 ? decoded(parts[1]) : "",
        fields.updateValue(value, forKey: name) == nil
      else { return nil }
    }
    return fields
  }

  /// Decodes `%XX` and `+` in a query or a form, or returns nil if that gives no text.
  private static func decoded(_ text: some Sequence<UInt8>) -> String? {
    PercentEncoding.decode(text, plus: UInt8(ascii: " ")).flatMap {
      String(validating: $0, as: UTF8.self)
    }
  }

  /// The path and the query.
  private var target: Substring.UTF8View {
    let whole = url[...].utf8
    // Mostly the URL is a path.
    if whole.first == UInt8(ascii: "/") { return whole.prefix { $0 != UInt8(ascii: "#") } }
    return (Self.behindHost(whole) ?? whole).prefix { $0 != UInt8(ascii: "#") }
  }

  /// Returns the part of an absolute URL after the host, or nil if the URL is not absolute.
  private static func behindHost(_ url: Substring.UTF8View) -> Substring.UTF8View? {
    let rest = url.drop(while: isSchemeCharacter)
    let mark = "://".utf8
    guard rest.starts(with: mark) else { return nil }
    let ends = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
    return rest.dropFirst(mark.count).drop { !ends.contains($0) }
  }

  private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "+-.".utf8.contains(byte)
  }
}

/// The error for a query parameter that does not decode as text or that appears twice.
struct UnusableParameter: Error {}
