internal import StorekeeperCrypto
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension BackOff {
  /// The back-off between attempts to refresh a subscription: 10 minutes to 12 hours, ± 20 %.
  static let refresh = BackOff(
    first: .seconds(600), longest: .seconds(43_200), jitter: 0.8...1.2)
  /// The back-off between attempts to deliver a message: one minute to 12 hours.
  static let outbox = BackOff(first: .seconds(60), longest: .seconds(43_200))

  /// The back-off between attempts to deliver a message: where it has a deadline, at most a sixteenth of the time that
  /// is left, so that an outage that ends before the deadline is no reason to miss it.
  static func outbox(before deadline: Date?, from now: Date) -> BackOff {
    var backOff = outbox
    if let deadline {
      let share = Duration.seconds(until: deadline, from: now) / 16
      backOff.longest = min(max(share, backOff.first), backOff.longest)
    }
    return backOff
  }

  /// The pauses of a job of ``BackgroundWork`` after failures: up to its interval, but at least a minute and at most
  /// a quarter of an hour, ± 10 %.
  static func job(every interval: Duration?, from first: Duration) -> BackOff {
    let longest = min(max(interval ?? .seconds(900), .seconds(60)), .seconds(900))
    return BackOff(first: first, longest: longest, jitter: spread)
  }

  /// The pause of a job of ``BackgroundWork`` after a success: its interval, ± 10 %.
  static func interval(_ interval: Duration) -> BackOff {
    BackOff(first: interval, longest: interval, jitter: spread)
  }

  /// The factors that keep processes apart that were started together.
  private static let spread = 0.9...1.1
}

/// A random value that distinguishes the leases of one worker from those of others.
enum LeaseToken {
  /// Returns 32 random hexadecimal digits.
  static func random() -> String {
    hexadecimal((0..<16).map { _ in UInt8.random(in: .min ... .max) })
  }
}
