/// A set of operations, at most one under way for each key, whose result all waiters share.
///
/// An operation goes on while anyone waits for it, and is cancelled when the last waiter leaves.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Flight {
    let number: Int
    let task: Task<Void, Never>
    var waiters: [Int: CheckedContinuation<Value?, Never>]
  }

  private struct State {
    var flights: [Key: Flight] = [:]
    var numbers = 0

    mutating func nextNumber() -> Int {
      numbers += 1
      return numbers
    }
  }

  private let state = Locked(State())

  /// Creates a set without operations.
  package init() {}

  /// Returns the result of the operation under way for this key, or else of the given one; nil when
  /// the waiting task is cancelled.
  ///
  /// A task that is cancelled already begins nothing.
  package func value(
    for key: Key, orFrom operation: @escaping @Sendable () async -> Value
  ) async -> Value? {
    guard !Task.isCancelled else { return nil }
    let waiter = state.withLock { $0.nextNumber() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        join(key, waiter, continuation, operation)
        // The cancellation handler may have run before the waiter joined.
        if Task.isCancelled { leave(key, waiter) }
      }
    } onCancel: {
      leave(key, waiter)
    }
  }

  private func join(
    _ key: Key, _ waiter: Int, _ continuation: CheckedContinuation<Value?, Never>,
    _ operation: @escaping @Sendable () async -> Value
  ) {
    state.withLock { state in
      guard state.flights[key] == nil else {
        state.flights[key]?.waiters[waiter] = continuation
        return
      }
      let number = state.nextNumber()
      // Unstructured, because it must outlive the first waiter when there are others.
      let task = Task { self.land(key, number, await operation()) }
      state.flights[key] = Flight(number: number, task: task, waiters: [waiter: continuation])
    }
  }

  private func leave(_ key: Key, _ waiter: Int) {
    let (continuation, abandoned) = state.withLock { state in
      let continuation = state.flights[key]?.waiters.removeValue(forKey: waiter)
      let isLast = continuation != nil && state.flights[key]?.waiters.isEmpty == true
      return (continuation, isLast ? state.flights.removeValue(forKey: key)?.task : nil)
    }
    abandoned?.cancel()
    continuation?.resume(returning: nil)
  }

  private func land(_ key: Key, _ number: Int, _ value: Value) {
    // An abandoned operation has no flight any more, or its key has a newer one.
    let waiters = state.withLock { state in
      state.flights[key]?.number == number ? state.flights.removeValue(forKey: key)?.waiters : nil
    }
    for continuation in (waiters ?? [:]).values { continuation.resume(returning: value) }
  }
}
