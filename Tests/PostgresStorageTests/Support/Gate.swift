import StorekeeperLocks

/// Lets tasks through once it is opened.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  func open() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      state.isOpen = true
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { waiter in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(waiter) }
        return state.isOpen
      }
      if isOpen { waiter.resume() }
    }
  }
}

/// A counter of events.
final class Tally: Sendable {
  private let state = Locked(0)

  /// Counts one more.
  @discardableResult
  func add() -> Int {
    state.withLock { count in
      count += 1
      return count
    }
  }

  var count: Int { state.withLock { $0 } }
}

/// Numbers in the order in which they came.
final class Series: Sendable {
  private let state = Locked([Int]())

  func append(_ number: Int) { state.withLock { $0.append(number) } }

  var numbers: [Int] { state.withLock { $0 } }
}
