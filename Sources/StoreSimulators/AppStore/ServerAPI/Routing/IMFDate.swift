#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A moment as an HTTP `Date` field writes it, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Source: RFC 9110 section 5.6.7.
struct IMFDate {
  let text: String

  init(_ date: Date) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents(
      [.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let time = [parts.hour, parts.minute, parts.second].map { Self.padded($0 ?? 0, 2) }
    text =
      "\(days[(parts.weekday ?? 1) - 1]), \(Self.padded(parts.day ?? 1, 2)) "
      + "\(months[(parts.month ?? 1) - 1]) \(Self.padded(parts.year ?? 1970, 4)) "
      + "\(time.joined(separator: ":")) GMT"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
