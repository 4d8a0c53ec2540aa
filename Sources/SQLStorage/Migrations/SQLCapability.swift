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
      SQLMigration(number: 14, name: "age of consumption requests") { _ in consumptionAge },
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
  package func statements(_ dialect: SQLDialect) -> [String] { make(dialect) }
}

/// The names of column types where databases differ.
struct SQLTypes {
  /// A whole number, a moment.
  let int: String
  let flag: String
  /// A text, compared and ordered by its bytes.
  let text: String
  /// A number that the database gives, greater than all before.
  let serial: String
  /// A number that the database gives, greater than those of all rows.
  let number: String
  /// At the end of a table whose rows are kept in the order of their key.
  let keyed: String

  init(_ dialect: SQLDialect) {
    switch dialect {
    case .sqlite:
      (int, flag, text) = ("INTEGER", "INTEGER", "TEXT")
      serial = "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT"
      number = "INTEGER NOT NULL PRIMARY KEY"
      keyed = " WITHOUT ROWID"
    case .postgres:
      (int, flag, text) = ("BIGINT", "SMALLINT", "TEXT COLLATE \"C\"")
      serial = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
      number = serial
      keyed = ""
    }
  }
}
