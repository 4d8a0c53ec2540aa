internal import LockSupport

/// Things of which each is used by one task at a time, given in the order of asking.
final class WaitingLine<Item: Sendable>: Sendable {
  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Item, any Error>
  }

  private struct State {
    var free: [Item]
    var numbers = 0
    var waiters: [Waiter] = []
  }

  private let state: Locked<State>

  /// A line for these.
  init(_ items: [Item]) { state = Locked(State(free: items)) }

  /// Waits for one, which is to be given back.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits; then it has none.
  func take() async throws -> Item {
    if let item = takeNow() { return item }
    let number = state.withLock { state in
      state.numbers += 1
      return state.numbers
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(Waiter(number: number, continuation: $0)) }
    } onCancel: {
      cancel(number)
    }
  }

  /// Gives one back; who waits longest has it next.
  func giveBack(_ item: Item) {
    let next: Waiter? = state.withLock { state in
      guard !state.waiters.isEmpty else {
        state.free.append(item)
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.continuation.resume(returning: item)
  }

  /// Gives one that is free now.
  func takeNow() -> Item? { state.withLock { $0.free.popLast() } }

  private func wait(_ waiter: Waiter) {
    let outcome: Result<Item, any Error>? = state.withLock { state in
      // Asked inside the lock: a cancellation after this finds the waiter.
      if Task.isCancelled { return .failure(CancellationError()) }
      if let item = state.free.popLast() { return .success(item) }
      state.waiters.append(waiter)
      return nil
    }
    if let outcome { waiter.continuation.resume(with: outcome) }
  }

  private func cancel(_ number: Int) {
    let waiter: Waiter? = state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiters.remove(at: index)
    }
    waiter?.continuation.resume(throwing: CancellationError())
  }
}
