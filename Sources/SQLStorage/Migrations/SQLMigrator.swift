internal import PurchaseStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Brings a database to the shape that this version of the library needs.
public enum SQLMigrator {
  /// Applies the migrations that the database has not seen, in order, notes each in the table
  /// `storekeeper_migration`, and returns the capabilities that the database has now.
  ///
  /// The driver calls it inside a transaction, after it took a lock that one process at a time can have (SQLite:
  /// `BEGIN IMMEDIATE`; PostgreSQL: `pg_advisory_xact_lock`). So of many processes that start at once, one applies
  /// the migrations, and the others find them applied. ``SQLCapability/purchases`` is always among the capabilities.
  ///
  /// Tables that PostgreSQL or MariaDB has before migrations make theirs are refused or adopted (`existing`).
  ///
  /// - Throws: `StorageFailure.newerSchema` if the database has seen a migration that this version does not know;
  ///   ``UnsuitableTables``.
  public static func migrate(
    _ connection: any SQLConnection, _ capabilities: Set<SQLCapability> = SQLCapability.all,
    existing: ExistingTables = .refuse, now: Date
  ) async throws -> Set<SQLCapability> {
    try await migrate(connection, capabilities, existing, TablePlaces(), now: now)
  }

  /// The same, with tables in other databases of MariaDB.
  static func migrate(
    _ connection: any SQLConnection, _ capabilities: Set<SQLCapability>,
    _ existing: ExistingTables, _ places: TablePlaces, now: Date
  ) async throws -> Set<SQLCapability> {
    var applied: [String: Int] = [:]
    let table = try await table(connection)
    switch table {
    case .missing: break
    case .ofAllCapabilities: applied = try await splitTable(connection)
    case .ofEachCapability: applied = try await latest(connection)
    }
    let present = try present(capabilities, applied)
    let missing = present.flatMap { capability in
      capability.migrations.filter { $0.number > applied[capability.name] ?? 0 }
        .map { (capability: capability, migration: $0) }
    }
    .sorted {
      ($0.migration.number, $0.capability.name) < ($1.migration.number, $1.capability.name)
    }
    let adoption = TableAdoption(connection: connection, existing: existing, places: places)
    try await adoption.check(
      after: present.flatMap { capability in
        capability.migrations.filter { $0.number <= applied[capability.name] ?? 0 }
      })
    let tables = try await adoption.run(before: missing.map(\.migration))
    if table == .missing {
      try await connection.execute(.createMigrationTable(connection.dialect), [])
    }
    for (capability, migration) in missing {
      try await apply(migration, of: capability, to: connection, with: tables, now: now)
    }
    return present
  }

  /// Returns the capabilities of a database that has seen all migrations, or nil if ``migrate(_:_:existing:now:)`` would
  /// change something; nothing is written and nothing is locked.
  ///
  /// - Throws: `StorageFailure.newerSchema` if the database has seen a migration that this version does not know.
  public static func current(
    _ connection: any SQLConnection, _ capabilities: Set<SQLCapability> = SQLCapability.all
  ) async throws -> Set<SQLCapability>? {
    guard try await table(connection) == .ofEachCapability else { return nil }
    let applied = try await latest(connection)
    let present = try present(capabilities, applied)
    let isCurrent = present.allSatisfy { applied[$0.name] == $0.migrations.last?.number }
    return isCurrent ? present : nil
  }

  private static func present(
    _ capabilities: Set<SQLCapability>, _ applied: [String: Int]
  ) throws(StorageFailure) -> Set<SQLCapability> {
    let asked = capabilities.union([.purchases])
    let present = asked.union(SQLCapability.all.filter { applied[$0.name] != nil })
    for capability in present {
      guard let number = applied[capability.name] else { continue }
      guard number <= capability.migrations.last?.number ?? 0 else { throw .newerSchema(number) }
    }
    return present
  }

  /// Applies a migration to a database that has some of its tables already.
  private static func apply(
    _ migration: SQLMigration, of capability: SQLCapability, to connection: any SQLConnection,
    with tables: Set<String>, now: Date
  ) async throws {
    let statements = migration.statements(connection.dialect, isRepeatable: !tables.isEmpty)
    for (index, sql) in statements.enumerated()
    where !tables.contains(where: { sql.hasPrefix("CREATE TABLE IF NOT EXISTS \($0) ") }) {
      try await connection.execute(
        SQLStatement("migration_\(capability.name)_\(migration.number)_\(index)", sql), [])
    }
    try await note(migration, of: capability, on: connection, at: .seconds(now))
  }

  // MARK: The table of migrations

  /// The forms of the table `storekeeper_migration`.
  private enum Table {
    case missing
    /// The table of versions with a single list of migrations, 1 to 4.
    case ofAllCapabilities
    case ofEachCapability
  }

  private static func table(_ connection: any SQLConnection) async throws -> Table {
    let columns = try await connection.query(.findMigrationTable(connection.dialect), [])
    guard !columns.isEmpty else { return .missing }
    return columns.contains([.text("capability")]) ? .ofEachCapability : .ofAllCapabilities
  }

  /// The number of the last migration of each capability.
  private static func latest(_ connection: any SQLConnection) async throws -> [String: Int] {
    let rows = try await connection.query(.latestMigrations, [])
    return Dictionary(
      rows.map { ($0[0].name ?? "", $0[1].number ?? 0) }, uniquingKeysWith: { max($0, $1) })
  }

  /// Replaces the table of a single list: each of its migrations did the work of those with the same
  /// number.
  private static func splitTable(_ connection: any SQLConnection) async throws -> [String: Int] {
    let rows = try await connection.query(.allMigrations, [])
    let dates = Dictionary(
      rows.map { ($0[0].number ?? 0, $0[1]) }, uniquingKeysWith: { one, _ in one })
    let known = SQLCapability.all.flatMap { capability in
      capability.migrations.filter { $0.number <= 4 }.map { (capability, $0) }
    }
    if let number = dates.keys.max(), number > 4 { throw StorageFailure.newerSchema(number) }
    try await connection.execute(.dropMigrationTable, [])
    try await connection.execute(.createMigrationTable(connection.dialect), [])
    for (capability, migration) in known {
      guard let date = dates[migration.number] else { continue }
      try await note(migration, of: capability, on: connection, at: date)
    }
    return try await latest(connection)
  }

  private static func note(
    _ migration: SQLMigration, of capability: SQLCapability, on connection: any SQLConnection,
    at date: SQLValue
  ) async throws {
    try await connection.execute(
      .noteMigration,
      [.text(capability.name), .number(migration.number), .text(migration.name), date])
  }
}

extension SQLStatement {
  /// The columns of the table; in PostgreSQL in the first schema of the search path.
  fileprivate static func findMigrationTable(_ dialect: SQLDialect) -> SQLStatement {
    let sql =
      switch dialect {
      case .sqlite: "SELECT name FROM pragma_table_info('storekeeper_migration')"
      case .postgres:
        """
        SELECT CAST(a.attname AS TEXT) FROM pg_catalog.pg_attribute a
        JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND c.relname = 'storekeeper_migration'
          AND a.attnum > 0 AND NOT a.attisdropped
        """
      case .mariadb:
        """
        SELECT column_name FROM information_schema.columns
        WHERE table_schema = DATABASE() AND table_name = 'storekeeper_migration'
        """
      }
    return SQLStatement("migration_find_table", sql)
  }

  fileprivate static func createMigrationTable(_ dialect: SQLDialect) -> SQLStatement {
    let types = SQLTypes(dialect)
    return SQLStatement(
      "migration_table",
      """
      CREATE TABLE storekeeper_migration (
        capability \(types.word) NOT NULL,
        number \(types.int) NOT NULL,
        name \(types.text) NOT NULL,
        applied_utc \(types.int) NOT NULL,
        CONSTRAINT storekeeper_migration_key PRIMARY KEY (capability, number))
      """)
  }

  fileprivate static let dropMigrationTable = SQLStatement(
    "migration_drop_table", "DROP TABLE storekeeper_migration")

  fileprivate static let allMigrations = SQLStatement(
    "migration_all", "SELECT number, applied_utc FROM storekeeper_migration")

  fileprivate static let latestMigrations = SQLStatement(
    "migration_latest",
    "SELECT capability, MAX(number) FROM storekeeper_migration GROUP BY capability")

  fileprivate static let noteMigration = SQLStatement(
    "migration_note",
    """
    INSERT INTO storekeeper_migration (capability, number, name, applied_utc)
    VALUES ($1, $2, $3, $4)
    """)
}
