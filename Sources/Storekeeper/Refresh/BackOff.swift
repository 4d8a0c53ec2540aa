internal import StorekeeperLocks

extension BackOff {
  /// The back-off between attempts to refresh a subscription: 10 minutes to 12 hours, ± 20 %.
  static let refresh = BackOff(
    first: .seconds(600), longest: .seconds(43_200), jitter: 0.8...1.2)
  /// The back-off between attempts to deliver a message: one minute to 12 hours.
  static let outbox = BackOff(first: .seconds(60), longest: .seconds(43_200))
}

/// A random value that distinguishes the leases of one worker from those of others.
enum LeaseToken {
  /// Returns 32 random hexadecimal digits.
  static func random() -> String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
