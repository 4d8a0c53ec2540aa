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
    let ids = SQLIdentifierList(appleSubscriptionIDs)
    let account: [SQLValue] = [.name(account?.ftcID), .name(account?.unionID)]
    guard ids.ids.count > 1 else {
      let id = SQLValue.name(ids.ids.first)
      guard account != [.null, .null] || id != .null else { return [] }
      return try await rows(ListStatement.findMemberships.one, account + [id])
    }
    let dialect = session.connection.dialect
    return try await rows(
      ListStatement.findMemberships.several(dialect), account + [ids.value(dialect)])
  }

  /// Locks the rows and reads them again, until all that are found are locked (contract on linking,
  /// section 2.1).
  ///
  /// While a statement waits for a lock, a row may move to another key, and then it does not find it;
  /// the next statement does.
  private func rows(
    _ statement: LockableStatement, _ values: [SQLValue]
  ) async throws -> [Membership] {
    guard session.locks else { return try await rows(statement.plain, values) }
    var locked: Set<String> = []
    for _ in 0..<Self.lockingRounds {
      locked.formUnion(try await rows(statement.locking, values).map(\.key))
      let found = try await rows(statement.plain, values)
      if locked.isSuperset(of: found.map(\.key)) { return found }
    }
    throw StorageFailure.conflict
  }

  private static let lockingRounds = 4

  func insert(_ membership: Membership) async throws -> Membership {
    var row = try membership.storable()
    row.id = row.id ?? RowID.membership()
    return try await rows(.insertMembership, [.text(row.compoundID), .name(row.id)] + row.columns)
      .first ?? row
  }

  func update(_ membership: Membership, previous: Membership) async throws -> Membership {
    let row = try membership.storable(replacing: previous)
    let kept = KeptColumns(of: row, after: previous)
    let stored = try await rows(
      .updateMembership,
      [.text(row.compoundID), .text(RowID.membership())] + row.columns
        + [.text(previous.key), .number(kept.rawValue)])
    guard let stored = stored.first else { throw StorageFailure.conflict }
    return stored
  }

  func delete(_ membership: Membership) async throws {
    guard StoredText.fits(membership.key, .other),
      try await session.execute(.deleteMembership, [.text(membership.key)]) > 0
    else { throw StorageFailure.conflict }
  }

  func snapshot(_ membership: Membership, reason: SnapshotReason, now: Date) async throws {
    let row = try membership.storable(replacing: membership)
    try StoredText.check("reason", reason.rawValue, .other)
    try await session.run(
      .recordSnapshot,
      [.text(RowID.snapshot()), .text(reason.rawValue), .seconds(now)]
        + row.snapshotColumns + [.text(row.key)])
  }

  func recordDispute(
    originalTransactionID: String, account: Account, now: Date
  ) async throws {
    try await record(.recordDispute, originalTransactionID, account.compoundID, now)
  }

  func recordUnlink(
    originalTransactionID: String, ftcID: String, now: Date
  ) async throws {
    try await record(.recordUnlink, originalTransactionID, ftcID, now)
  }

  private func record(
    _ statement: SQLStatement, _ originalTransactionID: String, _ compoundID: String, _ now: Date
  ) async throws {
    try StoredText.check("originalTransactionID", originalTransactionID, .transactionID)
    try StoredText.check("compoundID", compoundID, .accountID)
    try await session.run(
      statement, [.text(originalTransactionID), .text(compoundID), .seconds(now)])
  }

  private func rows(_ statement: SQLStatement, _ values: [SQLValue]) async throws -> [Membership] {
    try await session.query(statement, values).map(Membership.init(row:))
  }
}
