/// How often a unit of work was run again, and whether it may be once more.
///
/// Source: contract on linking, section 2.1.
struct Retries {
  private var conflicts = 0
  private var losses = 0

  /// How long to wait before the next try, or nil if there is none.
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
