internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A reader of dates in header fields, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Source: RFC 9110 section 5.6.7, the preferred form only.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the date of a text, or nil if it has another form.
  static func date(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    guard bytes.count == 29, text.hasSuffix(" GMT"), bytes[3] == UInt8(ascii: ","),
      [4, 7, 11, 16].allSatisfy({ bytes[$0] == UInt8(ascii: " ") }),
      [19, 22].allSatisfy({ bytes[$0] == UInt8(ascii: ":") }),
      let month = months.firstIndex(of: String(decoding: bytes[8..<11], as: UTF8.self)),
      let day = number(bytes[5..<7]), let year = number(bytes[12..<16]),
      let hour = number(bytes[17..<19]), let minute = number(bytes[20..<22]),
      let second = number(bytes[23..<25]), hour < 24, minute < 60, second <= 60,
      let civil = CivilDay(year: year, month: month + 1, day: day)
    else { return nil }
    return Date(
      timeIntervalSince1970: Double(
        civil.number * 86_400 + hour * 3600 + minute * 60 + second))
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
