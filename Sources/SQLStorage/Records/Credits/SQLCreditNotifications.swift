internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLCreditNotifications: CreditNotificationRepository {
  let session: SQLSession

  func record(_ notification: CreditNotification) async throws -> Bool {
    try await session.execute(
      .recordCreditNotification, SQLColumns.creditNotification.values(of: notification)) > 0
  }

  func find(uuid: String) async throws -> CreditNotification? {
    try await session.query(.findCreditNotification, [.text(uuid)])
      .first.map(CreditNotification.init(row:))
  }
}

extension CreditNotification {
  /// Reads a row of ``SQLColumns/creditNotification``.
  fileprivate init(row: SQLRow) throws {
    guard let outcome = row.last?.name.flatMap(NoticeOutcome.init(rawValue:)) else {
      throw StorageFailure.database(code: 0, detail: "a notification of an unknown outcome")
    }
    self = SQLColumns.creditNotification.row(row)
    self.outcome = outcome
  }
}

extension SQLColumns<CreditNotification> {
  /// The columns of `apple_notifications`.
  static let creditNotification = SQLColumns(
    CreditNotification(
      uuid: "", type: "", environment: .production, signedDate: StoredMoment.date(seconds: 0),
      outcome: .pending, processedDate: StoredMoment.date(seconds: 0))
  ) { row, column in
    column.text("notification_uuid", &row.uuid)
    column.text("type", &row.type)
    column.name("subtype", &row.subtype)
    column.verbatim("environment", &row.environment)
    column.name("transaction_id", &row.transactionID)
    column.milliseconds("signed_at", &row.signedDate)
    column.milliseconds("processed_at", &row.processedDate)
    // Last, because a text that is no outcome is an error.
    column("outcome", .text(row.outcome.rawValue)) { _ in }
  }
}

extension SQLStatement {
  static let recordCreditNotification = SQLInsertion(
    SQLColumns.creditNotification.insertion(into: "apple_notifications"), key: "notification_uuid"
  ).keepingStored("credit_notification_record")

  static let findCreditNotification = SQLStatement(
    "credit_notification_find",
    """
    SELECT \(SQLColumns.creditNotification.list) FROM apple_notifications
    WHERE notification_uuid = $1
    """)
}
