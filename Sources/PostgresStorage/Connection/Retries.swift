internal import StorekeeperLocks

/// The retries of a unit of work: one after a lost connection, three after conflicts.
///
/// Source: `Documentation/rules/linking-rules.md`, section 2.
struct Retries {
  private static let backOff = BackOff(
    first: .milliseconds(10), longest: .milliseconds(30), jitter: 0.1...1)

  private var conflicts = 0
  private var losses = 0

  /// Returns the pause before the next attempt, or nil for no further attempt.
  mutating func pause(after cause: UnitFailure.Cause) -> Duration? {
    switch cause {
    case .own: return nil
    case .lost:
      losses += 1
      return losses <= 1 ? .zero : nil
    case .conflict:
      conflicts += 1
      guard conflicts <= 3 else { return nil }
      return Self.backOff.pause(after: conflicts, chance: .random(in: 0...1))
    }
  }
}
