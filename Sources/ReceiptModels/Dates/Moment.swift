package import JSONValues

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A moment in whole milliseconds, in the years 1 to 9999.
package struct Moment: Hashable, Sendable {
  /// The milliseconds since 1970 in UTC.
  package let milliseconds: Int

  /// The milliseconds from 0001-01-01 to the end of 9999-12-31.
  package static let range = -62_135_596_800_000...253_402_300_799_999

  /// Creates the moment of a date, rounded to milliseconds and clamped to the range.
  package init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    let bounded = min(
      max(milliseconds, Double(Self.range.lowerBound)), Double(Self.range.upperBound))
    self.milliseconds = Int(exactly: bounded) ?? 0
  }

  /// Creates a moment from milliseconds since 1970, or returns nil outside the range.
  package init?(milliseconds: Int) {
    guard Self.range.contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// Creates a moment from milliseconds that are a JSON number or text, with any fraction rounded.
  ///
  /// Returns nil for other values and outside the range.
  package init?(milliseconds json: JSONValue) {
    switch json {
    case .integer(let value): self.init(milliseconds: value)
    case .number(let value): self.init(rounding: value)
    case .string(let text):
      if let value = Int(text) {
        self.init(milliseconds: value)
      } else {
        guard let value = Double(decimal: text) else { return nil }
        self.init(rounding: value)
      }
    case .null, .boolean, .array, .object: return nil
    }
  }

  private init?(rounding milliseconds: Double) {
    guard let whole = Int(exactly: milliseconds.rounded()) else { return nil }
    self.init(milliseconds: whole)
  }

  /// The whole seconds since 1970 in UTC, rounded down.
  package var seconds: Int { milliseconds.floored(by: 1000) }

  package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension Date {
  /// The date, or nil if it is not a number or lies outside the years 1 to 9999.
  ///
  /// Dates from Apple that fail this check are treated as unreadable.
  package var readable: Date? {
    let milliseconds = timeIntervalSince1970 * 1000
    let range = Moment.range
    return milliseconds >= Double(range.lowerBound) && milliseconds <= Double(range.upperBound)
      ? self : nil
  }

  /// The date without its fraction of a second, clamped to the years 1 to 9999.
  var wholeSeconds: Date { Date(timeIntervalSince1970: Double(Moment(self).seconds)) }
}
