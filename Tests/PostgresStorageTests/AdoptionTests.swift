import CreditPolicy
import Foundation
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import SQLStorage
import Testing

#if MARIADB
  import MariaDBStorage
#else
  import PostgresStorage
#endif

@Suite("The newspaper's own tables", .enabled(if: TestDatabase.isThere), .timeLimit(.minutes(30)))
struct AdoptionTests {
  /// A database with the tables and some rows.
  private func database(
    _ tables: [String] = NewspaperTables.all, rows: [String] = NewspaperTables.rows
  ) async throws -> TestDatabase {
    let database = try await TestDatabase()
    try await database.prepare(tables + rows)
    return database
  }

  /// The differences with which a store is refused.
  private func differences(
    _ database: TestDatabase, _ existing: ExistingTables = .adopt
  ) async throws -> Set<TableDifference> {
    do {
      let store = try await database.open(capabilities: SQLCapability.all, existing: existing)
      await store.close()
      return []
    } catch let refusal as UnsuitableTables {
      return Set(refusal.differences)
    }
  }

  // MARK: Refusal

  @Test("are refused unless they are adopted, with each difference, and nothing is changed")
  func refusal() async throws {
    let database = try await database()
    let before = try await database.shape()
    let differences = try await differences(database, .refuse)
    #expect(
      differences.isSuperset(of: [
        TableDifference("apple_subscription", .missingColumn("as_of_ms")),
        TableDifference("ftc_vip", .refusesNull(column: "auto_renewal")),
        TableDifference("member_snapshot", .missingColumn("number")),
        TableDifference("register_bonus_claims", .missingKey(columns: ["email_identity"])),
        TableDifference("apple_subscription", .allowsNull(column: "auto_renewal")),
      ]))
    let others = differences.compactMap { difference in
      if case .otherType(let column, _, _) = difference.kind {
        "\(difference.table).\(column)"
      } else {
        nil
      }
    }
    #expect(
      Set(others).isSuperset(of: [
        "apple_subscription.expires_date_utc", "apple_subscription.auto_renewal",
        "ftc_vip.expire_date", "ftc_vip.expire_time", "apple_receipt.created_utc",
      ]))
    #expect(try await database.shape() == before)
    let rows = try await database.rows("SELECT COUNT(*) FROM ftc_vip")
    #expect(rows == ["6"])
  }

  @Test("that cannot be adopted are refused with the reason, and nothing is changed")
  func obstacles() async throws {
    let database = try await database(
      [
        "CREATE TABLE apple_subscription (original_transaction_id VARCHAR(20), environment VARCHAR(20))",
        "INSERT INTO apple_subscription VALUES ('1', 'sandbox'), ('1', 'sandbox'), (NULL, 'sandbox')",
        """
        CREATE TABLE apple_receipt (original_transaction_id VARCHAR(20) NOT NULL,
          environment VARCHAR(20) NOT NULL, receipt VARCHAR(20) NOT NULL,
          created_utc VARCHAR(20) NOT NULL, host VARCHAR(20) NOT NULL,
          UNIQUE (environment, original_transaction_id))
        """,
        "CREATE VIEW ftc_vip AS SELECT 1 AS vip_id",
      ], rows: [])
    let before = try await database.shape()
    let differences = try await differences(database)
    #expect(
      differences.isSuperset(of: [
        TableDifference("apple_subscription", .missingColumn("product_id")),
        TableDifference("apple_subscription", .hasNull(column: "original_transaction_id")),
        TableDifference("apple_subscription", .duplicates(columns: ["original_transaction_id"])),
        TableDifference("apple_receipt", .needsValue(column: "host")),
        TableDifference("ftc_vip", .noTable),
      ]))
    #expect(
      differences.contains { difference in
        if case .otherType("created_utc", _, "bigint") = difference.kind {
          difference.table == "apple_receipt"
        } else {
          false
        }
      })
    #expect(try await database.shape() == before)
  }

  #if MARIADB
    @Test("are refused with an engine that takes nothing back")
    func engine() async throws {
      let database = try await database(
        NewspaperTables.all + ["ALTER TABLE apple_receipt ENGINE=MyISAM"], rows: [])
      let refused = TableDifference("apple_receipt", .otherEngine("MyISAM"))
      #expect(try await differences(database) == [refused])
      #expect(try await differences(database, .refuse).contains(refused))
    }

    @Test("are refused unless the user sees whether they have triggers")
    func hiddenTriggers() async throws {
      let database = try await database(rows: [])
      let user = "'u\(database.name.suffix(20))'@'localhost'"
      let rights = "SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX"
      try await database.prepare([
        "CREATE USER \(user) IDENTIFIED BY 'adopter'",
        "GRANT \(rights) ON \(database.name).* TO \(user)",
      ])
      let url = database.url.replacing(
        "//storekeeper@", with: "//u\(database.name.suffix(20)):adopter@")
      var configuration = TestDatabase.patient
      configuration.existingTables = .adopt
      let refusal = await #expect(throws: UnsuitableTables.self) {
        try await MariaDBStore(url: url, configuration: configuration)
      }
      let differences = refusal?.differences ?? []
      #expect(differences.contains(TableDifference("ftc_vip", .triggersNotShown)))
      #expect(differences.allSatisfy { $0.kind == .triggersNotShown })
      try await database.prepare(["GRANT TRIGGER ON \(database.name).* TO \(user)"])
      try await MariaDBStore(url: url, configuration: configuration).close()
      try await database.prepare(["DROP USER \(user)"])
    }
  #endif

  @Test("are refused with a foreign key of theirs, one that leads to them, or a trigger")
  func bonds() async throws {
    #if MARIADB
      let trigger = [
        "CREATE TRIGGER stamped BEFORE INSERT ON apple_receipt FOR EACH ROW SET @a = 1"
      ]
    #else
      let trigger = [
        "CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        """
        CREATE TRIGGER stamped BEFORE INSERT ON apple_receipt
        FOR EACH ROW EXECUTE FUNCTION stamp()
        """,
      ]
    #endif
    let database = try await database(
      NewspaperTables.all
        + [
          "CREATE TABLE reader (id VARCHAR(36) PRIMARY KEY) \(NewspaperTables.end)",
          """
          ALTER TABLE apple_subscription ADD CONSTRAINT bought
            FOREIGN KEY (ftc_user_id) REFERENCES reader (id)
          """,
          """
          CREATE TABLE note (subscription VARCHAR(128), CONSTRAINT noted
            FOREIGN KEY (subscription) REFERENCES apple_subscription (original_transaction_id)) \(NewspaperTables.end)
          """,
        ] + trigger, rows: [])
    let before = try await database.shape()
    #expect(
      try await differences(database) == [
        TableDifference("apple_subscription", .foreignKey("bought")),
        TableDifference("apple_subscription", .foreignKey("noted")),
        TableDifference("apple_receipt", .trigger("stamped")),
      ])
    #expect(try await database.shape() == before)
  }

  @Test(
    "are refused with a later column that means something else, and with another index by a name of ours"
  )
  func laterColumnsAndIndices() async throws {
    #if MARIADB
      let beginnings = "apple_receipt_key ON apple_receipt (original_transaction_id(4))"
    #else
      let beginnings = "apple_receipt_key ON apple_receipt (environment)"
    #endif
    let database = try await database(
      NewspaperTables.all + [
        "ALTER TABLE apple_subscription ADD COLUMN renewal_told VARCHAR(5)",
        "ALTER TABLE apple_subscription ADD COLUMN receipt_as_of_ms DECIMAL(9, 2)",
        "CREATE UNIQUE INDEX apple_subscription_key ON apple_subscription (id, environment)",
        "CREATE UNIQUE INDEX \(beginnings)",
      ], rows: [])
    let before = try await database.shape()
    let differences = try await differences(database)
    let others = differences.compactMap { difference in
      if case .otherType(let column, _, _) = difference.kind { column } else { nil }
    }
    #expect(Set(others) == ["renewal_told", "receipt_as_of_ms"])
    #expect(
      differences.contains(
        TableDifference("apple_subscription", .otherIndex("apple_subscription_key"))))
    #expect(
      differences.contains(TableDifference("apple_receipt", .otherIndex("apple_receipt_key"))))
    #expect(differences.count == 4)
    #expect(try await database.shape() == before)
  }

  @Test("are refused with a column that the database computes")
  func computed() async throws {
    let database = try await database(
      NewspaperTables.all + [
        "ALTER TABLE apple_subscription DROP COLUMN product_id",
        """
        ALTER TABLE apple_subscription ADD COLUMN product_id VARCHAR(128)
          GENERATED ALWAYS AS (last_transaction_id) STORED
        """,
      ], rows: [])
    #expect(
      try await differences(database)
        == [TableDifference("apple_subscription", .computed(column: "product_id"))])
  }

  @Test("get a key of their own beside one that has a column of the host's too")
  func widerKey() async throws {
    let database = try await database(
      [
        NewspaperTables.subscriptions.replacing(", UNIQUE (original_transaction_id)", with: ""),
        "ALTER TABLE apple_subscription ADD COLUMN deleted INT",
        "ALTER TABLE apple_subscription ADD COLUMN alive INT GENERATED ALWAYS AS (deleted) STORED",
        "CREATE UNIQUE INDEX uk ON apple_subscription (original_transaction_id, alive)",
      ], rows: NewspaperTables.subscriptionRows)
    let store = try await database.open(capabilities: SQLCapability.standard, existing: .adopt)
    try await save("1004", to: store)
    await store.close()
    let rows = try await database.rows("SELECT COUNT(*) FROM apple_subscription")
    #expect(rows == ["4"])
    let copy = "INSERT INTO apple_subscription (original_transaction_id, environment, as_of_ms)"
    await #expect(throws: (any Error).self) {
      try await database.prepare([copy + " VALUES ('1004', 'production', 0)"])
    }
  }

  #if MARIADB
    @Test("are refused with a further unique key, by which a row would change another one")
    func furtherKey() async throws {
      let database = try await database(
        NewspaperTables.all
          + [
            "CREATE UNIQUE INDEX one_each ON register_bonus_claims (bonus)",
            "CREATE UNIQUE INDEX beginnings ON apple_subscription (original_transaction_id(10))",
            "CREATE UNIQUE INDEX harmless ON apple_subscription (environment, id)",
          ], rows: [])
      #expect(
        try await differences(database) == [
          TableDifference("register_bonus_claims", .furtherKey("one_each", columns: ["bonus"])),
          TableDifference(
            "apple_subscription",
            .furtherKey("beginnings", columns: ["original_transaction_id"])),
        ])
    }
  #else
    @Test("give numbers of 8 bytes where a sequence of 4 gave ours")
    func wideSequence() async throws {
      let database = try await TestDatabase()
      try await database.open(capabilities: SQLCapability.all).close()
      try await database.prepare([
        "ALTER TABLE polling_log ALTER COLUMN id DROP IDENTITY",
        "ALTER TABLE polling_log ALTER COLUMN id TYPE INT",
        "CREATE SEQUENCE numbers AS INT OWNED BY polling_log.id",
        "ALTER TABLE polling_log ALTER COLUMN id SET DEFAULT nextval('numbers')",
        "SELECT setval('numbers', 2147483647)", "DELETE FROM storekeeper_migration",
      ])
      let store = try await database.open(capabilities: SQLCapability.all, existing: .adopt)
      let number = try await store.write { unit in
        try await unit.refreshes.beginRun(now: Date(timeIntervalSince1970: 1_900_000_000))
      }
      await store.close()
      #expect(number == 2_147_483_648)
    }
  #endif

  @Test(
    "of bonus claims are refused with identities by which nobody would be found",
    arguments: ["Ann@Example.com", " eve@example.com", "eve@example.com\t"])
  func identities(stored: String) async throws {
    let database = try await database(
      rows: [
        """
        INSERT INTO register_bonus_claims (email_identity, has_purchased_starter_pack)
        VALUES ('\(stored)', TRUE)
        """
      ])
    #expect(
      try await differences(database)
        == [TableDifference("register_bonus_claims", .notNormalized(column: "email_identity"))])
    // The second is the identity of a user without an address, which has the capitals of the user's.
    try await database.prepare([
      "UPDATE register_bonus_claims SET email_identity = 'ann@example.com'",
      "INSERT INTO register_bonus_claims (email_identity) VALUES ('user:ogfvwKAb')",
    ])
    #expect(try await differences(database) == [])
  }

  @Test("are refused with a column that is computed from one that changes")
  func computedFrom() async throws {
    #if MARIADB
      let year = "INT GENERATED ALWAYS AS (YEAR(purchase_date_utc)) STORED"
    #else
      let year = "INT GENERATED ALWAYS AS (EXTRACT(YEAR FROM purchase_date_utc)) STORED"
    #endif
    let database = try await database(
      NewspaperTables.all + ["ALTER TABLE apple_subscription ADD COLUMN bought \(year)"])
    let before = try await database.shape()
    #expect(
      try await differences(database) == [
        TableDifference(
          "apple_subscription", .dependent("bought", column: "purchase_date_utc"))
      ])
    #expect(try await database.shape() == before)
  }

  #if MARIADB
    @Test("are refused with a unique key of a moment, whose column is replaced")
    func momentKey() async throws {
      let key = ["original_transaction_id", "expires_date_utc"]
      let database = try await database(
        NewspaperTables.all + [
          "CREATE UNIQUE INDEX periods ON apple_subscription (\(key.joined(separator: ", ")))"
        ], rows: [])
      let before = try await database.shape()
      #expect(
        try await differences(database)
          == [TableDifference("apple_subscription", .furtherKey("periods", columns: key))])
      #expect(try await database.shape() == before)
    }

    @Test("are adopted in the older formats of rows, whose keys are short")
    func rowFormats() async throws {
      let database = try await database()
      try await database.prepare([
        "ALTER TABLE apple_subscription ROW_FORMAT=COMPACT",
        "ALTER TABLE ftc_vip ROW_FORMAT=REDUNDANT",
      ])
      #expect(try await differences(database) == [])
      #expect(try await database.rows("SELECT COUNT(*) FROM ftc_vip") == ["6"])
    }
  #else
    @Test("are refused with a rule, a view of a column that changes, or rows that a crash takes")
    func withoutPromises() async throws {
      let database = try await database(
        NewspaperTables.all + [
          "CREATE RULE ignored AS ON UPDATE TO ftc_vip DO INSTEAD NOTHING",
          "CREATE VIEW shown AS SELECT id, expires_date_utc FROM apple_subscription",
          "ALTER TABLE apple_receipt SET UNLOGGED",
        ], rows: [])
      let expected: Set = [
        TableDifference("ftc_vip", .trigger("ignored")),
        TableDifference("apple_subscription", .dependent("shown", column: "expires_date_utc")),
        TableDifference("apple_subscription", .dependent("shown", column: "id")),
        TableDifference("apple_receipt", .unlogged),
      ]
      let found = try await differences(database)
      #expect(found == expected)
    }

    @Test("are refused with a key that is looked at only when a transaction ends")
    func lateKey() async throws {
      let database = try await database(
        [
          NewspaperTables.subscriptions.replacing(
            "UNIQUE (original_transaction_id)",
            with: "CONSTRAINT late UNIQUE (original_transaction_id) DEFERRABLE")
        ], rows: [])
      #expect(
        try await differences(database) == [
          TableDifference(
            "apple_subscription", .furtherKey("late", columns: ["original_transaction_id"]))
        ])
    }

    @Test("keep what lasts for ever: the last day stands for it")
    func infinity() async throws {
      let database = try await database(
        rows: [
          """
          INSERT INTO ftc_vip (vip_id, ftc_user_id, member_tier, expire_date, payment_method)
          VALUES ('reader-1', 'reader-1', 'standard', 'infinity', 'stripe'),
            ('reader-2', 'reader-2', 'standard', NULL, 'stripe'),
            ('reader-3', 'reader-3', 'standard', '-infinity', 'gift')
          """,
          """
          INSERT INTO apple_subscription (environment, original_transaction_id, expires_date_utc,
            purchase_date_utc)
          VALUES ('production', '1001', 'infinity', '-infinity')
          """,
        ])
      let store = try await database.open(capabilities: SQLCapability.all, existing: .adopt)
      let membership = try await store.read {
        try await $0.memberships.find(account: Account(id: "reader-1"), appleSubscriptionIDs: [])
      }
      #expect(membership.map(\.expireDate) == [CalendarDay("9999-12-31")])
      await store.close()
      #expect(
        try await database.rows("SELECT vip_id, expire_date FROM ftc_vip ORDER BY vip_id") == [
          "reader-1 9999-12-31", "reader-2 -", "reader-3 0001-01-01",
        ])
      // 9999-12-31T23:59:59Z and 0001-01-01T00:00:00Z.
      #expect(
        try await database.rows(
          "SELECT expires_date_utc, purchase_date_utc FROM apple_subscription")
          == ["253402300799 -62135596800"])
    }

    // MARK: Schemas

    /// Opens a store in the first of two schemas, and returns the differences with which it is refused.
    private func differences(
      _ first: TestDatabase, before second: TestDatabase, _ existing: ExistingTables
    ) async throws -> Set<TableDifference> {
      var configuration = TestDatabase.patient
      (configuration.existingTables, configuration.connectionLimit) = (existing, 4)
      let path = first.connection.replacing(first.name, with: "\(first.name),\(second.name)")
      do {
        try await PostgresStore(
          connection: path, capabilities: SQLCapability.all, configuration: configuration
        ).close()
        return []
      } catch let refusal as UnsuitableTables {
        return Set(refusal.differences)
      }
    }

    @Test("are refused in a further schema too, and found there if they are adopted")
    func furtherSchema() async throws {
      let (own, premium) = try await (TestDatabase(), database())
      let before = try await premium.shape()
      let refused = try await differences(own, before: premium, .refuse)
      #expect(
        refused.isSuperset(of: [
          TableDifference("apple_subscription", .otherSchema(premium.name)),
          TableDifference("apple_subscription", .missingColumn("as_of_ms")),
          TableDifference("ftc_vip", .otherSchema(premium.name)),
        ]))
      #expect(try await premium.shape() == before)
      #expect(try await own.shape() == [])
      #expect(try await differences(own, before: premium, .adopt) == [])
      let moments = try await premium.rows(
        "SELECT expires_date_utc FROM apple_subscription ORDER BY id")
      #expect(moments == ["1896134401", "1579911893", "-"])
      for existing in [ExistingTables.adopt, .refuse] {
        #expect(try await differences(own, before: premium, existing) == [])
      }
    }

    @Test("are not adopted behind tables that a store has made before, and that is told")
    func hidden() async throws {
      let (own, premium) = try await (TestDatabase(), database())
      try await own.open(capabilities: SQLCapability.all).close()
      let told = try await differences(own, before: premium, .adopt)
      #expect(
        told
          == Set(
            [
              "apple_subscription", "ftc_vip", "member_snapshot", "apple_receipt",
              "register_bonus_claims",
            ].map { TableDifference($0, .otherSchema(premium.name)) }))
    }

    @Test("of another store in a further schema are left alone, whatever that one has by then")
    func otherStore() async throws {
      let (own, other) = try await (TestDatabase(), TestDatabase())
      try await other.open(capabilities: SQLCapability.all).close()
      #expect(try await differences(own, before: other, .refuse) == [])
      #expect(try await differences(own, before: other, .adopt) == [])
      #expect(try await own.rows("SELECT COUNT(*) FROM ftc_vip") == ["0"])
    }

    @Test("of another program in a further schema are left alone")
    func otherProgram() async throws {
      let (own, other) = try await (TestDatabase(), TestDatabase())
      try await other.prepare(["CREATE TABLE outbox (id INT, topic TEXT)"])
      #expect(try await differences(own, before: other, .refuse) == [])
      #expect(try await own.rows("SELECT COUNT(*) FROM outbox WHERE kind = ''") == ["0"])
    }
  #endif

  @Test("a column of the host's that a later version adds too is compared at the update")
  func update() async throws {
    let database = try await TestDatabase()
    try await database.open(capabilities: SQLCapability.all).close()
    try await database.prepare([
      "DELETE FROM storekeeper_migration WHERE number > 20",
      "ALTER TABLE apple_transaction DROP COLUMN price",
      "ALTER TABLE apple_transaction ADD COLUMN price DECIMAL(9, 2)",
    ])
    let before = try await database.shape()
    for existing in [ExistingTables.refuse, .adopt] {
      let others = try await differences(database, existing).compactMap { difference in
        if case .otherType(let column, _, _) = difference.kind { column } else { nil }
      }
      #expect(others == ["price"])
    }
    #expect(try await database.shape() == before)
  }

  @Test("get the types of columns that later versions of a store have")
  func laterColumns() async throws {
    let database = try await database(
      NewspaperTables.all + ["ALTER TABLE apple_subscription ADD COLUMN receipt_as_of_ms INT"])
    try await database.prepare(["UPDATE apple_subscription SET receipt_as_of_ms = 7"])
    try await database.open(capabilities: SQLCapability.all, existing: .adopt).close()
    try await database.prepare([
      "UPDATE apple_subscription SET receipt_as_of_ms = 1900000000000 WHERE id > 11"
    ])
    let stamps = try await database.rows(
      "SELECT receipt_as_of_ms FROM apple_subscription ORDER BY id")
    #expect(stamps == ["7", "1900000000000", "1900000000000"])
  }

  @Test("are those of a store already, and so nothing is refused and nothing else is made")
  func own() async throws {
    let database = try await TestDatabase()
    try await database.open(capabilities: SQLCapability.all).close()
    let shape = try await database.shape()
    try await database.prepare(["DELETE FROM storekeeper_migration"])
    #expect(try await differences(database, .adopt) == [])
    #expect(try await database.shape() == shape)
  }

  // MARK: Adoption

  /// Saves a new subscription.
  private func save(_ id: String, to store: TestStore) async throws {
    let moment = Date(timeIntervalSince1970: 1_900_000_000)
    let new = Subscription(
      environment: .production, originalTransactionID: id, lastTransactionID: id,
      productID: "monthly", purchaseDate: moment, expiresDate: moment, tier: .standard,
      cycle: .month, autoRenewal: true)
    try await store.write { try await $0.storedSubscriptions.save(new, asOf: moment, now: moment) }
  }

  @Test("keep their subscriptions, whatever is unknown about one")
  func subscriptions() async throws {
    let database = try await database()
    let store = try await database.open(capabilities: SQLCapability.all, existing: .adopt)
    let found = try await store.read {
      try await $0.storedSubscriptions.find(["1001", "1002", "1003"])
    }
    let first = try #require(found.first)
    #expect(found.map(\.subscription.originalTransactionID) == ["1001", "1002", "1003"])
    #expect(first.subscription.expiresDate == Date(timeIntervalSince1970: 1_896_134_401))
    #expect(first.subscription.createdDate == Date(timeIntervalSince1970: 1_862_017_445))
    #expect(first.subscription.owner == "reader-1")
    #expect(found.map(\.subscription.isInUse) == [true, false, false])
    #expect(found.map(\.subscription.environment) == [.production, .sandbox, .production])
    #expect(found.map(\.subscription.autoRenewal) == [true, false, false])
    #expect(found[1].subscription.tier == .premium)
    #expect(found[2].subscription.productID == "")
    // Anything that a store says is newer.
    #expect(found.map(\.asOf.timeIntervalSince1970) == [0, 0, 0])
    var renewed = first.subscription
    renewed.expiresDate += 86_400
    let change = renewed
    try await store.write { records in
      try await records.storedSubscriptions.save(
        change, asOf: Date(timeIntervalSince1970: 1_900_000_000),
        now: Date(timeIntervalSince1970: 1_900_000_000))
    }
    await store.close()
    #expect(
      try await database.rows(
        "SELECT id, expires_date_utc, last_transaction_id FROM apple_subscription ORDER BY id") == [
          "11 1896220801 1009", "12 1579911893 1002", "17 - -",
        ])
  }

  @Test("have room for numbers as long as rows are written")
  func roomForNumbers() async throws {
    let database = try await database()
    #if MARIADB
      let last = "ALTER TABLE apple_subscription AUTO_INCREMENT = 4294967295"
    #else
      let last = "SELECT setval(pg_get_serial_sequence('apple_subscription', 'id'), 2147483647)"
    #endif
    try await database.prepare([last])
    let store = try await database.open(capabilities: SQLCapability.all, existing: .adopt)
    for number in 1004...1008 {
      try await save("\(number)", to: store)
    }
    await store.close()
    let wide = "SELECT COUNT(*) FROM apple_subscription WHERE id > 2147483647"
    #expect(try await database.rows(wide) == ["5"])
  }

  @Test("go on giving numbers to rows, and those of before keep theirs")
  func numbers() async throws {
    let database = try await database()
    let store = try await database.open(capabilities: SQLCapability.all, existing: .adopt)
    try await save("1004", to: store)
    await store.close()
    let ids = try await database.rows(
      "SELECT id FROM apple_subscription ORDER BY original_transaction_id")
    #expect(ids.prefix(3) == ["11", "12", "17"])
    #expect(Set(ids).count == 4)
  }

  @Test("keep memberships from every source, and their old columns stay true")
  func memberships() async throws {
    let database = try await database()
    let store = try await database.open(capabilities: SQLCapability.all, existing: .adopt)
    let ids = ["reader-1", "reader-3", "reader-4", "reader-5", "reader-6"].map(
      AccountID.init(stored:))
    var found: [Membership] = []
    for id in ids {
      found += try await store.read {
        try await $0.memberships.find(account: Account(id: id), appleSubscriptionIDs: [])
      }
    }
    #expect(found.map(\.primaryID) == ids)
    #expect(
      found.map(\.tier?.rawValue) == ["standard", "standard", "standard", "standard", "gold"])
    #expect(
      found.map(\.expireDate) == [
        CalendarDay("2030-02-01"), CalendarDay("2030-03-01"), CalendarDay("2030-04-01"),
        CalendarDay("2030-02-01"), CalendarDay("2030-05-01"),
      ])
    #expect(found.map(\.payMethod?.rawValue) == ["apple", "stripe", nil, nil, "gift"])
    #expect(found[1].details.subscriptionID == "sub_3")
    #expect(found[1].details.status?.rawValue == "active")
    #expect(found.map(\.autoRenew) == [true, true, false, false, false])
    let wechat = try await store.read {
      try await $0.memberships.find(
        account: Account(id: "reader-2", secondID: "union-2"), appleSubscriptionIDs: [])
    }
    #expect(wechat.map(\.payMethod) == [.wechat])
    var changed = found[0]
    changed.tier = .premium
    changed.expireDate = CalendarDay("2031-02-01")
    let (new, old) = (changed, found[0])
    try await store.write { records in
      _ = try await records.memberships.update(new, previous: old)
      try await records.memberships.snapshot(
        old, reason: .link, now: Date(timeIntervalSince1970: 1_900_000_000))
    }
    let history = try await store.read { records in
      try await records.memberships.history(of: .subscription("1001"), limit: 10)
    }
    #expect(
      history.map(\.date) == [
        Date(timeIntervalSince1970: 1_893_553_445), Date(timeIntervalSince1970: 1_900_000_000),
      ])
    await store.close()
    let rows = try await database.rows(
      """
      SELECT vip_id, id, member_tier, payment_method, expire_date, vip_type, expire_time, note
      FROM ftc_vip ORDER BY vip_id
      """)
    #expect(
      rows == [
        "reader-1 mmb_1 premium apple 2031-02-01 100 1927756799 -",
        "reader-3 - standard stripe 2030-03-01 10 1898639999 -",
        "reader-4 - standard - 2030-04-01 - - by the hotline",
        "reader-5 - - - - 10 1896220799 -",
        "reader-6 - gold gift 2030-05-01 0 1903910399 -",
        "union-2 - premium tenpay 2031-01-31 100 1927673999 paid at the fair",
      ])
  }

  @Test("have one membership for each identifier from now on, and any number without")
  func uniqueness() async throws {
    let database = try await database()
    let store = try await database.open(capabilities: SQLCapability.all, existing: .adopt)
    var second = Membership()
    second.primaryID = "reader-9"
    second.originalTransactionID = "1001"
    let duplicate = second
    await #expect(throws: StorageFailure.duplicate(.originalTransactionID)) {
      try await store.write { _ = try await $0.memberships.insert(duplicate) }
    }
    second.originalTransactionID = nil
    let other = second
    try await store.write { _ = try await $0.memberships.insert(other) }
    await store.close()
  }

  @Test("keep receipts and bonus claims, which a starter pack marks once")
  func receiptsAndClaims() async throws {
    let database = try await database()
    let store = try await database.open(capabilities: SQLCapability.all, existing: .adopt)
    let receipt = try await store.read {
      try await $0.purchases.receipt(of: "1001", environment: .production)
    }
    #expect(receipt?.receipt == "cmVjZWlwdA==")
    #expect(receipt?.asOf == Date(timeIntervalSince1970: 0))
    let date = Date(timeIntervalSince1970: 1_900_000_000)
    let first = try await store.read {
      try await $0.starterClaims.find(identity: "one@example.com")
    }
    #expect(
      first
        == StarterClaim(
          identity: "one@example.com", userID: "reader-1", hasPurchasedStarterPack: true,
          starterTransactionID: "2001",
          starterPurchasedDate: Date(timeIntervalSince1970: 1_893_553_445)))
    for (identity, isMarked) in [
      ("one@example.com", false), ("two@example.com", true), ("two@example.com", false),
      ("three@example.com", true),
    ] {
      let marked = try await store.write { records in
        try await records.starterClaims.mark(
          identity: identity, userID: "reader-2", transactionID: "2002", now: date)
      }
      #expect(marked == isMarked)
    }
    await store.close()
    let rows = try await database.rows(
      "SELECT id, email_identity, bonus FROM register_bonus_claims WHERE id IN (5, 6) ORDER BY id")
    #expect(rows == ["5 one@example.com 20", "6 two@example.com 30"])
  }

  @Test(
    "go on where an adoption stopped: in PostgreSQL from the beginning, in MariaDB from the last change"
  )
  func interruption() async throws {
    let snapshots = NewspaperTables.snapshots.replacing(
      "auto_renewal BOOLEAN", with: "auto_renewal INT"
    )
    .replacing("auto_renewal BOOL", with: "auto_renewal INT")
    let database = try await database(
      [NewspaperTables.subscriptions, NewspaperTables.memberships, snapshots],
      rows: NewspaperTables.subscriptionRows + NewspaperTables.membershipRows + [
        """
        INSERT INTO member_snapshot (id, compound_id, created_by, auto_renewal)
        VALUES ('snp_1', 'reader-1', 'apple.link', 100000)
        """
      ])
    let before = try await database.shape()
    await #expect(throws: StorageFailure.self) {
      try await database.open(capabilities: SQLCapability.standard, existing: .adopt)
    }
    #if MARIADB
      #expect(try await database.shape() != before)
    #else
      #expect(try await database.shape() == before)
    #endif
    try await database.prepare(["UPDATE member_snapshot SET auto_renewal = 1"])
    try await database.open(capabilities: SQLCapability.standard, existing: .adopt).close()
    #expect(
      try await database.rows("SELECT id, expires_date_utc FROM apple_subscription ORDER BY id")
        == [
          "11 1896134401", "12 1579911893", "17 -",
        ])
    #expect(try await database.rows("SELECT number, auto_renewal FROM member_snapshot") == ["1 1"])
  }

  @Test("are adopted once; the next start finds nothing to do, whatever it says about them")
  func again() async throws {
    let database = try await database()
    #expect(try await differences(database) == [])
    let shape = try await database.shape()
    #expect(try await differences(database) == [])
    #expect(try await differences(database, .refuse) == [])
    #expect(try await database.shape() == shape)
  }
}

extension TestDatabase {
  /// Opens a store on tables that are there.
  func open(
    capabilities: Set<SQLCapability>, existing: ExistingTables
  ) async throws -> TestStore {
    var configuration = Self.patient
    configuration.existingTables = existing
    configuration.connectionLimit = 4
    #if MARIADB
      return try await MariaDBStore(
        url: url, capabilities: capabilities, configuration: configuration)
    #else
      return try await PostgresStore(
        connection: connection, capabilities: capabilities, configuration: configuration)
    #endif
  }

  /// The columns and indices.
  func shape() async throws -> Set<String> {
    #if MARIADB
      let sql = """
        SELECT table_name, column_name, column_type, is_nullable, collation_name
        FROM information_schema.columns WHERE table_schema = DATABASE()
        UNION ALL SELECT table_name, index_name, column_name, seq_in_index, non_unique
        FROM information_schema.statistics WHERE table_schema = DATABASE()
        """
    #else
      let sql = """
        SELECT CAST(c.relname AS TEXT), CAST(a.attname AS TEXT), format_type(a.atttypid, a.atttypmod),
          CASE WHEN a.attnotnull THEN 1 ELSE 0 END
        FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND a.attnum > 0 AND NOT a.attisdropped
        """
    #endif
    return Set(try await rows(sql))
  }
}
