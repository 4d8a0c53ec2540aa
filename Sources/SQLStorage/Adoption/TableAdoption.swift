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
    let schemas = try await schemasOfPath()
    var comparisons: [TableComparison] = []
    for needed in NeededTable.all(of: migrations, dialect) {
      guard let found = try await stored(needed, in: schemas) else { continue }
      let stored = found.table
      let hasLater = needed.laterColumns.contains { stored.columns[$0.plainName] != nil }
      guard needed.isWhole || hasLater else { continue }
      var comparison = TableComparison(needed, stored, dialect)
      if let schema = found.otherSchema {
        comparison.note(.otherSchema(schema), canBeAdopted: false)
      }
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

  /// Returns a table that is there, with the schema of another one of the host's own that it hides, or that would be
  /// hidden.
  private func stored(
    _ needed: NeededTable, in schemas: [String: [PathSchema]]
  ) async throws -> (table: StoredTable, otherSchema: String?)? {
    let name = needed.name
    guard connection.dialect == .postgres else {
      return try await StoredTable(name, in: places.databases[name], of: connection)
        .map { ($0, nil) }
    }
    let own = try await StoredTable(name, in: nil, of: connection)
    if let own, existing == .refuse { return (own, nil) }
    var found = own
    for schema in schemas[name] ?? [] {
      guard let other = try await StoredTable(name, in: schema.name, of: connection) else {
        continue
      }
      if found == nil, existing == .adopt {
        found = other
      } else if needed.isWhole, !schema.isOfStore, other.resembles(needed) {
        return (found ?? other, schema.name)
      }
    }
    return found.map { ($0, nil) }
  }

  private struct PathSchema {
    let name: String
    /// Whether it is the first one of another store, whose tables are no host's.
    let isOfStore: Bool
  }

  /// The schemas of PostgreSQL's search path behind the first, in order, by the names that are taken there.
  private func schemasOfPath() async throws -> [String: [PathSchema]] {
    guard connection.dialect == .postgres else { return [:] }
    var schemas: [String: [PathSchema]] = [:]
    for row in try await connection.query(.schemasOfPath, []) {
      schemas[row[0].name ?? "", default: []].append(
        PathSchema(name: row[1].name ?? "", isOfStore: row[2].flag ?? false))
    }
    return schemas
  }

  // MARK: Tables of migrations that were applied

  /// Looks whether the tables of migrations that were applied are where a setting, or the search path, has them.
  ///
  /// Otherwise a store that once made tables of its own would never see those of the host.
  ///
  /// - Throws: ``UnsuitableTables``.
  func check(after migrations: [SQLMigration]) async throws {
    guard needsCheck else { return }
    let dialect = connection.dialect
    let known = NeededTable.names(of: SQLCapability.all.flatMap(\.migrations), dialect)
    // Those of a cluster are made beside the migrations.
    var differences = places.databases.keys.sorted()
      .filter { !known.contains($0) && !$0.hasPrefix("storekeeper_") }
      .map { TableDifference($0, .unknownName) }
    let schemas = existing == .adopt ? try await schemasOfPath() : [:]
    for needed in NeededTable.all(of: migrations, dialect) where needed.isWhole {
      let name = needed.name
      if let database = places.databases[name] {
        guard let stored = try await StoredTable(name, in: database, of: connection) else {
          differences.append(TableDifference(name, .notInDatabase(database)))
          continue
        }
        // MariaDB does not tell capitals apart in the names of columns.
        let columns = Set(stored.columns.keys.map { $0.lowercased() })
        differences += (needed.columns + needed.laterColumns)
          .filter { !columns.contains($0.plainName.lowercased()) }
          .map { TableDifference(name, .missingColumn($0.plainName)) }
      }
      guard schemas[name] != nil, let found = try await stored(needed, in: schemas),
        let schema = found.otherSchema
      else { continue }
      differences.append(TableDifference(name, .otherSchema(schema)))
    }
    guard differences.isEmpty else { throw UnsuitableTables(differences) }
  }

  /// Whether tables may be elsewhere than those that a store would make.
  var needsCheck: Bool {
    !places.databases.isEmpty || (existing == .adopt && connection.dialect == .postgres)
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
    // Whose pack was bought is asked with an address as `StarterIdentity` has it; users without one have another identity.
    let identity = "email_identity"
    if table == "register_bonus_claims", stored.columns[identity]?.kind == .text {
      let rows = try await count(
        connection.dialect == .mariadb
          ? """
          SELECT COUNT(*) FROM \(table) WHERE \(identity) LIKE '%@%' AND CAST(\(identity) AS BINARY) <>
            CAST(LOWER(REGEXP_REPLACE(\(identity), '^[[:space:]]+|[[:space:]]+$', '')) AS BINARY)
          """
          : """
          SELECT COUNT(*) FROM (
            SELECT CAST(\(identity) AS TEXT) COLLATE "default" AS stored FROM \(table)) AS claims
          WHERE stored LIKE '%@%'
            AND stored <> LOWER(REGEXP_REPLACE(stored, '^[[:space:]]+|[[:space:]]+$', '', 'g'))
          """)
      if rows > 0 { comparison.note(.notNormalized(column: identity), canBeAdopted: false) }
    }
  }
}

extension StoredTable {
  /// Whether the table is one of the host's own that could be adopted, and not another program's by the same name: it has
  /// half of the columns.
  fileprivate func resembles(_ needed: NeededTable) -> Bool {
    2 * needed.columns.count { columns[$0.plainName] != nil } >= needed.columns.count
  }
}

extension SQLStatement {
  fileprivate static let schemasOfPath = SQLStatement(
    "adoption_schemas",
    """
    SELECT CAST(c.relname AS TEXT), CAST(n.nspname AS TEXT),
      CASE WHEN EXISTS (
        SELECT 1 FROM pg_catalog.pg_class m
        WHERE m.relnamespace = n.oid AND m.relname = 'storekeeper_migration') THEN 1 ELSE 0 END
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname = ANY (current_schemas(false))
      AND n.nspname <> current_schema()
    ORDER BY array_position(current_schemas(false), n.nspname)
    """)
}
