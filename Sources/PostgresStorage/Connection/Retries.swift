/// The number of retries of a unit of work, which limits further ones.
///
/// Source: `Documentation/linking-rules.md`, section 2.
struct Retries {
  private var conflicts = 0
  private var losses = 0

  /// Returns the pause before the next attempt, or nil if there is none.
  mutating func pause(after cause: UnitFailure.Cause) -> Duration? {
    switch cause {
    case .own: return nil
    case .lost:
      losses += 1
      return losses <= 1 ? .zero : nil
    case .conflict:
      conflicts += 1
      return conflicts <= 3 ? .milliseconds(Int.random(in: 1...10 * conflicts)) : nil
    }
  }
}
