import Foundation
import LinkPolicy
import MariaDBStorage
import PurchaseStorage
import ReceiptModels
import SQLStorage
import Testing

@Suite("Tables in several databases of MariaDB", .timeLimit(.minutes(30)))
struct PlacedTableTests {
  @Test(
    "names of tables get that of their database, and nothing else does",
    arguments: [
      ("SELECT a.x FROM item a", "SELECT a.x FROM \"one\".item a"),
      ("UPDATE item SET x = item.x", "UPDATE \"one\".item SET x = \"one\".item.x"),
      ("SELECT 'item', \"item\" FROM items", "SELECT 'item', \"item\" FROM items"),
      ("SELECT other.item FROM item_x", "SELECT other.item FROM item_x"),
      ("SELECT 1 FROM storekeeper_migration", "SELECT 1 FROM storekeeper_migration"),
      ("SELECT 'it''s item' FROM item", "SELECT 'it''s item' FROM \"one\".item"),
    ])
  func qualified(sql: String, expected: String) {
    let places = TablePlaces(["item": "one", "storekeeper_migration": "one"])
    #expect(places.qualified(sql) == expected)
  }

  @Test(
    "two databases are adopted beside a third, which gets all tables of our own",
    .enabled(if: TestDatabase.isThere))
  func threeDatabases() async throws {
    let (own, premium, files) = try await (TestDatabase(), TestDatabase(), TestDatabase())
    try await premium.prepare(
      [NewspaperTables.subscriptions, NewspaperTables.memberships, NewspaperTables.snapshots]
        + NewspaperTables.subscriptionRows + NewspaperTables.membershipRows
        + NewspaperTables.otherRows.prefix(1))
    try await files.prepare([NewspaperTables.receipts, NewspaperTables.otherRows[1]])
    let store = try await own.openPlaced([
      "apple_subscription": premium.name, "ftc_vip": premium.name,
      "member_snapshot": premium.name, "apple_receipt": files.name,
    ])
    try await expectWork(in: store)
    await store.close()
    #expect(try await premium.rows("SHOW TABLES").count == 3)
    #expect(try await files.rows("SHOW TABLES").count == 1)
    #expect(
      try await own.rows("SHOW TABLES LIKE 'ftc_vip'") + own.rows("SHOW TABLES LIKE 'outbox'")
        == ["outbox"])
    let members = try await premium.rows(
      "SELECT vip_type, note FROM ftc_vip WHERE vip_id = 'union-2'")
    #expect(members == ["100 paid at the fair"])
    #expect(try await files.rows("SELECT receipt FROM apple_receipt") == ["bmV3ZXI="])
  }

  private func expectWork(in store: MariaDBStore) async throws {
    let date = Date(timeIntervalSince1970: 1_900_000_000)
    try await store.write { records in
      let found = try await records.storedSubscriptions.find(["1001", "1002"])
      #expect(found.map(\.subscription.isInUse) == [true, false])
      var renewed = try #require(found.first).subscription
      renewed.expiresDate = date
      try await records.storedSubscriptions.save(renewed, asOf: date, now: date)
      try await records.storedSubscriptions.setOwner("reader-6", of: "1002", now: date)
      let old = try #require(
        try await records.memberships.find(account: nil, appleSubscriptionIDs: ["1001"]).first)
      var new = old
      new.expireDate = CalendarDay(date)
      _ = try await records.memberships.update(new, previous: old)
      try await records.memberships.snapshot(old, reason: .link, now: date)
      try await records.purchases.put(
        StoredReceipt(
          originalTransactionID: "1001", environment: .production, receipt: "bmV3ZXI=",
          asOf: date), now: date)
    }
    try await store.read { records in
      let list = try await records.storedSubscriptions.list(owner: "reader-1", offset: 0, limit: 9)
      #expect(list.subscriptions.map(\.expiresDate) == [date])
      #expect(list.subscriptions.map(\.isInUse) == [true])
      let history = try await records.memberships.history(of: .subscription("1001"), limit: 9)
      #expect(history.count == 2)
    }
    let leases = try await store.write { records in
      try await records.refreshes.lease(
        RefreshLeaseRequest(
          now: date, horizon: date + 1, oldest: Date(timeIntervalSince1970: 0), limit: 10,
          token: "worker", until: date + 60))
    }
    #expect(leases.map(\.originalTransactionID) == ["1002", "1001"])
    var stranger = Membership()
    stranger.primaryID = "reader-3"
    let duplicate = stranger
    await #expect(throws: StorageFailure.duplicate(.accountID)) {
      try await store.write { _ = try await $0.memberships.insert(duplicate) }
    }
  }

  @Test(
    "a table of another database is refused by its differences too",
    .enabled(if: TestDatabase.isThere))
  func refusal() async throws {
    let (own, premium) = try await (TestDatabase(), TestDatabase())
    try await premium.prepare(["CREATE TABLE ftc_vip (vip_id VARCHAR(10))"])
    do {
      let store = try await own.openPlaced(["ftc_vip": premium.name], existing: .refuse)
      await store.close()
      Issue.record("it was not refused")
    } catch let refusal as UnsuitableTables {
      #expect(refusal.differences.contains(TableDifference("ftc_vip", .missingColumn("id"))))
    }
    #expect(try await own.rows("SHOW TABLES").isEmpty)
  }

  @Test(
    "a database that is named too late, in vain or for a table that nobody has is told",
    .enabled(if: TestDatabase.isThere))
  func namedTooLate() async throws {
    let (own, premium, files) = try await (TestDatabase(), TestDatabase(), TestDatabase())
    try await premium.prepare([NewspaperTables.subscriptions])
    func differences(_ databases: [String: String]) async throws -> [TableDifference] {
      let refusal = await #expect(throws: UnsuitableTables.self) {
        try await own.openPlaced(databases).close()
      }
      return refusal?.differences ?? []
    }
    #expect(
      try await differences(["apple_subscriptions": premium.name])
        == [TableDifference("apple_subscriptions", .unknownName)])
    try await own.open(capabilities: SQLCapability.standard).close()
    #expect(
      try await differences(["apple_subscription": premium.name]).contains(
        TableDifference("apple_subscription", .missingColumn("as_of_ms"))))
    #expect(
      try await differences(["apple_receipt": files.name])
        == [TableDifference("apple_receipt", .notInDatabase(files.name))])
  }
}

extension TestDatabase {
  fileprivate func openPlaced(
    _ databases: [String: String], existing: ExistingTables = .adopt
  ) async throws -> MariaDBStore {
    var configuration = Self.patient
    configuration.existingTables = existing
    configuration.databases = databases
    configuration.connectionLimit = 4
    return try await MariaDBStore(url: url, configuration: configuration)
  }
}
