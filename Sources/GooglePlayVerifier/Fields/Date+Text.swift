internal import JSONValues

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Date {
  /// Creates the date of a text such as `2026-04-28T09:30:00.123456789Z`, or returns nil for any other
  /// text.
  ///
  /// A fraction has one to nine digits, of which those after the milliseconds are dropped. An offset
  /// such as `+02:00` may stand for `Z`. A leap second counts as the next one.
  ///
  /// Source: RFC 3339 section 5.6.
  package init?(timestamp text: String) {
    var reader = DateTextReader(text)
    guard let day = reader.day(), reader.accept("T") || reader.accept("t"),
      let time = reader.time(lastSecond: 60), let nanoseconds = reader.nanoseconds(),
      let offset = reader.accept("z") ? 0 : reader.offset(), reader.isAtEnd
    else { return nil }
    let milliseconds =
      (day.number * 86_400 + time - offset) * 1000 + nanoseconds / 1_000_000
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Creates the date of a header field such as `Sun, 06 Nov 1994 08:49:37 GMT`, or returns nil for
  /// any other text.
  ///
  /// Source: RFC 9110 section 5.6.7, the preferred form only.
  package init?(headerField text: String) {
    guard let seconds = DateTextReader.seconds(headerField: text) else { return nil }
    self.init(timeIntervalSince1970: Double(seconds))
  }
}
