/// The waiting tasks and the free items of a pool.
@usableFromInline struct WaitingLineState<Item: Sendable>: Sendable {
  @usableFromInline struct Waiter: Sendable {
    let number: Int
    let deadline: ContinuousClock.Instant?
    @usableFromInline let continuation: CheckedContinuation<Item, any Error>
  }

  @usableFromInline var free: [Item]
  @usableFromInline var waiters: [Waiter] = []
  private var numbers = 0
  /// The deadline of the current timer, if there is one.
  private var watched: ContinuousClock.Instant?

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

  /// Returns whether there is no timer for this deadline or earlier; if so, the caller must start
  /// one.
  mutating func isFirst(_ deadline: ContinuousClock.Instant) -> Bool {
    if let watched, watched <= deadline { return false }
    watched = deadline
    return true
  }

  var nextDeadline: ContinuousClock.Instant? { waiters.compactMap(\.deadline).min() }

  /// Removes and returns the waiters whose deadline has passed.
  mutating func expire(at moment: ContinuousClock.Instant) -> [Waiter] {
    if watched == moment { watched = nil }
    let isOver = { (waiter: Waiter) in waiter.deadline.map { $0 <= moment } ?? false }
    let over = waiters.filter(isOver)
    waiters.removeAll(where: isOver)
    return over
  }
}
