internal import StorekeeperLocks

/// A gate between two tasks of a law: closed, then open for good.
final class ContractGate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  /// Opens the gate, more than once if need be.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the gate is open.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Waits until the gate is open, or opens it after a time.
  ///
  /// For stores whose units of work wait for each other where a law would not need it: there the other
  /// task cannot come to the gate before this one goes on. Where the outcome depends on which of the two comes
  /// first, the time has to be so long that no busy machine exceeds it.
  func wait(atMost patience: Duration) async {
    let alarm = Alarm(after: patience) { self.open() }
    await wait()
    alarm.cancel()
  }
}
