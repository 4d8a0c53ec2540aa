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
    /// Whether PostgreSQL looks at it only when a transaction ends.
    var isLate: Bool
    var columns: [String]

    var isKey: Bool { isUnique && hasWholeValues }
  }

  let isTable: Bool
  /// Whether a crash empties the table, in PostgreSQL.
  let isUnlogged: Bool
  /// The name of the engine in MariaDB, unless it is InnoDB.
  let otherEngine: String?
  /// Whether an index of the table has values of 767 bytes at most, in MariaDB.
  let hasShortKeys: Bool
  let columns: [String: Column]
  let indices: [String: Index]
  /// The names of the foreign keys of the table, and of those that lead to it.
  let foreignKeys: [String]
  /// The names of the triggers, and in PostgreSQL of the rules.
  let triggers: [String]
  /// The views of PostgreSQL that show a column, and the columns that are computed from one.
  let dependents: [(name: String, column: String)]
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
  /// Reads a table of a schema, or of a database of MariaDB, or nil if the name is free there.
  ///
  /// Without one it is that of the connection: in PostgreSQL the first of the search path.
  init?(_ name: String, in schema: String?, of connection: any SQLConnection) async throws {
    let dialect = connection.dialect
    let values: [SQLValue] = [.text(name), schema.map { .text($0) } ?? .null]
    let statements: [SQLStatement] =
      dialect == .mariadb ? .describeInMariaDB : .describeInPostgres
    let answers = try await connection.query(statements.map { SQLCall($0, values) })
    guard let table = answers[0].first, let kind = table[0].name else { return nil }
    isTable = ["BASE TABLE", "r", "p"].contains(kind)
    isUnlogged = table[1].name == "u"
    otherEngine = table[2].name
    hasShortKeys = ["compact", "redundant"].contains(table[3].name?.lowercased() ?? "")
    let columns = answers[1].map { Column($0, dialect) }
    self.columns = Dictionary(columns.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    var indices: [String: Index] = [:]
    for row in answers[2] {
      let name = row[0].name ?? ""
      var index =
        indices[name]
        ?? Index(
          isUnique: row[1].flag ?? false, hasAllRows: row[2].flag ?? false, hasWholeValues: true,
          isLate: row[5].flag ?? false, columns: [])
      index.hasWholeValues = index.hasWholeValues && row[3].flag ?? false
      index.columns.append(row[4].name ?? "")
      indices[name] = index
    }
    self.indices = indices
    func names(_ rows: [SQLRow]) -> [String] { Set(rows.compactMap { $0[0].name }).sorted() }
    (foreignKeys, triggers) = (names(answers[3]), names(answers[4]))
    showsTriggers = answers[4].allSatisfy { $0[0].name != nil }
    dependents =
      dialect == .mariadb
      ? answers[1].flatMap { row in
        // Names are quoted as the mode of the connection has it.
        let words = Set((row[6].name ?? "").split { $0 == "`" || $0 == "\"" })
        return columns.filter { words.contains($0.name[...]) }.map { (row[0].name ?? "", $0.name) }
      }
      : answers[5].map { ($0[0].name ?? "", $0[1].name ?? "") }
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
  /// The kind of thing that a name belongs to; the columns; the columns of the indices; the foreign keys; the triggers; in
  /// PostgreSQL what depends on columns.
  fileprivate static let describeInMariaDB = [
    SQLStatement(
      "adoption_table_mariadb",
      """
      SELECT table_type, NULL, NULLIF(engine, 'InnoDB'), row_format FROM information_schema.tables
      WHERE table_name = $1 AND table_schema = COALESCE($2, DATABASE())
      """),
    SQLStatement(
      "adoption_columns_mariadb",
      """
      SELECT column_name, column_type, CASE WHEN collation_name IS NOT NULL
        THEN CONCAT('character set ', character_set_name, ' collate ', collation_name) END,
        CASE WHEN is_nullable = 'YES' THEN 1 ELSE 0 END,
        CASE WHEN column_default IS NULL THEN 0 ELSE 1 END,
        REPLACE(extra, 'auto_increment', 'counted'), generation_expression
      FROM information_schema.columns
      WHERE table_name = $1 AND table_schema = COALESCE($2, DATABASE())
      ORDER BY ordinal_position
      """),
    SQLStatement(
      "adoption_indices_mariadb",
      """
      SELECT index_name, CASE WHEN non_unique = 0 THEN 1 ELSE 0 END, 1,
        CASE WHEN sub_part IS NULL THEN 1 ELSE 0 END, column_name, 0
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

  fileprivate static let describeInPostgres: [SQLStatement] = {
    let table = """
      to_regclass(quote_ident(COALESCE(CAST($2 AS TEXT), CAST(current_schema() AS TEXT)))
        || '.' || CAST($1 AS TEXT))
      """
    return [
      SQLStatement(
        "adoption_table",
        """
        SELECT CAST(relkind AS TEXT), CAST(relpersistence AS TEXT), NULL, NULL
        FROM pg_catalog.pg_class WHERE oid = \(table)
        """),
      SQLStatement(
        "adoption_columns",
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
        "adoption_indices",
        """
        SELECT CAST(x.relname AS TEXT),
          CASE WHEN i.indisunique AND i.indimmediate AND i.indisvalid THEN 1 ELSE 0 END,
          CASE WHEN i.indpred IS NULL THEN 1 ELSE 0 END, 1, CAST(a.attname AS TEXT),
          CASE WHEN i.indimmediate THEN 0 ELSE 1 END
        FROM pg_catalog.pg_index i
        JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
        CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (number, place)
        LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
        WHERE i.indrelid = \(table) AND k.place <= i.indnkeyatts
        ORDER BY x.relname, k.place
        """),
      SQLStatement(
        "adoption_foreign_keys",
        """
        SELECT CAST(conname AS TEXT) FROM pg_catalog.pg_constraint
        WHERE contype = 'f' AND (conrelid = \(table) OR confrelid = \(table))
        """),
      SQLStatement(
        "adoption_triggers",
        """
        SELECT CAST(tgname AS TEXT) FROM pg_catalog.pg_trigger
        WHERE tgrelid = \(table) AND NOT tgisinternal
        UNION ALL
        SELECT CAST(rulename AS TEXT) FROM pg_catalog.pg_rewrite WHERE ev_class = \(table)
        """),
      SQLStatement(
        "adoption_dependents",
        """
        SELECT DISTINCT CAST(COALESCE(v.relname, g.attname) AS TEXT), CAST(a.attname AS TEXT)
        FROM pg_catalog.pg_depend p
        JOIN pg_catalog.pg_attribute a ON a.attrelid = p.refobjid AND a.attnum = p.refobjsubid
        LEFT JOIN pg_catalog.pg_rewrite r
          ON p.classid = CAST('pg_rewrite' AS REGCLASS) AND r.oid = p.objid
        LEFT JOIN pg_catalog.pg_class v ON v.oid = r.ev_class
        LEFT JOIN pg_catalog.pg_attrdef d
          ON p.classid = CAST('pg_attrdef' AS REGCLASS) AND d.oid = p.objid
        LEFT JOIN pg_catalog.pg_attribute g
          ON g.attrelid = d.adrelid AND g.attnum = d.adnum AND g.attgenerated <> ''
        WHERE p.refclassid = CAST('pg_class' AS REGCLASS) AND p.refobjid = \(table)
          AND COALESCE(v.relname, g.attname) IS NOT NULL
          AND (g.attname IS NULL OR g.attnum <> a.attnum)
        ORDER BY 1, 2
        """),
    ]
  }()
}
