internal import HTTPMessages
internal import JSONValues

/// The time for which an answer may be kept (RFC 9111 section 5.2.2).
enum CacheLifetime {
  /// The longest time that is relied on, in seconds.
  static let maximum = 86_400.0

  /// Returns the seconds that the field `Cache-Control` allows, or `otherwise` if it names none.
  static func seconds(of response: HTTPResponseMessage, otherwise: Double) -> Double {
    let directives = response.headers.values(for: .cacheControl)
      .flatMap { $0.lowercased().split(separator: ",") }
      .map { $0.drop(while: \.isWhitespace).prefix { !$0.isWhitespace } }
    if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
    for directive in directives where directive.hasPrefix("max-age=") {
      let digits = directive.dropFirst("max-age=".count)
      guard !digits.isEmpty, digits.utf8.areDigits else { continue }
      // Digits that are no number are too many.
      return min(Double(digits.prefix(16)) ?? maximum, maximum)
    }
    return otherwise
  }
}
