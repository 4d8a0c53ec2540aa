package import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A day of the calendar, without time and zone, written `2020-07-22`.
///
/// A membership that expires on a day is valid through its end in UTC.
///
/// Source: contract on linking, sections 1.3 and 1.5.
public struct CalendarDay: Hashable, Sendable, Comparable {
  /// The number of the day, counted from 1970-01-01.
  package let number: Int

  /// The day in UTC of a moment, in the years 1 to 9999; a moment beyond has their first or last.
  public init(_ date: Date) {
    number = ReceiptMoment(date).milliseconds.floored(by: 86_400_000)
  }

  /// Reads `2020-07-22`; nil unless every byte fits and the day exists, in the years 1 to 9999.
  public init?(_ text: String) {
    var reader = DateTextReader(text)
    guard let year = reader.digits(4), reader.accept("-"), let month = reader.digits(2),
      reader.accept("-"), let day = reader.digits(2), reader.isAtEnd,
      let civil = CivilDay(year: year, month: month, day: day)
    else { return nil }
    number = civil.number
  }

  /// Reads what a column holds: `2020-07-22`, also with a time behind it, which does not count; nil
  /// for any other text.
  ///
  /// The time is `10:30` and more: seconds, a fraction of them, and a zone such as `Z`, `UTC` or
  /// `+08:00`. The day is the one that is written, whatever the zone.
  ///
  /// Source: contract on linking, section 1.3.
  public init?(stored text: String) {
    let text = text.trimmed
    guard let day = CalendarDay(String(decoding: text.utf8.prefix(10), as: UTF8.self)) else {
      return nil
    }
    guard text.utf8.count == 10 || DayTimeReader.isTime(text.utf8.dropFirst(10)) else { return nil }
    self = day
  }

  package init(number: Int) { self.number = number }

  /// The moment at which the day begins in UTC.
  public var start: Date { Date(timeIntervalSince1970: Double(number) * 86_400) }

  /// The day so many days later, or earlier when the number is negative.
  ///
  /// The result is not held within the years 1 to 9999.
  public func advanced(byDays days: Int) -> CalendarDay { CalendarDay(number: number + days) }

  /// Whether one day is before the other.
  public static func < (one: CalendarDay, other: CalendarDay) -> Bool { one.number < other.number }
}

extension CalendarDay: CustomStringConvertible {
  /// The day as `2020-07-22`.
  public var description: String {
    let text = DateTimeText.internet.text(ofSeconds: number * 86_400)
    return String(text.prefix(10))
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
