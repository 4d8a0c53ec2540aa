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
      return try await rows(session.choose(ListStatement.findMemberships.one), account + [id])
    }
    return try await rows(
      session.several(.findMemberships), account + [ids.value(session.connection.dialect)])
  }

  func insert(_ membership: Membership) async throws -> Membership {
    var row = try membership.storable()
    row.id = row.id ?? RowID.membership()
    return try await rows(.insertMembership, [.text(row.compoundID), .name(row.id)] + row.columns)
      .first ?? row
  }

  func update(_ membership: Membership, previous: Membership) async throws -> Membership {
    let row = try membership.storable()
    let stored = try await rows(
      .updateMembership,
      [.text(row.compoundID), .text(RowID.membership())] + row.columns
        + [.text(previous.compoundID)])
    guard let stored = stored.first else { throw StorageFailure.conflict }
    return stored
  }

  func delete(compoundID: String) async throws {
    guard StoredText.fits(compoundID, .accountID) else { return }
    try await session.run(.deleteMembership, [.text(compoundID)])
  }

  func snapshot(_ membership: Membership, reason: SnapshotReason, now: Date) async throws {
    let row = try membership.storable()
    try StoredText.check("reason", reason.rawValue, .other)
    try await session.run(
      .recordSnapshot,
      [.text(RowID.snapshot()), .text(reason.rawValue), .seconds(now)]
        + row.snapshotColumns)
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
