public import PurchaseStorage

/// A capability whose records a database keeps, with a list of migrations of its own.
///
/// A database has the tables of the capabilities that its stores were opened with, and of
/// ``purchases``, which all have in common. It keeps them: a store that is opened without one of them
/// uses it all the same.
public struct SQLCapability: Hashable, Sendable {
  public let name: String
  /// The migrations, in ascending order of their numbers; new ones are added at the end.
  package let migrations: [SQLMigration]

  /// Creates a capability with a name of its own, whose migrations are in ascending order of their numbers.
  package init(name: String, migrations: [SQLMigration]) {
    self.name = name
    self.migrations = migrations
  }

  /// The capabilities of a store for which none are named: purchases and subscriptions.
  public static let standard: Set<SQLCapability> = [purchases, subscriptions]

  public static let all: Set<SQLCapability> = [
    purchases, subscriptions, credits, entitlements, orders,
  ]

  /// Evidence of purchases, notifications, requests for consumption information, the outbox, places of
  /// jobs and the removal of old evidence.
  public static let purchases = SQLCapability(
    name: "purchases",
    migrations: [
      SQLMigration(number: 1, name: "evidence and outbox") { dialect in
        let types = SQLTypes(dialect)
        return evidenceTables(types) + outboxTables(types)
      },
      SQLMigration(number: 3, name: "removal of old evidence") { retention(SQLTypes($0)) },
      SQLMigration(number: 4, name: "notifications that could not be decoded") { dialect in
        [undecoded(SQLTypes(dialect))]
      },
      SQLMigration(number: 5, name: "jobs, revisions and consumption requests") { dialect in
        serverTables(SQLTypes(dialect))
      },
      SQLMigration(number: 9, name: "parked messages") { parking(SQLTypes($0)) },
      SQLMigration(number: 11, name: "stamps of sets of renewals") { [renewalSet(SQLTypes($0))] },
      SQLMigration(number: 14, name: "age of consumption requests") { dialect in
        consumptionAge(SQLTypes(dialect))
      },
      SQLMigration(number: 16, name: "plans of transactions") { dialect in
        ["ALTER TABLE apple_transaction ADD COLUMN plan_id \(SQLTypes(dialect).text)"]
      },
      SQLMigration(number: 17, name: "refund reviews") { refundReviews(SQLTypes($0)) },
      SQLMigration(number: 18, name: "commitments") { dialect in
        ["apple_transaction", "apple_pending_renewal"].map {
          "ALTER TABLE \($0) ADD COLUMN commitment \(SQLTypes(dialect).text)"
        }
      },
      SQLMigration(number: 19, name: "transfers") { transfers(SQLTypes($0)) },
      SQLMigration(number: 20, name: "events") { dialect in
        events(SQLTypes(dialect)) + outboxLines(SQLTypes(dialect))
      },
      SQLMigration(number: 21, name: "prices and figures") { dialect in
        prices(SQLTypes(dialect)) + moneyTables(SQLTypes(dialect))
      },
      SQLMigration(number: 22, name: "bodies of messages") { [outboxBody(SQLTypes($0))] },
      SQLMigration(number: 24, name: "acts of support") { acts(SQLTypes($0)) },
      SQLMigration(number: 25, name: "events and messages by account") { dialect in
        accountIndices(SQLTypes(dialect))
      },
      SQLMigration(number: 26, name: "questions that wait") { waitingConsumption(SQLTypes($0)) },
    ])

  /// Subscriptions, memberships and the refresh job.
  public static let subscriptions = SQLCapability(
    name: "subscriptions",
    migrations: [
      SQLMigration(number: 1, name: "subscriptions and memberships") { dialect in
        let types = SQLTypes(dialect)
        return subscriptionTables(types) + membershipTables(types) + refreshTables(types)
      },
      SQLMigration(number: 2, name: "stamps of whole answers") { answerStamps(SQLTypes($0)) },
      SQLMigration(number: 3, name: "removal of old snapshots") { _ in
        [creationIndex("member_snapshot")]
      },
      SQLMigration(number: 13, name: "renewals that nobody has told") { dialect in
        untoldRenewals(SQLTypes(dialect))
      },
    ])

  /// Credits: their transactions, the users' accounts and ledgers, the claims of starter packs, and the
  /// notifications that were considered.
  public static let credits = SQLCapability(
    name: "credits",
    migrations: [SQLMigration(number: 6, name: "credits") { creditTables(SQLTypes($0)) }])

  /// Entitlements: the users that own purchases, the products that they acquired, and the state of
  /// validations.
  public static let entitlements = SQLCapability(
    name: "entitlements",
    migrations: [
      SQLMigration(number: 7, name: "entitlements") { entitlementTables(SQLTypes($0)) },
      SQLMigration(number: 10, name: "failures by purchase") { unansweredTables(SQLTypes($0)) },
      SQLMigration(number: 27, name: "claims by user") { conflictsByClaimant(SQLTypes($0)) },
    ])

  /// Orders: the levels that are sold, the subscription of each user, and the claims to purchases.
  public static let orders = SQLCapability(
    name: "orders",
    migrations: [
      SQLMigration(number: 8, name: "orders") { orderTables(SQLTypes($0)) },
      SQLMigration(number: 12, name: "environments of orders") { dialect in
        orderEnvironments(SQLTypes(dialect))
      },
      SQLMigration(number: 15, name: "levels of subscriptions") { _ in
        ["CREATE INDEX user_subscriptions_level ON user_subscriptions (level)"]
      },
    ])

  /// Returns the capabilities of a store whose database has the tables of some.
  public static func served(by present: Set<SQLCapability>) -> Set<StoreCapability> {
    StoreCapability.all.intersection(present.map { StoreCapability(rawValue: $0.name) })
  }

  /// Capabilities with the same name are the same.
  public static func == (one: SQLCapability, other: SQLCapability) -> Bool {
    one.name == other.name
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A step that brings the tables of a capability to a newer shape; once released it never changes.
package struct SQLMigration: Sendable {
  /// The number, at least 1.
  ///
  /// Numbers of one capability ascend; they are common to all capabilities, so that the greatest one in
  /// a database tells its version.
  package let number: Int
  /// The effect, in a few words.
  package let name: String
  private let make: @Sendable (SQLDialect) -> [String]

  package init(
    number: Int, name: String, statements: @escaping @Sendable (SQLDialect) -> [String]
  ) {
    self.number = number
    self.name = name
    make = statements
  }

  /// Returns the statements, in order, each without a semicolon at its end.
  ///
  /// Repeatable ones, as those for MariaDB always are, pass over what is there.
  package func statements(_ dialect: SQLDialect, isRepeatable: Bool = false) -> [String] {
    let statements = make(dialect)
    return isRepeatable || dialect == .mariadb ? statements.map(Self.repeatable) : statements
  }

  /// MariaDB commits each change of a table by itself, so that a step must be able to run again.
  private static func repeatable(_ statement: String) -> String {
    let forms = [
      ("CREATE TABLE ", "CREATE TABLE IF NOT EXISTS "),
      ("CREATE INDEX ", "CREATE INDEX IF NOT EXISTS "),
      ("CREATE UNIQUE INDEX ", "CREATE UNIQUE INDEX IF NOT EXISTS "),
      ("CREATE VIEW ", "CREATE OR REPLACE VIEW "), ("DROP INDEX ", "DROP INDEX IF EXISTS "),
    ]
    for (form, repeatable) in forms where statement.hasPrefix(form) {
      return repeatable + statement.dropFirst(form.count)
    }
    guard statement.hasPrefix("ALTER TABLE ") else { return statement }
    return statement.replacing(" ADD COLUMN ", with: " ADD COLUMN IF NOT EXISTS ")
  }
}

/// The words of table definitions where databases differ.
struct SQLTypes {
  let dialect: SQLDialect
  /// A whole number, a moment.
  let int: String
  let flag: String
  /// A text, compared and ordered by its bytes, of which MariaDB takes 65,535.
  let text: String
  /// The same, of any length that a record has.
  let long: String
  /// A number that the database gives, greater than all before.
  let serial: String
  /// A number that the database gives, greater than those of all rows.
  let number: String
  /// At the end of a table whose rows are kept in the order of their key.
  let keyed: String

  init(_ dialect: SQLDialect) {
    self.dialect = dialect
    switch dialect {
    case .sqlite:
      (int, flag, text) = ("INTEGER", "INTEGER", "TEXT")
      long = text
      serial = "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT"
      number = "INTEGER NOT NULL PRIMARY KEY"
      keyed = " WITHOUT ROWID"
    case .postgres:
      (int, flag, text) = ("BIGINT", "SMALLINT", "TEXT COLLATE \"C\"")
      long = text
      serial = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
      number = serial
      keyed = ""
    case .mariadb:
      (int, flag, text) = ("BIGINT", "SMALLINT", "TEXT \(Self.bytes)")
      long = "LONGTEXT \(Self.bytes)"
      serial = "BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY"
      number = serial
      keyed = ""
    }
  }

  private static let bytes = "CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"

  /// A text of a key, of so many bytes at most.
  ///
  /// In MariaDB a key has 3,072 bytes, and a character may have four.
  func text(upTo length: Int) -> String {
    guard dialect == .mariadb else { return text }
    return length <= 255 ? "VARCHAR(\(length)) \(Self.bytes)" : "VARBINARY(\(length))"
  }

  /// The identifier of a purchase, a product, an app, or a notification, in a key.
  var id: String { text(upTo: 255) }
  /// The identifier of a user, in a key.
  var user: String { text(upTo: 128) }
  /// An environment, or another word of few, in a key.
  var word: String { text(upTo: 64) }
  /// Any other text in a key.
  var wide: String { text(upTo: 1024) }

  /// The constraint that a column is the primary key, which has no name in MariaDB.
  func key(_ name: String) -> String {
    dialect == .mariadb ? "PRIMARY KEY" : "CONSTRAINT \(name) PRIMARY KEY"
  }

  /// The condition of a column, which has no name in MariaDB.
  func check(_ name: String, _ condition: String) -> String {
    (dialect == .mariadb ? "" : "CONSTRAINT \(name) ") + "CHECK (\(condition))"
  }

  /// The constraint that a column is unique, which has a name in MariaDB only if it is an index of its own.
  func unique(_ name: String, after space: String = " ") -> String {
    dialect == .mariadb ? "" : "\(space)CONSTRAINT \(name) UNIQUE"
  }

  func uniqueIndices(_ columns: [String], of table: String) -> [String] {
    guard dialect == .mariadb else { return [] }
    return columns.map { "CREATE UNIQUE INDEX \(table)_\($0) ON \(table) (\($0))" }
  }

  /// The condition at the end of an index; MariaDB's indices have all rows.
  func rows(where condition: String, after space: String = "\n  ") -> String {
    dialect == .mariadb ? "" : "\(space)WHERE \(condition)"
  }

  /// Columns of an index that save a look at the row; MariaDB's keys have no room for them.
  func and(_ columns: String) -> String { dialect == .mariadb ? "" : ", \(columns)" }

  /// Adds a column to a table in MariaDB that is 1 where a condition holds, and null elsewhere; so it takes the place
  /// of the condition of an index.
  func mark(_ column: String, of table: String, where condition: String) -> [String] {
    guard dialect == .mariadb else { return [] }
    return [
      """
      ALTER TABLE \(table) ADD COLUMN \(column) SMALLINT
        AS (CASE WHEN \(condition) THEN 1 END) PERSISTENT INVISIBLE
      """
    ]
  }

  /// The mark as the last column of an index.
  func mark(_ column: String) -> String { dialect == .mariadb ? ", \(column)" : "" }

  func drop(index: String, of table: String) -> String {
    dialect == .mariadb ? "DROP INDEX \(index) ON \(table)" : "DROP INDEX \(index)"
  }
}
