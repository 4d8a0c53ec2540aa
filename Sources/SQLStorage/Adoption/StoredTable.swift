/// A table as a database has it.
struct StoredTable {
  struct Column {
    /// What values are, whatever the database calls it.
    enum Kind { case number, flag, text, bytes, day, moment, other }

    let name: String
    /// In the words of the database, with the collation of a text, in lower case.
    let type: String
    let kind: Kind
    let isNullable: Bool
    let hasDefault: Bool
    let isCounted: Bool
    let isGenerated: Bool
    /// Whether each update of a row writes the moment.
    let isTouched: Bool

    /// The maximum number of characters, where the type has one.
    var length: Int? { Int(type.drop { $0 != "(" }.dropFirst().prefix { $0.isNumber }) }
  }

  struct Index {
    var isUnique: Bool
    var hasAllRows: Bool
    /// Whether values are compared whole, and not by their beginnings.
    var hasWholeValues: Bool
    var columns: [String]

    var isKey: Bool { isUnique && hasWholeValues }
  }

  let isTable: Bool
  /// The name of the engine in MariaDB, unless it is InnoDB.
  let otherEngine: String?
  let columns: [String: Column]
  let indices: [String: Index]
  /// The names of the foreign keys of the table, and of those that lead to it.
  let foreignKeys: [String]
  let triggers: [String]
  /// Whether triggers are shown; without the right to them MariaDB shows none.
  let showsTriggers: Bool

  /// The name of a unique index of all rows that has these columns.
  func key(of columns: [String]) -> String? {
    indices.filter { $1.hasAllRows && $1.isKey && Set($1.columns) == Set(columns) }.keys.min()
  }

  /// Whether an index by a name of ours is unique and has these columns, and no others but those that MariaDB computes in
  /// place of a condition.
  func isOurs(_ index: Index, of columns: [String]) -> Bool {
    index.isKey
      && Set(index.columns.filter { self.columns[$0]?.isGenerated != true }) == Set(columns)
  }

  func isIndexed(_ column: String) -> Bool {
    indices.values.contains { $0.columns.contains(column) }
  }
}

extension StoredTable {
  /// Reads a table, or nil if the name is free.
  init?(
    _ name: String, of connection: any SQLConnection, _ existing: ExistingTables,
    _ places: TablePlaces
  ) async throws {
    let dialect = connection.dialect
    let isMariaDB = dialect == .mariadb
    let values: [SQLValue] =
      [.text(name)] + (isMariaDB ? [places.databases[name].map { .text($0) } ?? .null] : [])
    let statements: [SQLStatement] =
      isMariaDB ? .describeInMariaDB : existing == .adopt ? .describeInPath : .describeInSchema
    let answers = try await connection.query(statements.map { SQLCall($0, values) })
    guard let kind = answers[0].first?.first?.name else { return nil }
    isTable = ["BASE TABLE", "r", "p"].contains(kind)
    otherEngine = isMariaDB ? answers[0].first?.last?.name : nil
    let columns = answers[1].map { Column($0, dialect) }
    self.columns = Dictionary(columns.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    var indices: [String: Index] = [:]
    for row in answers[2] {
      let name = row[0].name ?? ""
      var index =
        indices[name]
        ?? Index(
          isUnique: row[1].flag ?? false, hasAllRows: row[2].flag ?? false, hasWholeValues: true,
          columns: [])
      index.hasWholeValues = index.hasWholeValues && row[3].flag ?? false
      index.columns.append(row[4].name ?? "")
      indices[name] = index
    }
    self.indices = indices
    func names(_ rows: [SQLRow]) -> [String] { Set(rows.compactMap { $0[0].name }).sorted() }
    (foreignKeys, triggers) = (names(answers[3]), names(answers[4]))
    showsTriggers = answers[4].allSatisfy { $0[0].name != nil }
  }
}

extension StoredTable.Column {
  fileprivate init(_ row: SQLRow, _ dialect: SQLDialect) {
    var reader = SQLRowReader(row)
    let name = reader.text()
    let type = reader.text().lowercased()
    let collation = reader.text().lowercased()
    let (isNullable, hasDefault) = (reader.flag() ?? false, reader.flag() ?? false)
    let extra = reader.text().lowercased()
    let base = String(type.prefix { $0 != "(" })
    let kind: Kind
    switch base {
    case "tinyint", "smallint", "mediumint", "int", "bigint", "integer": kind = .number
    case "boolean": kind = .flag
    case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "character",
      "character varying", "uuid", "citext":
      kind = .text
    case "binary", "varbinary": kind = .bytes
    case "date": kind = .day
    case _ where base.hasPrefix("datetime") || base.hasPrefix("timestamp"): kind = .moment
    default:
      // An unsigned number, or a type of words that the host has made.
      kind = type.hasSuffix(" unsigned") ? .number : extra.contains("words") ? .text : .other
    }
    // MariaDB writes how wide a number is shown.
    let shown = kind == .number && !type.contains("unsigned") ? base : type
    self.init(
      name: name, type: collation.isEmpty ? shown : "\(shown) \(collation)", kind: kind,
      isNullable: isNullable, hasDefault: hasDefault, isCounted: extra.contains("counted"),
      isGenerated: extra.contains("generated"), isTouched: extra.contains("on update"))
  }
}

extension [SQLStatement] {
  /// The kind of thing that a name belongs to; the columns; the columns of the indices; the foreign keys; the triggers.
  fileprivate static let describeInMariaDB = [
    SQLStatement(
      "adoption_table_mariadb",
      """
      SELECT table_type, NULLIF(engine, 'InnoDB') FROM information_schema.tables
      WHERE table_name = $1 AND table_schema = COALESCE($2, DATABASE())
      """),
    SQLStatement(
      "adoption_columns_mariadb",
      """
      SELECT column_name, column_type, CASE WHEN collation_name IS NOT NULL
        THEN CONCAT('character set ', character_set_name, ' collate ', collation_name) END,
        CASE WHEN is_nullable = 'YES' THEN 1 ELSE 0 END,
        CASE WHEN column_default IS NULL THEN 0 ELSE 1 END,
        REPLACE(extra, 'auto_increment', 'counted')
      FROM information_schema.columns
      WHERE table_name = $1 AND table_schema = COALESCE($2, DATABASE())
      ORDER BY ordinal_position
      """),
    SQLStatement(
      "adoption_indices_mariadb",
      """
      SELECT index_name, CASE WHEN non_unique = 0 THEN 1 ELSE 0 END, 1,
        CASE WHEN sub_part IS NULL THEN 1 ELSE 0 END, column_name
      FROM information_schema.statistics
      WHERE table_name = $1 AND table_schema = COALESCE($2, DATABASE())
      ORDER BY index_name, seq_in_index
      """),
    SQLStatement(
      "adoption_foreign_keys_mariadb",
      """
      SELECT constraint_name FROM information_schema.referential_constraints
      WHERE (table_name = $1 AND constraint_schema = COALESCE($2, DATABASE()))
        OR (referenced_table_name = $1 AND unique_constraint_schema = COALESCE($2, DATABASE()))
      """),
    SQLStatement(
      "adoption_triggers_mariadb",
      """
      SELECT trigger_name FROM information_schema.triggers
      WHERE event_object_table = $1 AND event_object_schema = COALESCE($2, DATABASE())
      UNION ALL
      SELECT NULL FROM DUAL WHERE CURRENT_ROLE() IS NULL AND NOT EXISTS (
        SELECT 1 FROM information_schema.user_privileges WHERE privilege_type = 'TRIGGER'
        UNION ALL
        SELECT 1 FROM information_schema.schema_privileges
        WHERE privilege_type = 'TRIGGER' AND COALESCE($2, DATABASE()) LIKE table_schema
        UNION ALL
        SELECT 1 FROM information_schema.table_privileges
        WHERE privilege_type = 'TRIGGER' AND table_name = $1
          AND table_schema = COALESCE($2, DATABASE()))
      """),
  ]

  fileprivate static let describeInPath = describe("path", "to_regclass(CAST($1 AS TEXT))")

  /// In the first schema of the search path.
  fileprivate static let describeInSchema = describe(
    "schema", "to_regclass(quote_ident(CAST(current_schema() AS TEXT)) || '.' || CAST($1 AS TEXT))")

  private static func describe(_ name: String, _ table: String) -> [SQLStatement] {
    [
      SQLStatement(
        "adoption_table_\(name)",
        "SELECT CAST(relkind AS TEXT) FROM pg_catalog.pg_class WHERE oid = \(table)"),
      SQLStatement(
        "adoption_columns_\(name)",
        """
        SELECT CAST(a.attname AS TEXT), format_type(a.atttypid, a.atttypmod),
          CASE WHEN l.collname IS NOT NULL THEN 'collate "' || CAST(l.collname AS TEXT) || '"' END,
          CASE WHEN a.attnotnull THEN 0 ELSE 1 END, CASE WHEN a.atthasdef THEN 1 ELSE 0 END,
          CASE WHEN a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%'
            THEN 'counted ' ELSE '' END
            || CASE WHEN a.attgenerated <> '' THEN 'generated ' ELSE '' END
            || CASE WHEN t.typtype = 'e' THEN 'words' ELSE '' END
        FROM pg_catalog.pg_attribute a
        JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
        LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE a.attrelid = \(table) AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY a.attnum
        """),
      SQLStatement(
        "adoption_indices_\(name)",
        """
        SELECT CAST(x.relname AS TEXT), CASE WHEN i.indisunique THEN 1 ELSE 0 END,
          CASE WHEN i.indpred IS NULL THEN 1 ELSE 0 END, 1, CAST(a.attname AS TEXT)
        FROM pg_catalog.pg_index i
        JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
        CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (number, place)
        LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
        WHERE i.indrelid = \(table) AND k.place <= i.indnkeyatts
        ORDER BY x.relname, k.place
        """),
      SQLStatement(
        "adoption_foreign_keys_\(name)",
        """
        SELECT CAST(conname AS TEXT) FROM pg_catalog.pg_constraint
        WHERE contype = 'f' AND (conrelid = \(table) OR confrelid = \(table))
        """),
      SQLStatement(
        "adoption_triggers_\(name)",
        """
        SELECT CAST(tgname AS TEXT) FROM pg_catalog.pg_trigger
        WHERE tgrelid = \(table) AND NOT tgisinternal
        """),
    ]
  }
}
