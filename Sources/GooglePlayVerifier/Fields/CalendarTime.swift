#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A day and a time of day in UTC, as texts name them.
///
/// The conversion is arithmetic: `Calendar` is slower, and its results depend on settings.
private struct CalendarTime {
  var year: Int
  var month: Int
  var day: Int
  var hour: Int
  var minute: Int
  /// The second, which is 60 in a leap second.
  var second: Int

  /// The seconds since 1970, or nil for a day or time that doesn't exist or lies outside the years 1
  /// to 9999.
  var seconds: Int? {
    guard (1...9999).contains(year), (1...12).contains(month), hour < 24, minute < 60, second <= 60
    else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...lengths[month - 1]).contains(day) else { return nil }
    let before = year - 1
    let days =
      365 * before + before / 4 - before / 100 + before / 400
      + lengths[..<(month - 1)].reduce(0, +) + day - 1
    // 719 162 days lie between 0001-01-01 and 1970-01-01.
    return (days - 719_162) * 86_400 + hour * 3600 + minute * 60 + second
  }
}

extension Date {
  /// Creates the date of a text such as `2026-04-28T09:30:00.123456789Z`, or returns nil for any other
  /// text.
  ///
  /// A fraction has one to nine digits, of which those after the milliseconds are dropped. An offset
  /// such as `+02:00` may stand for `Z`. A leap second counts as the next one.
  ///
  /// Source: RFC 3339 section 5.6.
  package init?(timestamp text: String) {
    var reader = TimeReader(text)
    guard let year = reader.digits(4), reader.accept("-"), let month = reader.digits(2),
      reader.accept("-"), let day = reader.digits(2), reader.accept("T") || reader.accept("t"),
      let hour = reader.digits(2), reader.accept(":"), let minute = reader.digits(2),
      reader.accept(":"), let second = reader.digits(2), let fraction = reader.milliseconds(),
      let offset = reader.offset(), reader.isAtEnd,
      let seconds = CalendarTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second
      ).seconds
    else { return nil }
    let milliseconds = (seconds - offset) * 1000 + fraction
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Creates the date of a header field such as `Sun, 06 Nov 1994 08:49:37 GMT`, or returns nil for
  /// any other text.
  ///
  /// Source: RFC 9110 section 5.6.7, the preferred form only.
  package init?(headerField text: String) {
    var reader = TimeReader(text)
    guard ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].contains(where: { reader.accept($0) }),
      reader.accept(", "), let day = reader.digits(2), reader.accept(" "),
      let month = Self.months.firstIndex(where: { reader.accept($0) }), reader.accept(" "),
      let year = reader.digits(4), reader.accept(" "), let hour = reader.digits(2),
      reader.accept(":"), let minute = reader.digits(2), reader.accept(":"),
      let second = reader.digits(2), reader.accept(" GMT"), reader.isAtEnd,
      let seconds = CalendarTime(
        year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second
      ).seconds
    else { return nil }
    self.init(timeIntervalSince1970: Double(seconds))
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

/// A reader of texts that consist of digits and fixed characters.
private struct TimeReader {
  private var rest: ArraySlice<UInt8>

  /// Creates a reader of the first 64 bytes, which is more than any date has.
  init(_ text: String) { rest = Array(text.utf8.prefix(64))[...] }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads a number of exactly this many digits.
  mutating func digits(_ count: Int) -> Int? {
    var value = 0
    for byte in rest.prefix(count) {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    guard rest.count >= count else { return nil }
    rest = rest.dropFirst(count)
    return value
  }

  /// Reads a fixed text if it comes next, and returns whether it does.
  mutating func accept(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// Reads a fraction of up to nine digits in whole milliseconds; 0 if there is none.
  mutating func milliseconds() -> Int? {
    guard accept(".") else { return 0 }
    var value = 0
    var count = 0
    while let digit = digits(1) {
      guard count < 9 else { return nil }
      if count < 3 { value = value * 10 + digit }
      count += 1
    }
    guard count > 0 else { return nil }
    for _ in count..<max(3, count) { value *= 10 }
    return value
  }

  /// Reads `Z` or an offset in seconds.
  mutating func offset() -> Int? {
    if accept("Z") || accept("z") { return 0 }
    let sign = accept("+") ? 1 : accept("-") ? -1 : 0
    guard sign != 0, let hours = digits(2), accept(":"), let minutes = digits(2), hours < 24,
      minutes < 60
    else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
