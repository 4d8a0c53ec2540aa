package import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A day of the calendar, without time and zone, written `2020-07-22`.
///
/// A membership that expires on a day is valid through the end of that day in UTC.
///
/// Source: linking rules, sections 1.3 and 1.5.
public struct CalendarDay: Hashable, Sendable, Comparable {
  package let number: Int

  /// Creates the day of a date in UTC, clamped to the years 1 to 9999.
  public init(_ date: Date) {
    number = Moment(date).milliseconds.floored(by: 86_400_000)
  }

  /// Creates a day from a text such as `2020-07-22`.
  ///
  /// Returns nil unless every byte fits and the day exists, in the years 1 to 9999.
  public init?(_ text: String) {
    var reader = DateTextReader(text)
    guard let day = reader.day(), reader.isAtEnd else { return nil }
    number = day.number
  }

  /// Creates a day from the text in a column: `2020-07-22`, also followed by a time, which is
  /// ignored.
  ///
  /// The time is `10:30`, optionally with seconds, a fraction and a zone such as `Z`, `UTC` or
  /// `+08:00`. The day is as written, whatever the zone. Returns nil for any other text.
  ///
  /// Source: linking rules, section 1.3.
  public init?(stored text: String) {
    let text = text.trimmed.utf8
    guard text.count <= 50 else { return nil }
    var reader = DateTextReader(Array(text)[...])
    guard let day = reader.day(), reader.isAtEnd || reader.acceptTimeOfColumn(), reader.isAtEnd
    else { return nil }
    number = day.number
  }

  package init(number: Int) { self.number = number }

  /// The moment at which the day begins in UTC.
  public var start: Date { Date(timeIntervalSince1970: Double(number) * 86_400) }

  /// Returns the day this many days later, or earlier if the number is negative.
  ///
  /// The result may lie outside the years 1 to 9999.
  public func advanced(byDays days: Int) -> CalendarDay { CalendarDay(number: number + days) }

  /// Returns whether the first day is earlier than the second.
  public static func < (one: CalendarDay, other: CalendarDay) -> Bool { one.number < other.number }
}

extension CalendarDay: CustomStringConvertible {
  public var description: String {
    var bytes: [UInt8] = []
    bytes.append(CivilDay(number: number))
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension CalendarDay: FieldValue {
  package static var kind: JSONKind { .timestamp }

  package init(json: JSONValue) throws(FieldTypeFailure) {
    guard case .string(let text) = json, let day = CalendarDay(stored: text) else {
      throw FieldTypeFailure(expected: .timestamp, found: json.kind)
    }
    self = day
  }

  package var json: JSONValue { .string(description) }
}

extension Duration {
  /// Returns a number of days of 24 hours, within a trillion.
  public static func days(_ count: Int) -> Duration {
    .seconds(86_400) * min(max(count, -1_000_000_000_000), 1_000_000_000_000)
  }

  /// The whole days of 24 hours.
  package var wholeDays: Int { Int(timeInterval / 86_400) }
}

extension DateTextReader {
  /// Reads a `T` or a space, hours and minutes, and optionally seconds, a fraction and a zone.
  fileprivate mutating func acceptTimeOfColumn() -> Bool {
    guard accept(" ") || accept("T") || accept("t"),
      let hours = digits(2), hours <= 24, accept(":"), acceptSixtieth()
    else { return false }
    if accept(":") {
      guard acceptSixtieth() else { return false }
      if accept(".") {
        guard digits(1) != nil else { return false }
        while digits(1) != nil {}
      }
    }
    return acceptZone()
  }

  /// Reads minutes or seconds, including a leap second.
  private mutating func acceptSixtieth() -> Bool {
    digits(2).map { $0 <= 60 } ?? false
  }

  /// Reads a zone, which may be empty.
  private mutating func acceptZone() -> Bool {
    _ = accept(" ")
    if isAtEnd || accept("Z") || accept("z") || accept("UTC") { return true }
    guard accept("+") || accept("-"), digits(2) != nil else { return false }
    if isAtEnd { return true }
    _ = accept(":")
    return digits(2) != nil
  }
}
