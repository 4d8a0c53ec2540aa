/// Which connections are lent, and who waits.
struct PoolState {
  typealias Waiter = CheckedContinuation<PostgresConnection, any Error>

  let target: ConnectionTarget
  var line = WaitingLine<Waiter>()
  private var idle: [PostgresConnection] = []
  private var lent = 0
  private var tickets = 0
  private var isTimed = false
  private var isClosed = false
  private var closers: [CheckedContinuation<Void, Never>] = []

  init(target: ConnectionTarget) { self.target = target }
}

// MARK: - Lending

extension PoolState {
  enum Taken {
    case connection(PostgresConnection)
    case closed
  }

  enum Joined {
    case taken(Taken)
    /// In the line; the caller starts the clock if it does not run.
    case waiting(startsClock: Bool)
    case cancelled
  }

  enum Returned {
    case waiter(Waiter)
    case closers([CheckedContinuation<Void, Never>])
  }

  /// A connection that nobody has, the one used last first, or a new one within the limit.
  mutating func take() -> Taken? {
    guard !isClosed else { return .closed }
    guard !idle.isEmpty || lent < target.configuration.connectionLimit else { return nil }
    lent += 1
    return .connection(idle.popLast() ?? PostgresConnection(to: target))
  }

  mutating func ticket() -> Int {
    tickets += 1
    return tickets
  }

  mutating func join(
    _ waiter: Waiter, _ ticket: Int, deadline: ContinuousClock.Instant
  ) -> Joined {
    if let taken = take() { return .taken(taken) }
    line.add(waiter, ticket: ticket, deadline: deadline)
    defer { isTimed = true }
    return .waiting(startsClock: !isTimed)
  }

  /// Whom a connection that comes back goes to, if not to rest.
  mutating func giveBack(_ connection: PostgresConnection) -> Returned? {
    if !isClosed, let waiter = line.removeFirst() { return .waiter(waiter) }
    idle.append(connection)
    lent -= 1
    guard lent == 0, !closers.isEmpty else { return nil }
    defer { closers = [] }
    return .closers(closers)
  }
}

// MARK: - Time limit

extension PoolState {
  /// Those who have waited long enough, and when the clock is to ring next, if at all.
  mutating func expire(
    now: ContinuousClock.Instant
  ) -> (waiters: [Waiter], next: ContinuousClock.Instant?) {
    var expired: [Waiter] = []
    while let deadline = line.firstDeadline() {
      guard deadline <= now else { return (expired, deadline) }
      if let waiter = line.removeFirst() { expired.append(waiter) }
    }
    isTimed = false
    return (expired, nil)
  }
}

// MARK: - Out of reach

extension PoolState {
  /// Those who wait for a connection that nobody can have, as the server is out of reach.
  mutating func giveUpWaiting() -> [Waiter] {
    // One that is open will be given back.
    target.links.isNone ? takeWaiting() : []
  }
}

// MARK: - Closing

extension PoolState {
  /// Lends nothing from now on.
  ///
  /// - Returns: Those who waited.
  mutating func close() -> [Waiter] {
    isClosed = true
    return takeWaiting()
  }

  private mutating func takeWaiting() -> [Waiter] {
    var waiters: [Waiter] = []
    while let waiter = line.removeFirst() { waiters.append(waiter) }
    return waiters
  }

  /// Whether nothing is lent; otherwise `closer` is told when all has come back.
  mutating func isAllReturned(orTell closer: CheckedContinuation<Void, Never>) -> Bool {
    guard lent > 0 else { return true }
    closers.append(closer)
    return false
  }

  mutating func takeIdle() -> [PostgresConnection] {
    defer { idle = [] }
    return idle
  }
}
