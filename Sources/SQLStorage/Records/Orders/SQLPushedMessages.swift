internal import PurchaseStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLPushedMessages: PushedMessageRepository {
  let session: SQLSession

  func record(_ messageID: String, now: Date) async throws -> Bool {
    try await session.execute(
      .recordPushedMessage, [.text(messageID), .milliseconds(now)]) == 1
  }

  func isRecorded(_ messageID: String) async throws -> Bool {
    try await !session.query(.findPushedMessage, [.text(messageID)]).isEmpty
  }

  func remove(before: Date, limit: Int) async throws -> Int {
    guard limit > 0 else { return 0 }
    return try await session.execute(
      session.choose(.removePushedMessages), [.milliseconds(before), .number(limit)])
  }
}

extension SQLStatement {
  static let recordPushedMessage = SQLInsertion(
    "INSERT INTO google_push_messages (message_id, created_ms) VALUES ($1, $2)", key: "message_id"
  ).keepingStored("pushed_message_record")

  static let findPushedMessage = SQLStatement(
    "pushed_message_find", "SELECT message_id FROM google_push_messages WHERE message_id = $1")
}

extension LockableStatement {
  static let removePushedMessages = LockableStatement(
    "pushed_message_remove", .delete(from: "google_push_messages"), where: "message_id",
    in: """
      SELECT message_id FROM google_push_messages WHERE created_ms < $1
      ORDER BY created_ms, message_id LIMIT $2
      """, lock: "FOR UPDATE SKIP LOCKED")
}
