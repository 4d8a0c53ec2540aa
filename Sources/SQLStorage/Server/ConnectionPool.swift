internal import PurchaseStorage
internal import StorekeeperLocks

/// The connections of a store, each lent to one unit of work at a time, in the order of asking.
///
/// The connection that was used last is lent first, so that no more are opened than are needed.
final class ConnectionPool<Target: ServerTarget>: Sendable {
  private let target: Target
  private let links = LinkCount()
  private let size: Int
  private let connections: WaitingLine<ServerConnection<Target>>
  /// The task that closes the pool, once it was asked to close.
  private let closing = Locked<Task<Void, Never>?>(nil)

  init(to target: Target) {
    self.target = target
    size = max(1, target.limits.connections)
    let links = links
    connections = WaitingLine((0..<size).map { _ in ServerConnection(to: target, in: links) })
  }

  /// The number of units of work that wait for a connection.
  var waiting: Int { connections.count }

  /// Lends a connection for the duration of `body`.
  ///
  /// - Throws: Errors of `body`; `CancellationError`; `StorageFailure.unavailable` if the wait was too
  ///   long or the pool is closed.
  func withConnection<Result: Sendable>(
    _ body: nonisolated(nonsending) (ServerConnection<Target>) async throws -> Result
  ) async throws -> Result {
    let connection = try await borrow()
    defer { connections.giveBack(connection) }
    do {
      return try await body(connection)
    } catch let unreached as Unreached {
      // While a connection is open it comes back, so those who wait may still be served.
      if links.isNone || target.isOutOfReach { connections.refuseWaiting(unreached.failure) }
      throw unreached.failure
    }
  }

  private func borrow() async throws -> ServerConnection<Target> {
    try Task.checkCancellation()
    try checkOpen()
    let connection: ServerConnection<Target>
    do {
      connection = try await connections.take(within: target.limits.wait)
    } catch is WaitedTooLong {
      throw StorageFailure.waitedTooLong
    }
    do {
      // Closing may have begun between the first check and the wait.
      try checkOpen()
    } catch {
      connections.giveBack(connection)
      throw error
    }
    return connection
  }

  private func checkOpen() throws {
    if closing.withLock({ $0 }) != nil { throw StorageFailure.closed }
  }

  /// Refuses those who wait, waits for the units of work that have begun, and closes all connections.
  func close() async {
    let task = closing.withLock { closing in
      // A task of its own, so that closing goes on where its caller is cancelled.
      let task = closing ?? Task { await self.shutDown() }
      closing = task
      return task
    }
    await task.value
  }

  private func shutDown() async {
    connections.refuseWaiting(StorageFailure.closed)
    var taken: [ServerConnection<Target>] = []
    while taken.count < size, let connection = try? await connections.take() {
      await connection.disconnect()
      taken.append(connection)
    }
    for connection in taken { connections.giveBack(connection) }
  }
}

extension StorageFailure {
  fileprivate static let closed = StorageFailure.unavailable(
    mayHaveCommitted: false, detail: "the store is closed")
  fileprivate static let waitedTooLong = StorageFailure.unavailable(
    mayHaveCommitted: false, detail: "no connection became free in time")
}
