/// Those who wait for a connection, in the order in which they came.
package struct WaitingLine<Waiter> {
  private var waiting: [Int: (waiter: Waiter, deadline: ContinuousClock.Instant)] = [:]
  /// Tickets in the order of coming, also of those who have left.
  private var order: [Int] = []
  private var head = 0

  /// An empty line.
  package init() {}

  /// How many wait.
  package var count: Int { waiting.count }

  /// How many tickets are remembered.
  package var places: Int { order.count }

  /// Adds one at the end.
  package mutating func add(_ waiter: Waiter, ticket: Int, deadline: ContinuousClock.Instant) {
    waiting[ticket] = (waiter, deadline)
    if order.count > 2 * waiting.count + Self.slack { forgetThoseWhoLeft() }
    order.append(ticket)
  }

  private static var slack: Int { 32 }

  /// A line that is never empty would remember all who ever came.
  private mutating func forgetThoseWhoLeft() {
    order.removeSubrange(..<head)
    order.removeAll { waiting[$0] == nil }
    head = 0
  }

  /// Takes one out of the line, wherever it stands.
  package mutating func remove(_ ticket: Int) -> Waiter? {
    waiting.removeValue(forKey: ticket)?.waiter
  }

  /// Takes out the one who came first.
  package mutating func removeFirst() -> Waiter? { first().flatMap { remove($0) } }

  /// When the one who came first has waited long enough.
  package mutating func firstDeadline() -> ContinuousClock.Instant? {
    first().flatMap { waiting[$0]?.deadline }
  }

  /// The first ticket of one who has not left.
  private mutating func first() -> Int? {
    while head < order.count, waiting[order[head]] == nil { head += 1 }
    guard head < order.count else {
      order.removeAll(keepingCapacity: true)
      head = 0
      return nil
    }
    return order[head]
  }
}
