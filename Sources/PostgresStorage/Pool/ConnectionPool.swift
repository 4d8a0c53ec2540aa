internal import Dispatch
internal import StorekeeperLocks
internal import PurchaseStorage
internal import SQLStorage

/// Connections that are lent to one unit of work at a time, to whoever came first.
final class ConnectionPool: Sendable {
  private let state: Locked<PoolState>
  private let waitLimit: Duration

  init(to target: ConnectionTarget) {
    state = Locked(PoolState(target: target))
    waitLimit = target.configuration.waitLimit
  }

  var waiting: Int { state.withLock { $0.line.count } }

  /// Lends a connection for the length of `body`.
  ///
  /// - Throws: What `body` throws; `CancellationError`; `StorageFailure.unavailable` when the wait was
  ///   too long or the pool is closed.
  func withConnection<Result: Sendable>(
    _ body: nonisolated(nonsending) (PostgresConnection) async throws -> Result
  ) async throws -> Result {
    let connection = try await borrow()
    defer { giveBack(connection) }
    do {
      return try await body(connection)
    } catch let unreached as Unreached {
      for waiter in state.withLock({ $0.giveUpWaiting() }) {
        waiter.resume(throwing: unreached.failure)
      }
      throw unreached.failure
    }
  }

  /// Lends no more, waits for what is lent, and closes all connections.
  func close() async {
    for waiter in state.withLock({ $0.close() }) { waiter.resume(throwing: Self.closed) }
    await withCheckedContinuation { closer in
      if state.withLock({ $0.isAllReturned(orTell: closer) }) { closer.resume() }
    }
    for connection in state.withLock({ $0.takeIdle() }) { await connection.disconnect() }
  }

  static let closed = StorageFailure.unavailable(
    mayHaveCommitted: false, detail: "the store is closed")
  static let waitedTooLong = StorageFailure.unavailable(
    mayHaveCommitted: false, detail: "no connection became free in time")
}

// MARK: - Lending

extension ConnectionPool {
  private func borrow() async throws -> PostgresConnection {
    try Task.checkCancellation()
    switch state.withLock({ $0.take() }) {
    case .connection(let connection): return connection
    case .closed: throw Self.closed
    case .none: return try await wait()
    }
  }

  private func wait() async throws -> PostgresConnection {
    let ticket = state.withLock { $0.ticket() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { join($0, ticket) }
    } onCancel: {
      state.withLock { $0.line.remove(ticket) }?.resume(throwing: CancellationError())
    }
  }

  private func join(_ waiter: PoolState.Waiter, _ ticket: Int) {
    let deadline = ContinuousClock.now + waitLimit
    let answer = state.withLock { state in
      // A cancellation before this point found nobody in the line.
      Task.isCancelled ? .cancelled : state.join(waiter, ticket, deadline: deadline)
    }
    switch answer {
    case .waiting(let startsClock): if startsClock { expire(at: deadline) }
    case .taken(.connection(let connection)): waiter.resume(returning: connection)
    case .taken: waiter.resume(throwing: Self.closed)
    case .cancelled: waiter.resume(throwing: CancellationError())
    }
  }

  private func giveBack(_ connection: PostgresConnection) {
    switch state.withLock({ $0.giveBack(connection) }) {
    case .waiter(let waiter): waiter.resume(returning: connection)
    case .closers(let closers): for closer in closers { closer.resume() }
    case .none: break
    }
  }
}

// MARK: - Time limit

extension ConnectionPool {
  /// Sends away whoever has waited long enough at `deadline`, and later those after them.
  private func expire(at deadline: ContinuousClock.Instant) {
    let left = ContinuousClock.now.duration(to: deadline).wholeMilliseconds
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(left))) { [self] in
      let (waiters, next) = state.withLock { $0.expire(now: .now) }
      for waiter in waiters { waiter.resume(throwing: Self.waitedTooLong) }
      if let next { expire(at: next) }
    }
  }
}
