package import JSONValues

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
  /// Reads the fixed form; nil unless every byte fits.
  package init?(text json: JSONValue) {
    guard case .string(let text) = json else { return nil }
    self.init(text: text)
  }

  /// Reads the fixed form; nil unless every byte fits.
  package init?(text: String) {
    guard let seconds = DateTimeText.receipt.seconds(of: text) else { return nil }
    self.init(milliseconds: seconds * 1000)
  }

  /// The fixed form, with the fraction of the second cut off.
  package var text: String {
    DateTimeText.receipt.text(ofSeconds: milliseconds.floored(by: 1000))
  }
}
