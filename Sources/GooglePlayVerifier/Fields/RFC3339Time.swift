#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A moment as Google writes it, such as `2022-04-22T18:39:58.270Z`.
///
/// Source: RFC 3339 section 5.6, and the JSON form of google.protobuf.Timestamp.
package struct RFC3339Time: Sendable {
  package let text: String

  /// Writes a date with a number of decimals of the seconds, from 0 to 9.
  package init(_ date: Date, fractionDigits: Int) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    let whole = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
    let count = min(max(fractionDigits, 0), 9)
    guard count > 0 else {
      text = whole
      return
    }
    // A date is not exact below the microsecond.
    let microseconds = ((date.timeIntervalSince1970 - seconds) * 1e6).rounded()
    let digits = String(min(Int(microseconds), 999_999) * 1000)
    let padded = String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
    text = "\(whole.dropLast()).\(padded.prefix(count))Z"
  }
}
