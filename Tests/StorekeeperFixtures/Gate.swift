internal import StorekeeperLocks

/// Holds whoever comes until it is opened; cancellation opens nothing.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  /// Creates a gate that is shut.
  public init() {}

  /// Lets through all who wait, and all who come.
  public func open() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      state.isOpen = true
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until the gate is open.
  public func wait() async {
    await withCheckedContinuation { waiter in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(waiter) }
        return state.isOpen
      }
      if isOpen { waiter.resume() }
    }
  }
}
