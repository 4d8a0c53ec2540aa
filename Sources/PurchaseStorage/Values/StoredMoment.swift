internal import ReceiptModels

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The stored forms of a date: whole seconds in columns that end in `_utc`, milliseconds in those that
/// end in `_ms`.
///
/// Source: `Documentation/rules/linking-rules.md`.
package enum StoredMoment {
  /// Returns the seconds since 1970 without their fraction, limited to the years 1 to 9999.
  package static func seconds(_ date: Date) -> Int {
    let milliseconds = milliseconds(date)
    let fraction = (milliseconds % 1000 + 1000) % 1000
    return (milliseconds - fraction) / 1000
  }

  /// Returns the seconds since 1970, rounded up: whole seconds are before the date exactly if they are
  /// before this.
  package static func secondsRoundedUp(_ date: Date) -> Int {
    let seconds = seconds(date)
    return milliseconds(date) > seconds * 1000 ? seconds + 1 : seconds
  }

  /// Returns the milliseconds since 1970, rounded, limited to the years 1 to 9999.
  package static func milliseconds(_ date: Date) -> Int { Moment(date).milliseconds }

  package static func date(seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }

  package static func date(milliseconds: Int) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Returns the date as a column of seconds stores it.
  package static func inSeconds(_ date: Date) -> Date { self.date(seconds: seconds(date)) }

  /// Returns the date as a column of milliseconds stores it.
  package static func inMilliseconds(_ date: Date) -> Date {
    self.date(milliseconds: milliseconds(date))
  }
}
