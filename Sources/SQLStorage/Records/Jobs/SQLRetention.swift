internal import PurchaseStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLRetention: RetentionRepository {
  let session: SQLSession

  func lease(
    _ kind: RetainedKind, now: Date, until: Date, token: String
  ) async throws -> Bool {
    try await session.execute(
      .leaseRemoval, [.text(kind.rawValue), .text(token), .seconds(until), .seconds(now)]) > 0
  }

  func giveBack(_ kind: RetainedKind, token: String) async throws {
    try await session.run(.endRemoval, [.text(kind.rawValue), .text(token)])
  }

  func removeNotifications(before: Date, limit: Int) async throws -> Int {
    try await session.remove(.removeNotifications, before, limit)
  }

  func removeSessions(before: Date, limit: Int) async throws -> Int {
    try await session.remove(.removeSessions, before, limit)
  }

  func removeConsumptionCases(before: Date, limit: Int) async throws -> Int {
    guard limit > 0 else { return 0 }
    return try await session.execute(
      session.choose(.removeConsumptionCases), [.milliseconds(before), .number(limit)])
  }
}

extension SQLSession {
  /// Removes rows that are older than a moment, at most `limit`.
  func remove(
    _ statement: LockableStatement, _ before: Date, _ limit: Int
  ) async throws -> Int {
    guard limit > 0 else { return 0 }
    return try await execute(
      choose(statement),
      [.number(StoredMoment.secondsRoundedUp(before)), .number(limit)])
  }
}

extension LockableStatement {
  static let removeNotifications = removal("webhook_remove", "apple_webhook", "notification_key")
  static let removeSnapshots = removal("snapshot_remove", "member_snapshot", "number")
  // PostgreSQL might join a key of several columns with the whole table, so it goes by where the rows
  // are.
  static let removeSessions = removal(
    "session_remove", "apple_verification_session",
    "(environment, original_transaction_id, transaction_id, request_date_ms)", place: "ctid")

  static let removeConsumptionCases = LockableStatement(
    "consumption_remove", .delete(from: "apple_consumption_request"), where: "notification_key",
    in: """
      SELECT notification_key FROM apple_consumption_request
      WHERE requested_ms < $1 AND state <> 'waiting' ORDER BY requested_ms LIMIT $2
      """,
    lock: "FOR UPDATE SKIP LOCKED")

  private static func removal(
    _ name: String, _ table: String, _ key: String, place: String? = nil
  ) -> LockableStatement {
    func statement(_ key: String) -> LockableStatement {
      let columns = key.filter { !"()".contains($0) }
      return LockableStatement(
        name, .delete(from: table), where: key,
        in: "SELECT \(columns) FROM \(table) WHERE created_utc < $1 ORDER BY created_utc LIMIT $2",
        lock: "FOR UPDATE SKIP LOCKED")
    }
    return LockableStatement(
      plain: statement(key).plain,
      locking: SQLStatement(
        name + "_locking", statement(place ?? key).locking.sql,
        mariadb: statement(key.filter { !"()".contains($0) }).locking.text(.mariadb)))
  }
}

extension SQLStatement {
  static let leaseRemoval = SQLInsertion(
    "INSERT INTO retention_lease (kind, token, until_utc) VALUES ($1, $2, $3)", key: "kind"
  ).changingStored(
    "retention_lease", [.overwriting("token"), .overwriting("until_utc")],
    where: "retention_lease.until_utc <= $4")

  static let endRemoval = SQLStatement(
    "retention_end", "DELETE FROM retention_lease WHERE kind = $1 AND token = $2")
}
