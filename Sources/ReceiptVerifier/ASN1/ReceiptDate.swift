internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads the dates of app receipts: RFC 3339, and Xcode's with an offset that lacks its colon.
///
/// By arithmetic, without locale and time zone data.
enum ReceiptDate {
  /// The moment that a text names, or nil when it is none.
  static func date(_ text: ArraySlice<UInt8>) -> Date? {
    var reader = Reader(rest: text)
    guard let year = reader.number(digits: 4), reader.accept(UInt8(ascii: "-")),
      let month = reader.number(digits: 2), reader.accept(UInt8(ascii: "-")),
      let day = reader.number(digits: 2), reader.accept(UInt8(ascii: "T")),
      let hour = reader.number(digits: 2), reader.accept(UInt8(ascii: ":")),
      let minute = reader.number(digits: 2), reader.accept(UInt8(ascii: ":")),
      let second = reader.number(digits: 2),
      let fraction = reader.fraction(), let offset = reader.offset(), reader.rest.isEmpty,
      // A leap second counts as the next one (RFC 3339 section 5.7).
      hour < 24, minute < 60, second <= 60,
      let days = CivilDay(year: year, month: month, day: day)?.number
    else { return nil }
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func accept(_ byte: UInt8) -> Bool {
      guard rest.first == byte else { return false }
      rest.removeFirst()
      return true
    }

    mutating func digit() -> Int? {
      guard let byte = rest.first, (0x30...0x39).contains(byte) else { return nil }
      rest.removeFirst()
      return Int(byte) - 0x30
    }

    mutating func number(digits: Int) -> Int? {
      var value = 0
      for _ in 0..<digits {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value
    }

    /// The part of a second, zero when there is none; nil when it has no digits or too many.
    mutating func fraction() -> Double? {
      guard accept(UInt8(ascii: ".")) else { return 0 }
      var value = 0
      var scale = 1
      while let digit = digit() {
        guard scale < 1_000_000_000 else { return nil }
        value = value * 10 + digit
        scale *= 10
      }
      return scale > 1 ? Double(value) / Double(scale) : nil
    }

    /// How many seconds the text is ahead of UTC.
    mutating func offset() -> Int? {
      if accept(UInt8(ascii: "Z")) { return 0 }
      let sign = accept(UInt8(ascii: "+")) ? 1 : accept(UInt8(ascii: "-")) ? -1 : 0
      guard sign != 0, let hours = number(digits: 2) else { return nil }
      _ = accept(UInt8(ascii: ":"))
      guard let minutes = number(digits: 2), hours < 24, minutes < 60 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}
