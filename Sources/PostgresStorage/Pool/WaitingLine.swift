/// Those who wait for a connection, in the order in which they came.
struct WaitingLine {
  typealias Waiter = CheckedContinuation<PostgresConnection, any Error>

  private var waiting: [Int: (waiter: Waiter, deadline: ContinuousClock.Instant)] = [:]
  /// Tickets in the order of coming, also of those who have left.
  private var order: [Int] = []
  private var head = 0

  var count: Int { waiting.count }

  mutating func add(_ waiter: Waiter, ticket: Int, deadline: ContinuousClock.Instant) {
    waiting[ticket] = (waiter, deadline)
    order.append(ticket)
  }

  /// Takes one out of the line, wherever it stands.
  mutating func remove(_ ticket: Int) -> Waiter? { waiting.removeValue(forKey: ticket)?.waiter }

  /// Takes out the one who came first.
  mutating func removeFirst() -> Waiter? { first().flatMap { remove($0) } }

  /// When the one who came first has waited long enough.
  mutating func firstDeadline() -> ContinuousClock.Instant? {
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
