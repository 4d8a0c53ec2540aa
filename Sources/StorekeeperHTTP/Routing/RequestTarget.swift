internal import HTTPMessages
internal import JSONValues

/// The target of a request: the path as it was sent, and the parameters of the query.
///
/// Paths and names are compared byte by byte, so canonically equivalent Unicode texts may differ.
///
/// Source: RFC 9112 section 3.2; RFC 3986 section 3; URL Standard section 5.1 for the query.
struct RequestTarget: Sendable {
  let path: Substring.UTF8View
  private let query: Substring.UTF8View

  /// Creates a target from `/path?query` or from an absolute URL.
  init(_ url: String) {
    let whole = url[...].utf8
    let rest = (Self.behindHost(whole) ?? whole).prefix { $0 != UInt8(ascii: "#") }
    path = rest.prefix { $0 != UInt8(ascii: "?") }
    query = rest[path.endIndex...].dropFirst()
  }

  /// Returns the part of an absolute URL after the host, or nil if the URL is not absolute.
  private static func behindHost(_ url: Substring.UTF8View) -> Substring.UTF8View? {
    let rest = url.drop(while: isSchemeCharacter)
    let mark = "://".utf8
    guard rest.starts(with: mark) else { return nil }
    let ends = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
    return rest.dropFirst(mark.count).drop { !ends.contains($0) }
  }

  /// Returns the value of a parameter, or nil if it is missing or empty.
  ///
  /// - Throws: ``UnusableParameter`` if the value does not decode as text, or if the parameter
  ///   appears twice.
  func parameter(_ name: String) throws(UnusableParameter) -> String? {
    var found: [UInt8]?
    for pair in query.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard Self.decoded(parts[0])?.elementsEqual(name.utf8) == true else { continue }
      // One server might use the first of two values, and another the last.
      guard found == nil, let value = parts.count == 2 ? Self.decoded(parts[1]) : [] else {
        throw UnusableParameter()
      }
      found = value
    }
    guard let found, !found.isEmpty else { return nil }
    guard let text = String(validating: found, as: UTF8.self) else { throw UnusableParameter() }
    return text
  }

  /// Returns the text of a segment of a path, or nil if it does not decode as text.
  static func text(ofSegment segment: String) -> String? {
    segment.percentDecoded
  }

  /// Decodes `%XX` and `+` in a query; nil for an incomplete encoding.
  private static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
    PercentEncoding.decode(text, plus: UInt8(ascii: " "))
  }

  private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "+-.".utf8.contains(byte)
  }
}

/// The error for a query parameter that does not decode as text or that appears twice.
struct UnusableParameter: Error {}
