import StorekeeperLocks

/// A trial whose last outcome counts for a second, so that nobody who asks often keeps a disk busy.
final class WriteTrial: Sendable {
  private let last = Locked<(passed: Bool, at: ContinuousClock.Instant)?>(nil)
  private let trial: @Sendable () async -> Bool

  init(_ trial: @escaping @Sendable () async -> Bool) { self.trial = trial }

  /// Whether the last trial passed; another is made unless it is fresh.
  func passes() async -> Bool {
    let now = ContinuousClock.now
    if let last = last.withLock({ $0 }), last.at.duration(to: now) < .seconds(1) {
      return last.passed
    }
    let passed = await trial()
    last.withLock { $0 = (passed, now) }
    return passed
  }
}
