internal import JSONValues

/// A month of the calendar in UTC, written `2026-11`.
public struct CalendarMonth: Hashable, Sendable, Comparable {
  /// The months since January of the year 0.
  package let number: Int

  package init(number: Int) { self.number = number }

  /// Creates the month of a day.
  public init(_ day: CalendarDay) {
    let civil = CivilDay(number: day.number)
    number = civil.year * 12 + civil.month - 1
  }

  /// Creates a month from a text such as `2026-11`; nil unless every byte fits.
  public init?(_ text: String) {
    guard text.utf8.count == 7, let day = CalendarDay(text + "-01") else { return nil }
    self.init(day)
  }

  public var firstDay: CalendarDay {
    let (year, month) = (number.floored(by: 12), number - number.floored(by: 12) * 12 + 1)
    return CalendarDay(
      number: CivilDay(year: year, month: month, day: 1)?.number ?? 0)
  }

  public var lastDay: CalendarDay { advanced(by: 1).firstDay.advanced(byDays: -1) }

  /// Returns the month this many months later, or earlier if the number is negative.
  public func advanced(by months: Int) -> CalendarMonth { CalendarMonth(number: number + months) }

  /// Returns whether the first month is earlier than the second.
  public static func < (one: CalendarMonth, other: CalendarMonth) -> Bool {
    one.number < other.number
  }
}

extension CalendarMonth: CustomStringConvertible {
  public var description: String { String(firstDay.description.prefix(7)) }
}
