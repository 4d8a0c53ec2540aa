import StorekeeperLocks

/// Counts the connections that are refused, and tells of them once a second at most, as nobody should
/// fill a log by connecting.
final class RefusalLog: Sendable {
  private struct State {
    var number = 0
    var told: ContinuousClock.Instant?
  }

  private let state = Locked(State())

  /// Notes one; the line has the number since the start.
  func note() {
    let now = ContinuousClock.now
    let number: Int? = state.withLock { state in
      state.number += 1
      if let told = state.told, told.duration(to: now) < .seconds(1) { return nil }
      state.told = now
      return state.number
    }
    guard let number else { return }
    ServerLog.note("connections refused", ("status", .number(503)), ("number", .number(number)))
  }
}
