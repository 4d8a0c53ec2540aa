import Foundation
import PurchaseStorage
import ReceiptModels
import SQLStorage
import SQLiteStorage
import Testing

/// Contract on linking, section 4.6: what did not change is not written.
@Suite("Unchanged rows in SQLite")
struct UnchangedRowTests {
  @Test("of a second verification with 1,000 transactions none is written, nor the receipt")
  func verifiedTwice() async throws {
    try await withStore { store, path in
      try await store.save("1")
      let other = try otherConnection(path)
      try await verify(store, at: 1)
      for (table, change) in [
        ("apple_transaction", "INSERT"), ("apple_transaction", "UPDATE"),
        ("apple_transaction", "DELETE"), ("apple_receipt", "UPDATE"), ("apple_receipt", "DELETE"),
      ] {
        try other.run(
          """
          CREATE TRIGGER count_\(table)_\(change) AFTER \(change) ON \(table)
          BEGIN INSERT INTO touched VALUES (1); END
          """, before: "CREATE TABLE IF NOT EXISTS touched (number INTEGER)")
      }
      try await verify(store, at: 2)
      #expect(try other.value("SELECT COUNT(*) FROM touched") == .integer(0))
      let stamps = try await store.read { records in
        Set(
          try await records.purchases.transactions(of: ["1"], environment: .production)
            .map(\.signedDate))
      }
      #expect(stamps == [now + 2])
      let receipt = try await store.read {
        try await $0.purchases.receipt(of: "1", environment: .production)
      }
      #expect(receipt?.asOf == now + 2)
      // One that did change is one row.
      try await verify(store, at: 3, changing: 500)
      #expect(try other.value("SELECT COUNT(*) FROM touched") == .integer(1))
    }
  }

  private func verify(
    _ store: SQLiteStore, at seconds: Double, changing changed: Int? = nil
  ) async throws {
    let records = (1...1000).map { number in
      var record = PurchaseRecord(
        transactionID: "\(1000 + number)", originalTransactionID: "1",
        productID: "com.example.reader.monthly")
      record.expiresDate = now + Double(number) * day
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

extension SQLiteConnection {
  fileprivate func run(_ sql: String, before first: String) throws {
    try run(first)
    try run(sql)
  }
}
