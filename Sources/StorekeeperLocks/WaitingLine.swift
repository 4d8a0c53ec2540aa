/// Things of which each is used by one task at a time, given in the order of asking.
public final class WaitingLine<Item: Sendable>: Sendable {
  @usableFromInline let state: Locked<WaitingLineState<Item>>

  /// A line for these.
  package init(_ items: [Item]) { state = Locked(WaitingLineState(free: items)) }

  /// How many wait.
  package var count: Int { state.withLock { $0.waiters.count } }

  /// Waits for one, which is to be given back.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits, ``WaitedTooLong`` after
  ///   the limit; then it has none.
  package func take(within limit: Duration? = nil) async throws -> Item {
    if let item = takeNow() { return item }
    let number = state.withLock { $0.nextNumber() }
    let deadline = limit.map(ContinuousClock.Instant.after)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait(.init(number: number, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      state.withLock { $0.remove(number) }?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Gives one back; who waits longest has it next.
  @inlinable
  public func giveBack(_ item: Item) {
    state.withLock { $0.giveBack(item) }?.continuation.resume(returning: item)
  }

  /// Gives one that is free now.
  @inlinable
  public func takeNow() -> Item? { state.withLock { $0.free.popLast() } }

  /// Ends all waits with an error; later ones are not affected.
  package func refuseWaiting(_ error: any Error) {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume(throwing: error) }
  }

  private func wait(_ waiter: WaitingLineState<Item>.Waiter) {
    let outcome: Result<Item, any Error>? = state.withLock { state in
      // Asked inside the lock: a cancellation after this finds the waiter.
      if Task.isCancelled { return .failure(CancellationError()) }
      if let item = state.free.popLast() { return .success(item) }
      state.waiters.append(waiter)
      return nil
    }
    if let outcome { waiter.continuation.resume(with: outcome) } else { watch(waiter.deadline) }
  }

  // MARK: Limits

  /// Sees to it that somebody looks when the limit is reached: one task for all who wait.
  private func watch(_ deadline: ContinuousClock.Instant?) {
    guard let deadline, state.withLock({ $0.isFirst(deadline) }) else { return }
    Task { [weak self] in
      try? await Task.sleep(until: deadline, clock: .continuous)
      self?.expire(at: deadline)
    }
  }

  private func expire(at moment: ContinuousClock.Instant) {
    let (over, next) = state.withLock { ($0.expire(at: moment), $0.nextDeadline) }
    for waiter in over { waiter.continuation.resume(throwing: WaitedTooLong()) }
    watch(next)
  }
}

/// The limit of a wait was reached.
package struct WaitedTooLong: Error {
  package init() {}
}

extension ContinuousClock.Instant {
  /// The moment after this time; a time beyond all use counts as 30 years.
  package static func after(_ time: Duration) -> ContinuousClock.Instant {
    .now + min(time, .seconds(1_000_000_000))
  }
}
