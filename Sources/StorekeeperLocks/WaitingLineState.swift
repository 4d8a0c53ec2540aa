/// Who waits in a line, and what is free.
@usableFromInline struct WaitingLineState<Item: Sendable>: Sendable {
  @usableFromInline struct Waiter: Sendable {
    let number: Int
    let deadline: ContinuousClock.Instant?
    @usableFromInline let continuation: CheckedContinuation<Item, any Error>
  }

  @usableFromInline var free: [Item]
  @usableFromInline var waiters: [Waiter] = []
  private var numbers = 0
  /// When somebody looks whose limit is reached, if anybody does.
  private var watched: ContinuousClock.Instant?

  init(free: [Item]) { self.free = free }

  mutating func nextNumber() -> Int {
    numbers += 1
    return numbers
  }

  /// Who has the item next; nobody if it is free now.
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

  /// Whether nobody looks at this moment or before; whoever asks does from now on.
  mutating func isFirst(_ deadline: ContinuousClock.Instant) -> Bool {
    if let watched, watched <= deadline { return false }
    watched = deadline
    return true
  }

  /// The first limit of those who wait.
  var nextDeadline: ContinuousClock.Instant? { waiters.compactMap(\.deadline).min() }

  /// Takes out those whose limit is reached.
  mutating func expire(at moment: ContinuousClock.Instant) -> [Waiter] {
    if watched == moment { watched = nil }
    let isOver = { (waiter: Waiter) in waiter.deadline.map { $0 <= moment } ?? false }
    let over = waiters.filter(isOver)
    waiters.removeAll(where: isOver)
    return over
  }
}
