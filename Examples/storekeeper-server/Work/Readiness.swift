import StorekeeperLocks

/// Whether something answers soon; one question is under way at most, however many ask.
final class Readiness: Sendable {
  private typealias Asker = CheckedContinuation<Bool, Never>

  private enum State {
    case idle
    case asking([Asker])
    /// The question is not answered yet, and nobody waits for it any more.
    case late
  }

  private let state = Locked(State.idle)
  private let patience: Duration
  private let question: @Sendable () async -> Bool

  init(patience: Duration = .seconds(2), question: @escaping @Sendable () async -> Bool) {
    self.patience = patience
    self.question = question
  }

  /// Whether it answers within the patience; false at once where an earlier question is late.
  func isReady() async -> Bool {
    await withCheckedContinuation { asker in
      enum Step { case ask, wait, refuse }
      let step = state.withLock { state in
        switch state {
        case .idle:
          state = .asking([asker])
          return Step.ask
        case .asking(let others):
          state = .asking(others + [asker])
          return .wait
        case .late: return .refuse
        }
      }
      switch step {
      case .ask: ask()
      case .wait: break
      case .refuse: asker.resume(returning: false)
      }
    }
  }

  private func ask() {
    let timer = Task {
      guard (try? await Task.sleep(for: patience)) != nil else { return }
      end(false, next: .late)
    }
    Task {
      let answer = await question()
      timer.cancel()
      end(answer, next: .idle)
    }
  }

  private func end(_ answer: Bool, next: State) {
    let askers: [Asker] = state.withLock { state in
      switch (state, next) {
      case (.asking(let askers), _):
        state = next
        return askers
      case (.late, .idle):
        state = next
        return []
      case (.late, _), (.idle, _): return []
      }
    }
    for asker in askers { asker.resume(returning: answer) }
  }
}
