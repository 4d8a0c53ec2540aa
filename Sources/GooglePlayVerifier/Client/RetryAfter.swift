internal import HTTPMessages

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The field `Retry-After` (RFC 9110 section 10.2.3).
enum RetryAfter {
  /// Returns the date from which another request may succeed, not before `now`.
  ///
  /// The value is a number of seconds or a date. Anything else, and a date more than a day ahead, is
  /// not relied on.
  static func date(in response: HTTPResponse, at now: Date) -> Date? {
    guard let text = response.headers[.retryAfter], let date = date(text, at: now),
      date <= now.addingTimeInterval(86_400)
    else { return nil }
    return max(date, now)
  }

  private static func date(_ text: String, at now: Date) -> Date? {
    guard (1...9).contains(text.utf8.count),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return Date(headerField: text) }
    return Double(text).map { now.addingTimeInterval($0) }
  }
}
