#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A moment as verifyReceipt writes it, in the years 1 to 9999.
///
/// The text has the fixed form `2020-07-22 17:39:08 Etc/GMT`. The third form that Apple sends, in
/// the time zone of California, is never read: it is ambiguous for an hour each autumn.
///
/// Source: contract on signed data, section 5.4.
package struct ReceiptMoment: Hashable, Sendable {
  /// Since 1970 UTC.
  package var milliseconds: Int

  /// From 0001-01-01 to the last millisecond of 9999-12-31.
  package static let range = -62_135_596_800_000...253_402_300_799_999

  /// The moment of a date, in whole milliseconds; beyond the range, its end.
  package init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    let bounded = min(
      max(milliseconds, Double(Self.range.lowerBound)), Double(Self.range.upperBound))
    self.milliseconds = Int(exactly: bounded) ?? 0
  }

  /// Reads milliseconds from a number or from text, rounding a fraction; nil beyond the range.
  package init?(milliseconds json: JSONValue) {
    switch json {
    case .integer(let value): self.init(milliseconds: value)
    case .number(let value): self.init(milliseconds: value)
    case .string(let text):
      if let value = Int(text) {
        self.init(milliseconds: value)
      } else {
        guard let value = Double(decimal: text) else { return nil }
        self.init(milliseconds: value)
      }
    case .null, .boolean, .array, .object: return nil
    }
  }

  private init?(milliseconds value: Double) {
    guard let whole = Int(exactly: value.rounded()) else { return nil }
    self.init(milliseconds: whole)
  }

  private init?(milliseconds value: Int) {
    guard Self.range.contains(value) else { return nil }
    milliseconds = value
  }

  /// The same as a date.
  package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

// MARK: Text

extension ReceiptMoment {
  private static let secondsPerDay = 86_400

  /// Reads the fixed form, without locale and calendar; nil unless every byte fits.
  package init?(text json: JSONValue) {
    guard case .string(let text) = json else { return nil }
    self.init(text: text)
  }

  /// Reads the fixed form, without locale and calendar; nil unless every byte fits.
  package init?(text: String) {
    var reader = DateTextReader(text)
    guard
      let year = reader.digits(4), reader.accept("-"),
      let month = reader.digits(2), reader.accept("-"),
      let day = reader.digits(2), reader.accept(" "),
      let hour = reader.digits(2), reader.accept(":"),
      let minute = reader.digits(2), reader.accept(":"),
      let second = reader.digits(2), reader.accept(" Etc/GMT"), reader.isAtEnd,
      let days = CivilDay(year: year, month: month, day: day)?.number,
      hour < 24, minute < 60, second < 60
    else { return nil }
    self.init(
      milliseconds: (days * Self.secondsPerDay + hour * 3600 + minute * 60 + second) * 1000)
  }

  /// The fixed form, with the fraction of the second cut off.
  package var text: String {
    let seconds = milliseconds.floored(by: 1000)
    let days = seconds.floored(by: Self.secondsPerDay)
    let rest = seconds - days * Self.secondsPerDay
    let day = CivilDay(number: days)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(27)
    bytes.append(digits: day.year, width: 4, then: "-")
    bytes.append(digits: day.month, width: 2, then: "-")
    bytes.append(digits: day.day, width: 2, then: " ")
    bytes.append(digits: rest / 3600, width: 2, then: ":")
    bytes.append(digits: rest / 60 % 60, width: 2, then: ":")
    bytes.append(digits: rest % 60, width: 2, then: " Etc/GMT")
    return String(decoding: bytes, as: UTF8.self)
  }
}
