internal import PurchaseStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Brings a database to the shape that this version of the library needs.
public enum SQLMigrator {
  /// Applies the steps that the database has not seen, in order, and notes each in the table
  /// `storekeeper_migration`.
  ///
  /// The driver calls it inside a transaction, after it took a lock that one process at a time can
  /// have (SQLite: `BEGIN IMMEDIATE`; PostgreSQL: `pg_advisory_xact_lock`). So of many that start at
  /// once, one applies the steps, and the others find them applied.
  ///
  /// - Parameters:
  ///   - connection: A connection inside that transaction.
  ///   - migrations: The steps, in order of their numbers.
  ///   - now: The present moment.
  /// - Throws: `StorageFailure.newerSchema` if the database has seen a step that is not in the list.
  public static func migrate(
    _ connection: any SQLConnection, _ migrations: [SQLMigration] = SQLMigrations.all, now: Date
  ) async throws {
    let applied = try await latest(connection, migrations)
    if applied == nil {
      try await connection.execute(.createMigrationTable(connection.dialect), [])
    }
    for migration in migrations where migration.number > applied ?? 0 {
      try await apply(migration, to: connection, now: now)
    }
  }

  /// Whether the database has seen all the steps; nothing is written and nothing is locked.
  ///
  /// - Parameters:
  ///   - connection: A connection inside a transaction.
  ///   - migrations: The steps, in order of their numbers.
  /// - Returns: False if ``migrate(_:_:now:)`` would change something.
  /// - Throws: `StorageFailure.newerSchema` if the database has seen a step that is not in the list.
  public static func isCurrent(
    _ connection: any SQLConnection, _ migrations: [SQLMigration] = SQLMigrations.all
  ) async throws -> Bool {
    guard let applied = try await latest(connection, migrations) else { return false }
    return applied == migrations.last?.number ?? 0
  }

  /// The number of the last step that the database has seen, 0 for none; nil if it has no table of
  /// steps.
  private static func latest(
    _ connection: any SQLConnection, _ migrations: [SQLMigration]
  ) async throws -> Int? {
    let tables = try await connection.query(.findMigrationTable(connection.dialect), [])
    guard !tables.isEmpty else { return nil }
    let rows = try await connection.query(.latestMigration, [])
    let applied = rows.first?.first?.number ?? 0
    guard applied <= migrations.last?.number ?? 0 else { throw StorageFailure.newerSchema(applied) }
    return applied
  }

  private static func apply(
    _ migration: SQLMigration, to connection: any SQLConnection, now: Date
  ) async throws {
    for (index, sql) in migration.statements(connection.dialect).enumerated() {
      try await connection.execute(
        SQLStatement("migration_\(migration.number)_\(index)", sql), [])
    }
    try await connection.execute(
      .noteMigration,
      [.integer(Int64(migration.number)), .text(migration.name), .seconds(now)])
  }
}

extension SQLStatement {
  /// Where it would be made: in PostgreSQL the first schema of the search path that there is.
  fileprivate static func findMigrationTable(_ dialect: SQLDialect) -> SQLStatement {
    let sql =
      switch dialect {
      case .sqlite:
        "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'storekeeper_migration'"
      case .postgres:
        """
        SELECT 1 FROM pg_catalog.pg_tables
        WHERE schemaname = current_schema() AND tablename = 'storekeeper_migration'
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
        number \(types.int) NOT NULL PRIMARY KEY,
        name \(types.text) NOT NULL,
        applied_utc \(types.int) NOT NULL)
      """)
  }

  fileprivate static let latestMigration = SQLStatement(
    "migration_latest",
    "SELECT number FROM storekeeper_migration ORDER BY number DESC LIMIT 1")

  fileprivate static let noteMigration = SQLStatement(
    "migration_note",
    "INSERT INTO storekeeper_migration (number, name, applied_utc) VALUES ($1, $2, $3)")
}
