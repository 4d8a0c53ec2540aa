internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLMemberships: MembershipRepository {
  let session: SQLSession

  func find(account: Account?, appleSubscriptionIDs: [String]) async throws -> [Membership] {
    let calls = calls(account: account, appleSubscriptionIDs: appleSubscriptionIDs)
    return try await memberships(asked: calls, try await session.query(calls))
  }

  /// Returns the queries for the rows; none if no row can match.
  ///
  /// A unit of work that locks queries twice: while a statement waits for a lock, another row may begin
  /// to match. Only a later statement finds that row; its key is enough to detect it.
  func calls(account: Account?, appleSubscriptionIDs: [String]) -> [SQLCall] {
    guard account != nil || !appleSubscriptionIDs.isEmpty else { return [] }
    let dialect = session.connection.dialect
    let isOne = appleSubscriptionIDs.count < 2
    let values =
      [account.map { .name($0.primaryID) }, account?.secondID.map { .name($0) }]
      .compactMap(\.self)
      + (isOne
        ? [.name(appleSubscriptionIDs.first)]
        : ListStatement.values(appleSubscriptionIDs, dialect))
    let find = MembershipStatements.finding(account)
    let (rows, keys) =
      isOne
      ? (find.rows.one, find.keys.one)
      : (
        find.rows.several(dialect, appleSubscriptionIDs),
        find.keys.several(dialect, appleSubscriptionIDs)
      )
    let statements = session.locks ? [rows.locking, keys.plain] : [rows.plain]
    return statements.map { SQLCall($0, values) }
  }

  /// Returns the rows of the answers, queried again until all matching rows are locked.
  func memberships<Answers: Collection<[SQLRow]>>(
    asked calls: [SQLCall], _ answers: Answers
  ) async throws -> [Membership] {
    var answers = Array(answers)
    guard session.locks else { return answers.joined().map(Membership.init(row:)) }
    for _ in 0..<Self.lockingRounds {
      let found = answers.popLast() ?? []
      let locked = answers.joined()
      // The first column is the key.
      if Set(locked.map(\.first)) == Set(found.map(\.first)) {
        // A row that was waited for may have changed, and with it its place in the order.
        return locked.map(Membership.init(row:)).sorted {
          $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
        }
      }
      answers = try await session.ask(calls)
    }
    throw StorageFailure.conflict
  }

  private static let lockingRounds = 4

  func insert(_ membership: Membership) async throws -> Membership {
    var row = membership
    row.id = row.id ?? RowID.membership()
    let values = row.row(id: row.id)
    try await session.run(.insertMembership, values)
    return Membership(row: values)
  }

  func update(_ membership: Membership, previous: Membership) async throws -> Membership {
    let kept = KeptColumns(of: membership, after: previous)
    let row = membership.row(id: RowID.membership())
    let values = row + [.text(previous.key), .number(kept.rawValue)]
    let stored: [SQLRow]
    if session.connection.dialect == .mariadb {
      let count = try await session.execute(.updateMembership, values)
      stored = count > 0 ? try await session.query(.updatedMembership, [row[0]]) : []
    } else {
      stored = try await session.query(.updateMembership, values)
    }
    guard let stored = stored.first else { throw StorageFailure.conflict }
    return Membership(row: stored)
  }

  func delete(_ membership: Membership) async throws {
    guard try await session.execute(.deleteMembership, [.text(membership.key)]) > 0 else {
      throw StorageFailure.conflict
    }
  }

  func snapshot(_ membership: Membership, reason: SnapshotReason, now: Date) async throws {
    try await session.run(
      .recordSnapshot,
      SQLColumns.membership.values(
        of: membership,
        after: [
          .text(RowID.snapshot()), .text(reason.rawValue), .seconds(now),
          .name(membership.accountID),
        ], and: .text(membership.key)))
  }

  func recordDispute(
    originalTransactionID: String, account: Account, now: Date
  ) async throws {
    try await record(.recordDispute, originalTransactionID, account.id, now)
  }

  func recordUnlink(
    originalTransactionID: String, accountID: AccountID, now: Date
  ) async throws {
    try await record(.recordUnlink, originalTransactionID, accountID, now)
  }

  func removeSnapshots(before: Date, limit: Int) async throws -> Int {
    try await session.remove(.removeSnapshots, before, limit)
  }

  private func record(
    _ statement: SQLStatement, _ originalTransactionID: String, _ accountID: AccountID, _ now: Date
  ) async throws {
    try await session.run(
      statement, [.text(originalTransactionID), .name(accountID), .seconds(now)])
  }
}
