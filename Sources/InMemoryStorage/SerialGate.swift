internal import StorekeeperLocks

/// A fair lock for tasks: one at a time, in the order of arrival.
final class SerialGate: Sendable {
  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var isTaken = false
    var numbers = 0
    var waiters: [Waiter] = []
  }

  private enum Turn { case now, later, never }

  private let state = Locked(State())

  /// Waits for the lock, which ``leave()`` gives back.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits; then it doesn't have the lock.
  func enter() async throws {
    let number = state.withLock { state in
      state.numbers += 1
      return state.numbers
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(Waiter(number: number, continuation: $0)) }
    } onCancel: {
      cancel(number)
    }
  }

  /// Gives the lock to the task that has waited longest.
  func leave() {
    let next: Waiter? = state.withLock { state in
      state.isTaken = !state.waiters.isEmpty
      return state.isTaken ? state.waiters.removeFirst() : nil
    }
    next?.continuation.resume()
  }

  private func wait(_ waiter: Waiter) {
    let turn: Turn = state.withLock { state in
      // Checked inside the lock: a later cancellation finds the waiter.
      if Task.isCancelled { return .never }
      guard state.isTaken else {
        state.isTaken = true
        return .now
      }
      state.waiters.append(waiter)
      return .later
    }
    switch turn {
    case .now: waiter.continuation.resume()
    case .later: break
    case .never: waiter.continuation.resume(throwing: CancellationError())
    }
  }

  private func cancel(_ number: Int) {
    let waiter: Waiter? = state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiters.remove(at: index)
    }
    waiter?.continuation.resume(throwing: CancellationError())
  }
}
