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
    try await connection.execute(.createMigrationTable(connection.dialect), [])
    let rows = try await connection.query(.latestMigration, [])
    let applied = rows.first?.first?.number ?? 0
    let known = migrations.last?.number ?? 0
    guard applied <= known else { throw StorageFailure.newerSchema(applied) }
    for migration in migrations where migration.number > applied {
      try await apply(migration, to: connection, now: now)
    }
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
  fileprivate static func createMigrationTable(_ dialect: SQLDialect) -> SQLStatement {
    let types = SQLTypes(dialect)
    return SQLStatement(
      "migration_table",
      """
      CREATE TABLE IF NOT EXISTS storekeeper_migration (
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
