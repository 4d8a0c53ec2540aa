/// The treatment of the tables that a database has before migrations make theirs.
struct TableAdoption {
  let connection: any SQLConnection
  let existing: ExistingTables
  let places: TablePlaces

  /// Compares the tables that migrations make with those that are there, brings these to their shape if they are
  /// adopted, and returns their names.
  ///
  /// SQLite says by itself that a table is there.
  ///
  /// - Throws: ``UnsuitableTables``, before anything is changed.
  func run(before migrations: [SQLMigration]) async throws -> Set<String> {
    let dialect = connection.dialect
    guard dialect != .sqlite else { return [] }
    var comparisons: [TableComparison] = []
    for needed in NeededTable.all(of: migrations, dialect) {
      guard let stored = try await StoredTable(needed.name, of: connection, existing, places) else {
        continue
      }
      let hasLater = needed.laterColumns.contains { stored.columns[$0.plainName] != nil }
      guard needed.isWhole || hasLater else { continue }
      var comparison = TableComparison(needed, stored, dialect)
      if existing == .adopt { try await examineRows(&comparison) }
      comparisons.append(comparison)
    }
    let differences = comparisons.flatMap {
      existing == .adopt ? $0.obstacles : $0.differences
    }
    guard differences.isEmpty else { throw UnsuitableTables(differences) }
    // Otherwise MariaDB would read a TIMESTAMP in the zone of its machine.
    if dialect == .mariadb, !comparisons.isEmpty {
      try await run("SET SESSION time_zone = '+00:00'")
    }
    for statement in comparisons.flatMap(\.statements) { try await run(statement) }
    return Set(comparisons.map(\.needed.name))
  }

  private func run(_ sql: String) async throws {
    try await connection.execute(statement(sql), [])
  }

  private func count(_ sql: String) async throws -> Int {
    try await connection.query(statement(sql), []).first?.first?.number ?? 0
  }

  // Drivers keep prepared forms by the name.
  private func statement(_ sql: String) -> SQLStatement {
    SQLStatement("adoption_\(sql.hashValue)", sql)
  }

  /// Looks for rows that cannot have the keys that are missing.
  private func examineRows(_ comparison: inout TableComparison) async throws {
    let (table, stored) = (comparison.needed.name, comparison.stored)
    for change in comparison.changes
    where change.stored.isNullable && !change.isNullable && change.fill == nil {
      let name = change.column.name
      let rows = try await count("SELECT COUNT(*) FROM \(table) WHERE \(name) IS NULL")
      if rows > 0 { comparison.note(.hasNull(column: name), canBeAdopted: false) }
    }
    for key in comparison.newKeys where key.columns.allSatisfy({ stored.columns[$0] != nil }) {
      // By their bytes, as they are compared afterwards. All conditions of an index leave empty texts out.
      let type = connection.dialect == .mariadb ? "BINARY" : "TEXT"
      let values = key.columns.map { "CAST(\($0) AS \(type))" }
      let conditions = values.map {
        "\($0) IS NOT NULL" + (key.condition == nil ? "" : " AND \($0) <> ''")
      }
      let groups = try await count(
        """
        SELECT COUNT(*) FROM (SELECT 1 AS one FROM \(table)
          WHERE \(conditions.joined(separator: " AND "))
          GROUP BY \(values.joined(separator: ", ")) HAVING COUNT(*) > 1) AS found
        """)
      if groups > 0 { comparison.note(.duplicates(columns: key.columns), canBeAdopted: false) }
    }
  }
}
