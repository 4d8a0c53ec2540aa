import Foundation
import OrderPolicy
import CreditPolicy
import EntitlementPolicy
import PostgresStorage
import PurchaseStorage
import ReceiptModels
import SQLStorage
import Testing

@Suite("Migrations in PostgreSQL", .enabled(if: TestDatabase.isThere))
struct OldDatabaseTests {
  /// A database of an earlier version.
  private func oldDatabase() async throws -> TestDatabase {
    let database = try await TestDatabase()
    let store = try database.store()
    let statements = try OldDatabase.statements(of: "postgres-4.sql")
    try await store.perform(.writing) { connection in
      for sql in statements { try await connection.run(sql) }
    }
    await store.close()
    return database
  }

  /// Columns, constraints and indices, without the name of the schema.
  private func schema(_ database: TestDatabase) async throws -> [SQLRow] {
    let store = try database.store()
    let rows = try await store.perform(.reading) { connection in
      let columns = try await connection.run(
        """
        SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), CAST(data_type AS TEXT),
          CAST(collation_name AS TEXT), CAST(is_nullable AS TEXT), CAST(column_default AS TEXT),
          CAST(identity_generation AS TEXT)
        FROM information_schema.columns WHERE table_schema = $1 ORDER BY 1, ordinal_position
        """, .text(database.name))
      let constraints = try await connection.run(
        """
        SELECT CAST(k.conname AS TEXT), pg_get_constraintdef(k.oid) FROM pg_constraint k
        JOIN pg_namespace n ON n.oid = k.connamespace WHERE n.nspname = $1 ORDER BY 1
        """, .text(database.name))
      let indices = try await connection.run(
        """
        SELECT replace(indexdef, CAST($1 AS TEXT), '') FROM pg_indexes WHERE schemaname = $1
        ORDER BY indexname
        """, .text(database.name))
      return columns + constraints + indices
    }
    await store.close()
    return rows
  }

  @Test(
    "a database of the single list of migrations gets the columns, keys and indices of a new one")
  func sameSchema() async throws {
    let old = try await oldDatabase()
    try await PostgresStore(connection: old.connection, configuration: TestDatabase.patient).close()
    let new = try await TestDatabase()
    try await PostgresStore(connection: new.connection, configuration: TestDatabase.patient).close()
    let expected = try await schema(new)
    #expect(try await schema(old) == expected)
    #expect(expected.count > 100)
  }

  @Test("a database of the single list of migrations keeps its rows, and they work")
  func oldRows() async throws {
    let database = try await oldDatabase()
    let store = try await PostgresStore(
      connection: database.connection, configuration: TestDatabase.patient)
    try await OldDatabase.expectRows(in: store)
    try await OldDatabase.expectWork(in: store)
    await store.close()
  }

  @Test("a database with subscriptions keeps and guards them, also if it is opened without")
  func openedWithout() async throws {
    let database = try await oldDatabase()
    let store = try await PostgresStore(
      connection: database.connection, capabilities: [], configuration: TestDatabase.patient)
    try await OldDatabase.expectRows(in: store)
    try await OldDatabase.expectWork(in: store)
    await store.close()
  }

  @Test("a database without subscriptions has none of their tables, and says so")
  func withoutSubscriptions() async throws {
    let database = try await TestDatabase()
    let store = try await PostgresStore(
      connection: database.connection, capabilities: [], configuration: TestDatabase.patient)
    let tables = try await store.perform(.reading) {
      try await $0.run(
        """
        SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = $1 ORDER BY tablename
        """, .text(database.name))
    }
    let expected = [
      "apple_consumption_request", "apple_history_revision", "apple_pending_renewal",
      "apple_receipt", "apple_renewal_set", "apple_transaction", "apple_undecoded",
      "apple_verification_session", "apple_webhook", "event_reader", "host_event", "job_place",
      "money_change", "money_source", "money_sum", "outbox", "purchase_transfer", "retention_lease",
      "storekeeper_migration", "support_act",
    ]
    #expect(tables == expected.map { [.text($0)] })
    await #expect(
      throws: StorageFailure.capabilityMissing("subscriptions")
    ) { try await store.read { _ = try await $0.storedSubscriptions.find(["1"]) } }
    await store.close()
  }

  @Test("orders of an earlier version get the environment that Apple's purchase keys begin with")
  func orderEnvironments() async throws {
    let database = try await TestDatabase()
    let rows = [
      ("ann", "apple", "production:1"), ("ben", "apple", "sandbox:2"), ("cem", "google", "ab12"),
    ]
    let old = try await PostgresStore(
      connection: database.connection, capabilities: [.orders], configuration: TestDatabase.patient)
    try await old.perform(.writing) { connection in
      try await connection.run("ALTER TABLE user_subscriptions DROP COLUMN environment")
      try await connection.run("DROP INDEX user_subscriptions_level")
      try await connection.run("DELETE FROM storekeeper_migration WHERE number IN (12, 15)")
      for (user, vendor, key) in rows {
        try await connection.run(
          "INSERT INTO user_subscriptions VALUES ('\(user)', 'Pro', '\(vendor)', '\(key)', '-', 1, 1)"
        )
      }
    }
    await old.close()
    let store = try await PostgresStore(
      connection: database.connection, capabilities: [.orders], configuration: TestDatabase.patient)
    var environments: [AppStoreEnvironment?] = []
    for (user, _, _) in rows {
      environments.append(
        try await store.read {
          try await $0.orderedSubscriptions.find(AccountID(opaque: user))?.environment
        })
    }
    #expect(environments == [.production, .sandbox, .production])
    await store.close()
  }

  private func tables(_ database: TestDatabase, _ store: PostgresStore) async throws -> Set<String>
  {
    let rows = try await store.perform(.reading) {
      try await $0.run(
        "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = $1",
        .text(database.name))
    }
    return Set(rows.compactMap { if case .text(let name)? = $0.first { name } else { nil } })
  }

  private func book(_ amount: Int, in store: PostgresStore) async throws -> BookingResult {
    let booking = LedgerBooking(
      userID: "buyer", eventID: "event-\(amount)",
      changeType: LedgerBooking.ChangeType(rawValue: "bonus"), subjectType: "campaign",
      subjectID: "7",
      amount: amount)
    return try await store.write {
      try await $0.creditLedger.book(booking, now: Date(timeIntervalSince1970: 0))
    }
  }

  @Test("a database with credits alone has their tables, and none of subscriptions")
  func creditsAlone() async throws {
    let database = try await TestDatabase()
    let small = try await PostgresStore(
      connection: database.connection, capabilities: [], configuration: TestDatabase.patient)
    let common = try await tables(database, small)
    await #expect(
      throws: StorageFailure.capabilityMissing("credits")
    ) { try await book(60, in: small) }
    await small.close()
    let store = try await PostgresStore(
      connection: database.connection, capabilities: [.credits],
      configuration: TestDatabase.patient)
    #expect(
      try await tables(database, store).subtracting(common) == [
        "apple_iap_transactions", "credit_ledger", "credit_account", "register_bonus_claims",
        "apple_notifications",
      ])
    _ = try await book(60, in: store)
    #expect(try await store.read { try await $0.creditLedger.balance(of: "buyer") } == 60)
    await #expect(
      throws: StorageFailure.capabilityMissing("subscriptions")
    ) { try await store.read { _ = try await $0.storedSubscriptions.find(["1"]) } }
    await #expect(throws: StorageFailure.self) {
      try await store.perform(.writing) {
        try await $0.run("UPDATE credit_account SET balance = -1")
      }
    }
    await store.close()
  }

  @Test("a database with entitlements alone has their tables, and refuses others until it has them")
  func entitlementsAlone() async throws {
    let database = try await TestDatabase()
    let plain = try await PostgresStore(
      connection: database.connection, capabilities: [], configuration: TestDatabase.patient)
    let common = try await tables(database, plain)
    await #expect(
      throws: StorageFailure.capabilityMissing("entitlements")
    ) { try await plain.read { _ = try await $0.holdings(of: "ann", in: ["app"]) } }
    await plain.close()
    let store = try await PostgresStore(
      connection: database.connection, capabilities: [.entitlements],
      configuration: TestDatabase.patient)
    #expect(
      try await tables(database, store).subtracting(common) == [
        "store_associations", "store_association_conflicts", "store_acquired", "store_validation",
        "store_unanswered",
      ])
    let product = AcquiredProduct(
      productID: "frames", acquiredDate: Date(timeIntervalSince1970: 0), viaProductID: "full")
    _ = try await store.write {
      try await $0.acquisitions.add([product], to: "ann", in: "app")
    }
    await #expect(
      throws: StorageFailure.capabilityMissing("credits")
    ) { try await store.read { try await $0.creditLedger.balance(of: "buyer") } }
    await store.close()
    let again = try await PostgresStore(
      connection: database.connection, configuration: TestDatabase.patient)
    let rows = try await again.read { try await $0.holdings(of: "ann", in: ["app"]) }
    #expect(rows.acquired == [product])
    await again.close()
  }

  @Test("a database of the single list of migrations gains credits, and keeps its rows")
  func gainedCredits() async throws {
    let database = try await oldDatabase()
    let old = try await PostgresStore(
      connection: database.connection, capabilities: [], configuration: TestDatabase.patient)
    #expect(try await !tables(database, old).contains("credit_ledger"))
    await old.close()
    let store = try await PostgresStore(
      connection: database.connection, capabilities: [.credits],
      configuration: TestDatabase.patient)
    try await OldDatabase.expectRows(in: store)
    _ = try await book(60, in: store)
    #expect(try await store.read { try await $0.creditLedger.balance(of: "buyer") } == 60)
    await store.close()
  }
}
