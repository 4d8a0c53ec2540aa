import Foundation
import PurchaseStorage
import ReceiptModels
import SQLStorage
import Testing

#if MARIADB
  import MariaDBStorage
#else
  import PostgresStorage
#endif

/// Contract on linking, section 4.6: what did not change is not written.
@Suite("Unchanged rows on a server", .enabled(if: TestDatabase.isThere))
struct UnchangedRowTests {
  private let now = Date(timeIntervalSince1970: 1_605_340_800)

  @Test("of a second verification with 1,000 transactions none is written, nor the receipt")
  func verifiedTwice() async throws {
    let store = try await storeWithSubscription()
    #expect(try await store.rowsWritten { try await verify(store, at: 1) } == 1001)
    #expect(try await store.rowsWritten { try await verify(store, at: 2) } == 0)
    let now = now
    let stamps = try await store.read { records in
      Set(
        try await records.purchases.transactions(of: ["1"], environment: .production)
          .map(\.signedDate))
    }
    #expect(stamps == [now + 2])
    // One that did change is one row.
    #expect(try await store.rowsWritten { try await verify(store, at: 3, changing: 500) } == 1)
    await store.close()
  }

  @Test("nor is one of them locked")
  func locked() async throws {
    let store = try await storeWithSubscription()
    try await verify(store, at: 1)
    let (records, receipt) = (records(at: 2), receipt(at: 2))
    let now = now
    try await store.write { unit in
      try await unit.purchases.record(transactions: records, environment: .production, now: now)
      try await unit.purchases.put(receipt, now: now)
      for (table, count) in [("apple_transaction", 1000), ("apple_receipt", 1)] {
        let free = try await store.perform(.writing) {
          try await $0.run(
            "SELECT original_transaction_id FROM \(table) FOR UPDATE SKIP LOCKED")
        }
        #expect(free.count == count, "\(table)")
      }
    }
    await store.close()
  }

  private func storeWithSubscription() async throws -> TestStore {
    let store = try await TestDatabase().store()
    try await store.migrate()
    let now = now
    let subscription = Subscription(
      environment: .production, originalTransactionID: "1", lastTransactionID: "1",
      productID: "com.example.reader.monthly", purchaseDate: now, expiresDate: now,
      tier: .standard, cycle: .month, autoRenewal: true)
    try await store.write {
      try await $0.storedSubscriptions.save(subscription, asOf: now, now: now)
    }
    return store
  }

  private func records(at seconds: Double, changing changed: Int? = nil) -> [PurchaseRecord] {
    (1...1000).map { number in
      var record = PurchaseRecord(
        transactionID: "\(1000 + number)", originalTransactionID: "1",
        productID: "com.example.reader.monthly")
      record.expiresDate = now + Double(number) * 86_400
      record.signedDate = now + seconds
      if number == changed { record.cancellationDate = now }
      return record
    }
  }

  private func receipt(at seconds: Double) -> StoredReceipt {
    StoredReceipt(
      originalTransactionID: "1", environment: .production,
      receipt: String(repeating: "QUJD", count: 25_000), asOf: now + seconds)
  }

  private func verify(
    _ store: TestStore, at seconds: Double, changing changed: Int? = nil
  ) async throws {
    let (records, receipt) = (records(at: seconds, changing: changed), receipt(at: seconds))
    let now = now
    try await store.write { unit in
      try await unit.purchases.record(transactions: records, environment: .production, now: now)
      try await unit.purchases.put(receipt, now: now)
    }
  }
}

extension TestStore {
  #if MARIADB
    /// The number of times that rows of transactions and receipts were written meanwhile.
    fileprivate func rowsWritten(_ work: () async throws -> Void) async throws -> Int {
      try await perform(.reading) { try await $0.run("SET GLOBAL userstat = 1") }
      let before = try await writes()
      try await work()
      return try await writes() - before
    }

    private func writes() async throws -> Int {
      let rows = try await perform(.reading) {
        try await $0.run(
          """
          SELECT CAST(COALESCE(SUM(rows_changed), 0) AS SIGNED)
          FROM information_schema.table_statistics
          WHERE table_schema = DATABASE() AND table_name IN ('apple_transaction', 'apple_receipt')
          """)
      }
      guard case .integer(let count)? = rows.first?.first else { return 0 }
      return Int(count)
    }
  #else
    /// The number of rows of transactions and receipts that were written, or locked, meanwhile.
    fileprivate func rowsWritten(_ work: () async throws -> Void) async throws -> Int {
      let before = try await versions()
      try await work()
      let after = try await versions()
      // None of them is removed.
      #expect(after.count >= before.count)
      return after.subtracting(before).count
    }

    /// The place of each row, and the transactions that wrote and locked it.
    private func versions() async throws -> Set<SQLRow> {
      try await perform(.reading) { connection in
        Set(
          try await connection.run(
            """
            SELECT transaction_id, ctid::text, xmin::text, xmax::text FROM apple_transaction
            UNION ALL SELECT 'receipt', ctid::text, xmin::text, xmax::text FROM apple_receipt
            """))
      }
    }
  #endif
}
