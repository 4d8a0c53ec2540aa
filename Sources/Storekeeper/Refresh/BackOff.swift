#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How long to wait after failures in a row: twice as long each time, up to a limit, and spread so that
/// not all come back at once.
///
/// Source: contract on linking, section 7.
struct BackOff {
  /// In seconds, before it is doubled.
  var first: TimeInterval
  /// In seconds.
  var longest: TimeInterval
  /// The part of the pause by which it may be shorter or longer.
  var spread: Double

  static let refresh = BackOff(first: 300, longest: 43_200, spread: 0.2)
  static let outbox = BackOff(first: 30, longest: 43_200, spread: 0)

  /// In seconds; of the failures in a row this one is the last, and chance is a number from 0 up to 1.
  func pause(afterFailures failures: Int, chance: Double) -> TimeInterval {
    let doubled = first * Double(1 << min(max(failures, 0), 30))
    return min(doubled, longest) * (1 + spread * (2 * chance - 1))
  }

  /// The longest pause, spread as well.
  func longestPause(chance: Double) -> TimeInterval { longest * (1 + spread * (2 * chance - 1)) }
}

/// What tells the leases of one worker from those of others.
enum LeaseToken {
  /// 32 random hexadecimal digits.
  static func random() -> String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
