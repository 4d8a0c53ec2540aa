import Foundation
import PostgresStorage
import PurchaseStorage
import ReceiptModels
import SQLStorage
import Testing

/// Contract on linking, section 4.6: what did not change is not written.
@Suite("Unchanged rows in PostgreSQL", .enabled(if: TestDatabase.isThere))
struct UnchangedRowTests {
  private let now = Date(timeIntervalSince1970: 1_605_340_800)

  @Test(
    "of a second verification with 1,000 transactions none is written or locked, nor the receipt")
  func verifiedTwice() async throws {
    let now = now
    let database = try await TestDatabase()
    let store = try database.store(connections: 1)
    try await store.migrate()
    let subscription = Subscription(
      environment: .production, originalTransactionID: "1", lastTransactionID: "1",
      productID: "com.example.reader.monthly", purchaseDate: now, expiresDate: now,
      tier: .standard, cycle: .month, autoRenewal: true)
    try await store.write {
      try await $0.storedSubscriptions.save(subscription, asOf: now, now: now)
    }
    try await verify(store, at: 1)
    let before = try await versions(in: store)
    #expect(before.count == 1001)
    try await verify(store, at: 2)
    #expect(try await versions(in: store) == before)
    let stamps = try await store.read { records in
      Set(
        try await records.purchases.transactions(of: ["1"], environment: .production)
          .map(\.signedDate))
    }
    #expect(stamps == [now + 2])
    // One that did change is one row.
    try await verify(store, at: 3, changing: 500)
    let after = try await versions(in: store)
    #expect(after.subtracting(before).count == 1)
    await store.close()
  }

  /// The place of each row, and the transactions that wrote and locked it.
  private func versions(in store: PostgresStore) async throws -> Set<SQLRow> {
    try await store.perform(.reading) { connection in
      Set(
        try await connection.run(
          """
          SELECT transaction_id, ctid::text, xmin::text, xmax::text FROM apple_transaction
          UNION ALL SELECT 'receipt', ctid::text, xmin::text, xmax::text FROM apple_receipt
          """))
    }
  }

  private func verify(
    _ store: PostgresStore, at seconds: Double, changing changed: Int? = nil
  ) async throws {
    let now = now
    let records = (1...1000).map { number in
      var record = PurchaseRecord(
        transactionID: "\(1000 + number)", originalTransactionID: "1",
        productID: "com.example.reader.monthly")
      record.expiresDate = now + Double(number) * 86_400
      record.signedDate = now + seconds
      if number == changed { record.cancellationDate = now }
      return record
    }
    let receipt = StoredReceipt(
      originalTransactionID: "1", environment: .production,
      receipt: String(repeating: "QUJD", count: 25_000), asOf: now + seconds)
    try await store.write { unit in
      try await unit.purchases.record(transactions: records, environment: .production, now: now)
      try await unit.purchases.put(receipt, now: now)
    }
  }
}
