internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLRefreshes: RefreshRepository {
  let session: SQLSession

  func lease(_ request: RefreshLeaseRequest) async throws -> [RefreshLease] {
    guard request.limit > 0 else { return [] }
    try await session.wake(.wakeSubscriptions, now: request.now, atLeast: request.limit)
    var leases: [RefreshLease] = []
    while leases.count < request.limit {
      let found = try await due(request, limit: request.limit - leases.count)
      let granted = try await grant(found, request)
      leases += granted
      // Rows that another worker leased meanwhile are found leased by the next query.
      if granted.count == found.count { break }
    }
    return leases
  }

  /// Leases the rows that no other worker has leased since the query.
  private func grant(
    _ leases: [RefreshLease], _ request: RefreshLeaseRequest
  ) async throws -> [RefreshLease] {
    guard !leases.isEmpty else { return [] }
    let dialect = session.connection.dialect
    let rows = try await session.query(
      .grantRefreshLeases(dialect),
      [
        SQLTextList(leases.map(\.originalTransactionID)).value(dialect),
        .text(request.token), .seconds(request.until), .seconds(request.now),
      ])
    let granted = Set(rows.filter { $0.last == .text(request.token) }.compactMap(\.first))
    return leases.filter { granted.contains(.text($0.originalTransactionID)) }
  }

  /// Returns the rows that expire before the horizon, then those in billing retry beyond it.
  private func due(_ request: RefreshLeaseRequest, limit: Int) async throws -> [RefreshLease] {
    let soon = try await due(.dueSubscriptions, request, limit: limit)
    guard soon.count < limit else { return soon }
    return soon + (try await due(.dueRetries, request, limit: limit - soon.count))
  }

  private func due(
    _ statement: LockableStatement, _ request: RefreshLeaseRequest, limit: Int
  ) async throws -> [RefreshLease] {
    let oldest = SQLValue.number(StoredMoment.secondsRoundedUp(request.oldest))
    return try await session.query(
      session.choose(statement),
      [oldest, .seconds(request.horizon), .seconds(request.now), .number(limit)]
    )
    .map { RefreshLease(row: $0, token: request.token) }
    // Another program may have written other texts, which no record can be kept for.
    .filter { TransactionIDs.areStorable($0.originalTransactionID) }
  }

  func finish(
    _ lease: RefreshLease, failures: Int, nextTry: Date, error: String?
  ) async throws -> Bool {
    guard try await end(lease) else { return false }
    let id = SQLValue.text(lease.originalTransactionID)
    try await session.run(
      .noteRefresh,
      [
        id, .environment(lease.environment), .number(failures), .seconds(nextTry), .name(error),
      ])
    try await session.run(.holdSubscription, [id, .seconds(nextTry), .number(failures)])
    return true
  }

  func giveBack(_ lease: RefreshLease) async throws {
    _ = try await end(lease)
  }

  /// Returns whether this token still held the lease.
  private func end(_ lease: RefreshLease) async throws -> Bool {
    try await lockSubscription(of: lease)
    return try await session.execute(
      .endRefreshLease, [.text(lease.originalTransactionID), .text(lease.token)]) > 0
  }

  /// Locks the subscription before the lease, in the order of ``lease(_:)``: two that lock in opposite
  /// order would wait for each other.
  private func lockSubscription(of lease: RefreshLease) async throws {
    guard session.locks else { return }
    try await session.run(.lockSubscription, [.text(lease.originalTransactionID)])
  }

  func beginRun(now: Date) async throws -> Int {
    try await session.query(.beginRun, [.seconds(now)]).first?.first?.number ?? 0
  }

  func endRun(_ number: Int, succeeded: Int, failed: Int, now: Date) async throws {
    try await session.run(
      .endRun,
      [
        .number(number), .number(succeeded + failed), .number(succeeded), .number(failed),
        .seconds(now),
      ])
  }

  func runs(limit: Int) async throws -> [RefreshRun] {
    try await session.query(.findRuns, [.number(max(0, limit))]).map(RefreshRun.init(row:))
  }
}

extension RefreshLease {
  fileprivate init(row: SQLRow, token: String) {
    var reader = SQLRowReader(row)
    self.init(
      originalTransactionID: reader.text(), environment: reader.environment(),
      failures: reader.number() ?? 0, token: token)
    let end = reader.seconds()
    // It is due although it does not renew, so nobody has told.
    if reader.flag() == false { untoldEnd = end }
  }
}

extension RefreshRun {
  fileprivate init(row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(
      number: reader.number() ?? 0, succeeded: reader.number() ?? 0,
      failed: reader.number() ?? 0, startDate: reader.seconds() ?? .distantPast,
      endDate: reader.seconds())
  }
}
