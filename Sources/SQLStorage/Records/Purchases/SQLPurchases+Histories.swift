internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// Revisions of histories, and the walks over all purchases and receipts.
extension SQLPurchases {
  func revision(
    of originalTransactionID: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) async throws -> HistoryRevision? {
    let key = key(originalTransactionID, environment, kind)
    guard let row = try await session.query(.findRevision, key).first else { return nil }
    var reader = SQLRowReader(row)
    return HistoryRevision(
      originalTransactionID: originalTransactionID, environment: environment, kind: kind,
      revision: reader.name(), asOf: reader.milliseconds() ?? .distantPast)
  }

  func put(_ revision: HistoryRevision) async throws {
    let key = key(revision.originalTransactionID, revision.environment, revision.kind)
    try await session.run(
      .putRevision, key + [.text(revision.revision ?? ""), .milliseconds(revision.asOf)])
  }

  func removeRevision(
    of originalTransactionID: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) async throws {
    try await session.run(.removeRevision, key(originalTransactionID, environment, kind))
  }

  private func key(
    _ id: String, _ environment: AppStoreEnvironment, _ kind: HistoryRevision.Kind
  ) -> [SQLValue] {
    [.text(id), .environment(environment), .text(kind.rawValue)]
  }

  func purchases(after cursor: ReceiptCursor?, limit: Int) async throws -> [ReceiptCursor] {
    // A row for each transaction, so that an index gives the order, whatever the planner thinks of grouping.
    let rows = try await session.query(
      .listPurchases, key(after: cursor) + [.number(max(0, limit))])
    return rows.reduce(into: []) { keys, row in
      var reader = SQLRowReader(row)
      let key = ReceiptCursor(
        originalTransactionID: reader.text(), environment: reader.environment())
      if keys.last != key { keys.append(key) }
    }
  }

  private func key(after cursor: ReceiptCursor?) -> [SQLValue] {
    cursor.map { [.text($0.originalTransactionID), .environment($0.environment)] }
      ?? [.text(""), .text("")]
  }

  func receipts(after cursor: ReceiptCursor?, limit: Int) async throws -> [StoredReceipt] {
    let rows = try await session.query(
      session.choose(SQLStatement.listReceipts),
      key(after: cursor) + [.number(max(0, limit))])
    return rows.map { row in
      var reader = SQLRowReader(row)
      return StoredReceipt(
        originalTransactionID: reader.text(), environment: reader.environment(),
        receipt: reader.text(), asOf: Self.stamp(&reader))
    }
  }
}

// The moves of purchases from account to account.
extension SQLPurchases {
  func record(_ transfer: PurchaseTransfer) async throws {
    try await session.run(
      .recordTransfer,
      [
        .text(transfer.originalTransactionID), .environment(transfer.environment),
        .name(transfer.previousOwner), .name(transfer.owner), .text(transfer.capability.rawValue),
        .milliseconds(transfer.date),
      ])
  }

  func transfers(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws -> [PurchaseTransfer] {
    try await session.query(
      .transfers, [.text(originalTransactionID), .environment(environment)]
    ).map { row in
      var reader = SQLRowReader(row)
      return PurchaseTransfer(
        environment: environment, originalTransactionID: originalTransactionID,
        from: AccountID(stored: reader.text()), to: AccountID(stored: reader.text()),
        by: StoreCapability(rawValue: reader.text()), date: Self.stamp(&reader))
    }
  }
}

extension SQLStatement {
  static let recordTransfer = SQLStatement(
    "transfer_record",
    """
    INSERT INTO purchase_transfer
      (original_transaction_id, environment, previous_owner, owner, capability, transferred_ms)
    VALUES ($1, $2, $3, $4, $5, $6)
    """)

  static let transfers = SQLStatement(
    "transfers",
    """
    SELECT previous_owner, owner, capability, transferred_ms FROM purchase_transfer
    WHERE original_transaction_id = $1 AND '' || environment = $2 ORDER BY id
    """)

  static let findRevision = SQLStatement(
    "revision_find",
    """
    SELECT revision, as_of_ms FROM apple_history_revision
    WHERE original_transaction_id = $1 AND environment = $2 AND kind = $3
    """)

  static let putRevision = SQLInsertion(
    """
    INSERT INTO apple_history_revision
      (original_transaction_id, environment, kind, revision, as_of_ms)
    VALUES ($1, $2, $3, $4, $5)
    """, key: "original_transaction_id, environment, kind"
  ).changingStored(
    "revision_put", [.overwriting("revision"), .overwriting("as_of_ms")],
    where: "excluded.as_of_ms >= apple_history_revision.as_of_ms")

  static let removeRevision = SQLStatement(
    "revision_remove",
    """
    DELETE FROM apple_history_revision
    WHERE original_transaction_id = $1 AND environment = $2 AND kind = $3
    """)

  // The first column is compared by itself, because MariaDB looks no pair up by an index.
  static let listPurchases = SQLStatement(
    "purchase_list",
    """
    SELECT original_transaction_id, environment FROM apple_transaction
    WHERE original_transaction_id >= $1 AND (original_transaction_id, environment) > ($1, $2)
    ORDER BY original_transaction_id, environment LIMIT $3
    """)

  static let listReceipts = StampForms("receipt_list") { name, stamps in
    SQLStatement(
      name,
      """
      SELECT r.original_transaction_id, r.environment, r.receipt, r.as_of_ms,
        \(stamps.receipt(of: "r"))
      FROM apple_receipt r
      WHERE r.original_transaction_id >= $1
        AND (r.original_transaction_id, r.environment) > ($1, $2)
      ORDER BY r.original_transaction_id, r.environment LIMIT $3
      """)
  }
}
