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
    try StoredText.check("token", request.token, .token)
    guard request.limit > 0 else { return [] }
    try await session.wake(.wakeSubscriptions, now: request.now, atLeast: request.limit)
    let rows = try await due(request)
    try await session.execute(
      .grantRefreshLease,
      each: rows.map { [$0[0], $0[1], .text(request.token), .seconds(request.until)] })
    try await session.execute(
      .holdSubscription, each: rows.map { [$0[0], .seconds(request.until)] })
    return rows.map { RefreshLease(row: $0, token: request.token) }
  }

  /// Those that expire before the horizon, then those in billing retry beyond it.
  private func due(_ request: RefreshLeaseRequest) async throws -> [SQLRow] {
    let oldest = SQLValue.number(StoredMoment.secondsRoundedUp(request.oldest))
    let values = [oldest, .seconds(request.horizon), .seconds(request.now)]
    let rows = try await session.query(
      session.choose(.dueSubscriptions), values + [.number(request.limit)])
    guard rows.count < request.limit else { return rows }
    return rows
      + (try await session.query(
        session.choose(.dueRetries), values + [.number(request.limit - rows.count)]))
  }

  func finish(
    _ lease: RefreshLease, failures: Int, nextTry: Date, error: String?
  ) async throws -> Bool {
    try StoredText.check("error", error, .other)
    try await lockSubscription(of: lease)
    let count = try await session.execute(
      .finishRefresh,
      [
        .text(lease.originalTransactionID), .text(lease.token), .number(failures),
        .seconds(nextTry), .name(error),
      ])
    guard count > 0 else { return false }
    try await session.run(
      .holdSubscription, [.text(lease.originalTransactionID), .seconds(nextTry)])
    return true
  }

  func giveBack(_ lease: RefreshLease) async throws {
    try await lockSubscription(of: lease)
    let count = try await session.execute(
      .giveBackRefresh, [.text(lease.originalTransactionID), .text(lease.token)])
    guard count > 0 else { return }
    try await session.run(.holdSubscription, [.text(lease.originalTransactionID), .null])
  }

  /// Locks the subscription before the lease, in the order of ``lease(_:)``: two that lock in opposite
  /// order would wait for each other.
  private func lockSubscription(of lease: RefreshLease) async throws {
    guard session.connection.dialect == .postgres else { return }
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
