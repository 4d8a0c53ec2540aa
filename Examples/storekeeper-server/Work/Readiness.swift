import StorekeeperLocks

/// A check with a time limit, of which at most one runs at a time, however many callers there are.
final class Readiness: Sendable {
  private typealias Caller = CheckedContinuation<Bool, Never>

  private enum State {
    case idle
    case checking([Caller])
    /// The check still runs, and its callers were answered after the time limit.
    case late
  }

  private let state = Locked(State.idle)
  private let limit: Duration
  private let check: @Sendable () async -> Bool

  init(within limit: Duration = .seconds(2), check: @escaping @Sendable () async -> Bool) {
    self.limit = limit
    self.check = check
  }

  /// Whether the check passes in time; false at once while an earlier check is late.
  func isReady() async -> Bool {
    await withCheckedContinuation { caller in
      enum Step { case check, wait, refuse }
      let step = state.withLock { state in
        switch state {
        case .idle:
          state = .checking([caller])
          return Step.check
        case .checking(let others):
          state = .checking(others + [caller])
          return .wait
        case .late: return .refuse
        }
      }
      switch step {
      case .check: run()
      case .wait: break
      case .refuse: caller.resume(returning: false)
      }
    }
  }

  private func run() {
    let timer = Task {
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      end(false, next: .late)
    }
    Task {
      let answer = await check()
      timer.cancel()
      end(answer, next: .idle)
    }
  }

  private func end(_ answer: Bool, next: State) {
    let callers: [Caller] = state.withLock { state in
      switch (state, next) {
      case (.checking(let callers), _):
        state = next
        return callers
      case (.late, .idle):
        state = next
        return []
      case (.late, _), (.idle, _): return []
      }
    }
    for caller in callers { caller.resume(returning: answer) }
  }
}

/// A check whose last result is reused for a second, so that frequent requests do not write to the
/// disk each time.
final class WriteTrial: Sendable {
  private let last = Locked<(passed: Bool, at: ContinuousClock.Instant)?>(nil)
  private let trial: @Sendable () async -> Bool

  init(_ trial: @escaping @Sendable () async -> Bool) { self.trial = trial }

  /// Returns the last result, or runs the check if that is older than a second.
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
