internal import ReceiptModels

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// How a date is stored: columns that end in `_utc` in whole seconds, those in `_ms` in milliseconds.
///
/// Source: contract on linking, sections 1.2 and 4.6.
package enum StoredMoment {
  /// Seconds since 1970, the fraction cut off; beyond the years 1 to 9999, their end.
  package static func seconds(_ date: Date) -> Int {
    let milliseconds = milliseconds(date)
    let fraction = (milliseconds % 1000 + 1000) % 1000
    return (milliseconds - fraction) / 1000
  }

  /// Seconds since 1970, a fraction counting as one more: a column of whole seconds is before the date
  /// exactly if it is before this.
  package static func secondsRoundedUp(_ date: Date) -> Int {
    let seconds = seconds(date)
    return milliseconds(date) > seconds * 1000 ? seconds + 1 : seconds
  }

  /// Milliseconds since 1970, rounded; beyond the years 1 to 9999, their end.
  package static func milliseconds(_ date: Date) -> Int { Moment(date).milliseconds }

  /// The date of so many seconds.
  package static func date(seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }

  /// The date of so many milliseconds.
  package static func date(milliseconds: Int) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// The date as it is read again from a column of seconds.
  package static func inSeconds(_ date: Date) -> Date { self.date(seconds: seconds(date)) }

  /// The date as it is read again from a column of milliseconds.
  package static func inMilliseconds(_ date: Date) -> Date {
    self.date(milliseconds: milliseconds(date))
  }
}
