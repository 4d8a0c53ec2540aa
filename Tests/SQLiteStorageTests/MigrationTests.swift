import Foundation
import OrderPolicy
import EntitlementPolicy
import PurchaseStorage
import ReceiptModels
import SQLStorage
import SQLiteStorage
import StorekeeperTesting
import Testing

@Suite("Migrations in SQLite")
struct MigrationTests {
  /// A file of an earlier version.
  private func withOldFile(
    _ body: nonisolated(nonsending) (_ path: String) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { path in
      do {
        let connection = try otherConnection(path)
        for sql in try OldDatabase.statements(of: "sqlite-4.sql") { try connection.run(sql) }
      }
      try await body(path)
    }
  }

  /// Tables and indices, with the SQL that makes each.
  private func schema(_ path: String) throws -> SQLValue {
    try otherConnection(path).value(
      """
      SELECT group_concat(line, char(10)) FROM (
        SELECT type || ' ' || name || ' ' || coalesce(sql, '') AS line FROM sqlite_schema
        ORDER BY type, name)
      """)
  }

  @Test("a file of the single list of migrations gets the tables, columns and indices of a new one")
  func sameSchema() async throws {
    try await withOldFile { old in
      try await SQLiteStore(path: old).close()
      try await withTemporaryFolder { new in
        try await SQLiteStore(path: new).close()
        #expect(try schema(old) == schema(new))
      }
      let sql = """
        SELECT group_concat(capability || number || ' ' || applied_utc, ',') FROM (
          SELECT * FROM storekeeper_migration WHERE number <= 4 ORDER BY capability, number)
        """
      let date = "1605340800"
      #expect(
        try otherConnection(old).value(sql)
          == .text(
            "purchases1 \(date),purchases3 \(date),purchases4 \(date),"
              + "subscriptions1 \(date),subscriptions2 \(date),subscriptions3 \(date)"))
    }
  }

  @Test("a file of the single list of migrations keeps its rows, and they work")
  func oldRows() async throws {
    try await withOldFile { path in
      let store = try await SQLiteStore(path: path)
      try await OldDatabase.expectRows(in: store)
      try await OldDatabase.expectWork(in: store)
      try await store.close()
    }
  }

  @Test("a file of the second of these migrations gets the rest")
  func halfway() async throws {
    try await withOldFile { path in
      for sql in [
        "DROP TABLE apple_undecoded", "DROP TABLE retention_lease",
        "DROP INDEX apple_webhook_created_utc", "DROP INDEX member_snapshot_created_utc",
        "DROP INDEX apple_verification_session_created_utc",
        "DELETE FROM storekeeper_migration WHERE number > 2",
      ] { try otherConnection(path).run(sql) }
      try await SQLiteStore(path: path).close()
      try await withTemporaryFolder { new in
        try await SQLiteStore(path: new).close()
        #expect(try schema(path) == schema(new))
      }
    }
  }

  @Test("a file of the single list that has seen a later migration is refused")
  func laterInOldTable() async throws {
    try await withOldFile { path in
      try otherConnection(path).run("INSERT INTO storekeeper_migration VALUES (5, 'later', 0)")
      await #expect(throws: StorageFailure.newerSchema(5)) { try await SQLiteStore(path: path) }
    }
  }

  @Test("a file with subscriptions keeps and guards them, also if it is opened without")
  func openedWithout() async throws {
    try await withOldFile { path in
      let store = try await SQLiteStore(path: path, capabilities: [])
      try await OldDatabase.expectRows(in: store)
      try await OldDatabase.expectWork(in: store)
      try await store.close()
    }
  }

  @Test("a file without subscriptions has none of their tables, and says so")
  func withoutSubscriptions() async throws {
    try await withTemporaryFolder { path in
      let store = try await SQLiteStore(path: path, capabilities: [])
      let tables = try otherConnection(path).value(
        "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE type = 'table' "
          + "AND name NOT LIKE 'sqlite_%' ORDER BY name)")
      #expect(
        tables
          == .text(
            "apple_consumption_request,apple_history_revision,apple_pending_renewal,apple_receipt,apple_renewal_set,apple_transaction,apple_undecoded,"
              + "apple_verification_session,apple_webhook,event_reader,host_event,job_place,money_change,money_source,money_sum,outbox,purchase_transfer,retention_lease,"
              + "storekeeper_migration,support_act"))
      let failure = StorageFailure.capabilityMissing("subscriptions")
      await #expect(throws: failure) { try await store.save("1") }
      try await store.close()
    }
  }

  @Test("subscriptions are added to a file, and its purchases stay")
  func addedSubscriptions() async throws {
    try await withTemporaryFolder { path in
      let receipt = StoredReceipt(
        originalTransactionID: "1", environment: .production, receipt: "QUJD", asOf: now)
      let small = try await SQLiteStore(path: path, capabilities: [])
      try await small.write { try await $0.purchases.put(receipt, now: now) }
      try await small.close()
      let store = try await SQLiteStore(path: path)
      try await store.save("1")
      let found = try await store.read {
        try await $0.purchases.receipt(of: "1", environment: .production)
      }
      #expect(found == receipt)
      try await store.close()
    }
  }

  @Test("orders of an earlier version get the environment that Apple's purchase keys begin with")
  func orderEnvironments() async throws {
    try await withTemporaryFolder { path in
      try await SQLiteStore(path: path, capabilities: [.orders]).close()
      do {
        let connection = try otherConnection(path)
        try connection.run("DROP INDEX user_subscriptions_level")
        try connection.run("ALTER TABLE user_subscriptions DROP COLUMN environment")
        try connection.run("DELETE FROM storekeeper_migration WHERE number IN (12, 15)")
        for (user, vendor, key) in Self.oldOrders {
          try connection.run(
            "INSERT INTO user_subscriptions VALUES ('\(user)', 'Pro', '\(vendor)', '\(key)', '-', 1, 1)"
          )
        }
      }
      let store = try await SQLiteStore(path: path, capabilities: [.orders])
      var rows: [OrderedSubscription] = []
      for (user, _, _) in Self.oldOrders {
        let row = try await store.read {
          try await $0.orderedSubscriptions.find(AccountID(stored: user))
        }
        rows.append(try #require(row))
      }
      #expect(rows.map(\.environment) == [.production, .sandbox, .production])
      #expect(rows.map(\.purchaseKey.identifier) == ["1", "2", "ab12"])
      // What is written has the texts of the earlier version.
      let saved = rows
      try await store.write { records in
        for row in saved {
          try await records.orderedSubscriptions.save(row)
          _ = try await records.subscriptionClaims.claim(row.purchaseKey, for: row.userID)
        }
      }
      let written: [SQLRow] = Self.oldOrders.map { [.text($0.1), .text($0.2)] }
      for table in ["user_subscriptions", "subscription_claims"] {
        let texts = try otherConnection(path).query(
          SQLStatement(
            "texts_\(table)", "SELECT vendor, purchase_key FROM \(table) ORDER BY user_id"), [])
        #expect(texts == written)
      }
      try await store.close()
    }
  }

  @Test("of an earlier version, what has neither entry nor receipt is a renewal that nobody told")
  func untoldRenewals() async throws {
    try await withTemporaryFolder { path in
      let old = try await SQLiteStore(path: path)
      try await old.save("1", "2", "3")
      try otherConnection(path).run("UPDATE apple_subscription SET auto_renewal = 0")
      try await old.write { records in
        var entry = RenewalRecord(originalTransactionID: "2")
        entry.productID = "com.example.standard.month"
        try await records.purchases.replace(
          renewals: [entry], of: "2", environment: .production, asOf: now, now: now)
        try await records.purchases.put(
          StoredReceipt(
            originalTransactionID: "3", environment: .production, receipt: "QUJD", asOf: now),
          now: now)
      }
      try await old.close()
      do {
        let connection = try otherConnection(path)
        for sql in [
          "DROP INDEX apple_subscription_due",
          "ALTER TABLE apple_subscription DROP COLUMN renewal_told",
          "CREATE INDEX apple_subscription_due ON apple_subscription (expires_date_utc)",
          "DELETE FROM storekeeper_migration WHERE number = 13",
        ] { try connection.run(sql) }
      }
      try await SQLiteStore(path: path).close()
      #expect(
        try otherConnection(path).value(
          """
          SELECT group_concat(renewal_told) FROM (
            SELECT renewal_told FROM apple_subscription ORDER BY original_transaction_id)
          """) == .text("0,1,1"))
    }
  }

  private static let oldOrders = [
    ("ann", "apple", "production:1"), ("ben", "apple", "sandbox:2"), ("cem", "google", "ab12"),
  ]

  private func tables(_ path: String) throws -> Set<String> {
    let rows = try otherConnection(path).query(
      SQLStatement(
        "tables",
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"), [])
    return Set(rows.compactMap { if case .text(let name)? = $0.first { name } else { nil } })
  }

  @Test("a file with credits alone has their tables, and none of subscriptions")
  func creditsAlone() async throws {
    try await withTemporaryFolder { path in
      try await SQLiteStore(path: path, capabilities: []).close()
      let common = try tables(path)
      let store = try await SQLiteStore(path: path, capabilities: [.credits])
      #expect(
        try tables(path).subtracting(common) == [
          "apple_iap_transactions", "credit_ledger", "credit_account", "register_bonus_claims",
          "apple_notifications",
        ])
      #expect(try await store.book(60) == 60)
      await #expect(
        throws: StorageFailure.capabilityMissing("subscriptions")
      ) { try await store.save("1") }
      try await store.close()
    }
  }

  @Test("a file without credits refuses them")
  func withoutCredits() async throws {
    try await withTemporaryFolder { path in
      let store = try await SQLiteStore(path: path, capabilities: [.subscriptions])
      #expect(try !tables(path).contains("credit_ledger"))
      let failure = StorageFailure.capabilityMissing("credits")
      await #expect(throws: failure) { try await store.book(60) }
      await #expect(throws: failure) {
        try await store.read { try await $0.starterClaims.find(identity: "ann") }
      }
      try await store.save("1")
      try await store.close()
    }
  }

  @Test("a failure that was noted for a user becomes one of each purchase of the user in that app")
  func failuresByPurchase() async throws {
    try await withTemporaryFolder { path in
      let earlier = SQLCapability(
        name: SQLCapability.entitlements.name,
        migrations: SQLCapability.entitlements.migrations.filter { $0.number < 10 })
      try await SQLiteStore(path: path, capabilities: [earlier]).close()
      try otherConnection(path).run(
        """
        INSERT INTO store_associations VALUES
          ('Production', '1', 'ann', 'draw', 0, 'receipt'), ('Sandbox', '2', 'ann', 'draw', 0, 'receipt'),
          ('Production', '3', 'ann', 'paint', 0, 'receipt'), ('Production', '4', 'ben', 'draw', 0, 'receipt')
        """)
      try otherConnection(path).run(
        """
        INSERT INTO store_validation (user_id, bundle_id, first_failure_at) VALUES
          ('ann', 'draw', 7000), ('ann', 'paint', NULL), ('ben', 'draw', NULL)
        """)
      let store = try await SQLiteStore(path: path, capabilities: [.entitlements])
      #expect(
        try otherConnection(path).value(
          "SELECT group_concat(original_transaction_id || environment || first_failure_at) "
            + "FROM (SELECT * FROM store_unanswered ORDER BY 1)")
          == .text("1Production7000,2Sandbox7000"))
      try await store.close()
    }
  }

  @Test("a file with entitlements alone has their tables and views, and none of other capabilities")
  func entitlementsAlone() async throws {
    try await withTemporaryFolder { path in
      try await SQLiteStore(path: path, capabilities: []).close()
      let common = try tables(path)
      let store = try await SQLiteStore(path: path, capabilities: [.entitlements])
      #expect(
        try tables(path).subtracting(common) == [
          "store_associations", "store_association_conflicts", "store_acquired",
          "store_validation", "store_unanswered",
        ])
      #expect(
        try otherConnection(path).value(
          "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY 1)"
        )
          == .text("store_purchases,store_subscriptions"))
      try await store.associate("1")
      await #expect(
        throws: StorageFailure.capabilityMissing("credits")
      ) { try await store.book(60) }
      try await store.close()
      let again = try await SQLiteStore(path: path)
      #expect(try await again.owner(of: "1") == "ann")
      try await again.save("1")
      try await again.close()
    }
  }

  @Test("a file without entitlements refuses them")
  func withoutEntitlements() async throws {
    try await withTemporaryFolder { path in
      let store = try await SQLiteStore(path: path)
      #expect(try !tables(path).contains("store_associations"))
      let failure = StorageFailure.capabilityMissing("entitlements")
      await #expect(throws: failure) { try await store.associate("1") }
      await #expect(throws: failure) { try await store.owner(of: "1") }
      await #expect(throws: failure) {
        try await store.read { _ = try await $0.holdings(of: "ann", in: ["app"]) }
      }
      await #expect(throws: failure) {
        try await store.read { try await $0.acquisitions.products(of: "ann", in: "app") }
      }
      await #expect(throws: failure) {
        try await store.read { try await $0.validations.find("ann", bundleID: "app") }
      }
      try await store.save("1")
      try await store.close()
    }
  }

  @Test("a file of the single list of migrations gains entitlements, and keeps its rows")
  func gainedEntitlements() async throws {
    try await withOldFile { path in
      let store = try await SQLiteStore(path: path, capabilities: [.entitlements])
      try await OldDatabase.expectRows(in: store)
      try await store.associate("1")
      try await store.close()
      let again = try await SQLiteStore(path: path, capabilities: [])
      #expect(try await again.owner(of: "1") == "ann")
      try await OldDatabase.expectWork(in: again)
      try await again.close()
    }
  }

  @Test("a file of the single list of migrations gains credits, and keeps its rows")
  func gainedCredits() async throws {
    try await withOldFile { path in
      try await SQLiteStore(path: path, capabilities: []).close()
      #expect(try !tables(path).contains("credit_ledger"))
      let store = try await SQLiteStore(path: path, capabilities: [.credits])
      try await OldDatabase.expectRows(in: store)
      #expect(try await store.book(60) == 60)
      try await store.close()
      let again = try await SQLiteStore(path: path, capabilities: [])
      #expect(try await again.book(-20) == 40)
      try await again.close()
    }
  }

  @Test("a balance below 0 is refused by the table itself")
  func checkedBalance() async throws {
    try await withStore { store, path in
      let before = try await store.book(60)
      #expect(before == 60)
      #expect(throws: SQLFailure.self) {
        try otherConnection(path).run("UPDATE credit_account SET balance = balance - 61")
      }
      let after = try await store.book(-60)
      #expect(after == 0)
    }
  }
}
