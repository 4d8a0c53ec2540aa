import StorekeeperLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Moments as logs have them: RFC 3339 in UTC, with milliseconds.
final class LogTime: Sendable {
  static let shared = LogTime()

  private struct Second {
    var number: Int
    /// Such as `2030-01-31T08:15:00`.
    var text: [UInt8]
  }

  private let last = Locked(Second(number: .min, text: []))

  /// Such as `2030-01-31T08:15:00.042Z`; the text of a second is made once.
  func text(_ date: Date) -> [UInt8] {
    let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded(.down))
    let (number, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let second = last.withLock { last in
      if last.number != number { last = Second(number: number, text: Self.text(number)) }
      return last.text
    }
    let digits = [rest / 100, rest / 10 % 10, rest % 10].map { UInt8(ascii: "0") + UInt8($0) }
    return second + [UInt8(ascii: ".")] + digits + [UInt8(ascii: "Z")]
  }

  private static func text(_ second: Int) -> [UInt8] {
    let text = Date(timeIntervalSince1970: TimeInterval(second)).formatted(.iso8601)
    return Array(text.utf8.dropLast())
  }
}
