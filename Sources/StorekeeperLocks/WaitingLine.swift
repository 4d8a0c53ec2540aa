/// A FIFO pool: each item is used by one task at a time, and tasks get items in the order of their
/// requests.
public final class WaitingLine<Item: Sendable>: Sendable {
  @usableFromInline let state: Locked<WaitingLineState<Item>>

  /// Creates a pool of these items.
  package init(_ items: [Item]) { state = Locked(WaitingLineState(free: items)) }

  package var count: Int { state.withLock { $0.waiters.count } }

  /// Waits for an item, which must be given back.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits, ``WaitedTooLong`` after
  ///   the time limit; then there is no item to give back.
  package func take(within limit: Duration? = nil) async throws -> Item {
    if let item = takeNow() { return item }
    let number = state.withLock { $0.nextNumber() }
    var alarm: Alarm?
    defer { alarm?.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard wait(.init(number: number, continuation: continuation)), let limit else { return }
        alarm = Alarm(after: limit) { [weak self] in self?.end(number, WaitedTooLong()) }
      }
    } onCancel: {
      end(number, CancellationError())
    }
  }

  /// Gives an item back; the task that has waited longest gets it next.
  @inlinable
  public func giveBack(_ item: Item) {
    state.withLock { $0.giveBack(item) }?.continuation.resume(returning: item)
  }

  /// Returns an item if one is free now.
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

  /// Adds a waiter to the line, unless its wait ends at once; returns whether it waits.
  private func wait(_ waiter: WaitingLineState<Item>.Waiter) -> Bool {
    let outcome: Result<Item, any Error>? = state.withLock { state in
      // Checked under the lock: a later cancellation finds the waiter.
      if Task.isCancelled { return .failure(CancellationError()) }
      if let item = state.free.popLast() { return .success(item) }
      state.waiters.append(waiter)
      return nil
    }
    if let outcome { waiter.continuation.resume(with: outcome) }
    return outcome == nil
  }

  /// Ends a wait with an error, unless it has ended.
  private func end(_ number: Int, _ error: any Error) {
    state.withLock { $0.remove(number) }?.continuation.resume(throwing: error)
  }
}

/// The time limit of a wait was reached.
package struct WaitedTooLong: Error {
  package init() {}
}

extension ContinuousClock.Instant {
  /// Returns the time after this duration, which is limited to 30 years.
  package static func after(_ time: Duration) -> ContinuousClock.Instant {
    .now + min(time, .seconds(1_000_000_000))
  }
}

/// The waiting tasks and the free items of a pool.
@usableFromInline struct WaitingLineState<Item: Sendable>: Sendable {
  @usableFromInline struct Waiter: Sendable {
    let number: Int
    @usableFromInline let continuation: CheckedContinuation<Item, any Error>
  }

  @usableFromInline var free: [Item]
  @usableFromInline var waiters: [Waiter] = []
  private var numbers = 0

  init(free: [Item]) { self.free = free }

  mutating func nextNumber() -> Int {
    numbers += 1
    return numbers
  }

  /// Returns the next waiter for an item, or nil if the item is free now.
  @inlinable
  mutating func giveBack(_ item: Item) -> Waiter? {
    guard !waiters.isEmpty else {
      free.append(item)
      return nil
    }
    return waiters.removeFirst()
  }

  mutating func remove(_ number: Int) -> Waiter? {
    waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0) }
  }
}
