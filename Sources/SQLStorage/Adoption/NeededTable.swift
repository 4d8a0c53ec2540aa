/// A table as the statements of migrations make it.
struct NeededTable {
  struct Column {
    /// As statements have it: with quotation marks, if it has capitals.
    let name: String
    /// In the words of the dialect.
    let type: String
    let isNullable: Bool
    /// Whether the database gives a number to each row.
    let isCounted: Bool
    /// The value of rows that have none yet.
    let fill: String?

    var plainName: String { name.filter { $0 != "\"" } }

    var isNumber: Bool { type == "BIGINT" || type == "SMALLINT" }
  }

  struct Key {
    let name: String
    let columns: [String]
    /// The condition of an index that has some rows only.
    let condition: String?
  }

  let name: String
  /// Whether migrations make the table, and not only change it.
  let isWhole: Bool
  let columns: [Column]
  /// The columns that further statements add, without those that MariaDB computes.
  let laterColumns: [Column]
  /// The keys that the table is made with.
  let keys: [Key]
  /// The unique indices that further statements make.
  let indices: [Key]

  /// The names of all tables that migrations make.
  static func names(of migrations: [SQLMigration], _ dialect: SQLDialect) -> Set<String> {
    Set(
      migrations.flatMap { $0.statements(dialect) }.compactMap {
        Statement($0).createdTable?.name
      })
  }

  /// The tables that migrations make, in order.
  static func all(of migrations: [SQLMigration], _ dialect: SQLDialect) -> [NeededTable] {
    // Names of keys and conditions of indices are in the statements for PostgreSQL only.
    let common = migrations.flatMap { $0.statements(.postgres) }.map(Statement.init)
    let indices = common.compactMap(\.uniqueIndex)
    let statements = migrations.flatMap { $0.statements(dialect) }.map(Statement.init)
    // A key that is a part of a table elsewhere may be an index of its own in MariaDB.
    let later = Set(statements.compactMap { $0.uniqueIndex?.key.name })
    let made = statements.compactMap(\.createdTable)
    let added = statements.compactMap(\.addedColumn)
    func laterColumns(of table: String) -> [Column] {
      added.filter { $0.table == table }.compactMap { Column(table: table, $0.definition) }
    }
    let whole = made.compactMap { name, items -> NeededTable? in
      guard
        let definitions = common.lazy.compactMap(\.createdTable).first(where: { $0.name == name })
      else { return nil }
      let keys = definitions.items.compactMap(Key.init)
      return NeededTable(
        name: name, isWhole: true, columns: items.compactMap { Column(table: name, $0) },
        laterColumns: laterColumns(of: name), keys: keys.filter { !later.contains($0.name) },
        indices: keys.filter { later.contains($0.name) }
          + indices.filter { $0.table == name }.map(\.key))
    }
    let changed = Set(added.map(\.table)).subtracting(made.map(\.name)).sorted()
    return whole
      + changed.map { name in
        NeededTable(
          name: name, isWhole: false, columns: [], laterColumns: laterColumns(of: name), keys: [],
          indices: indices.filter { $0.table == name }.map(\.key))
      }
  }
}

/// A statement of a migration with single spaces.
private struct Statement {
  let text: String

  init(_ sql: String) {
    text = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The name of the table that is made, and the definitions of its columns and keys.
  var createdTable: (name: String, items: [String])? {
    guard text.hasPrefix("CREATE TABLE "), let start = text.firstIndex(of: "("),
      let name = text[..<start].split(separator: " ").last
    else { return nil }
    var (items, item, depth) = ([String](), "", 0)
    for character in text[text.index(after: start)...] {
      if character == ")", depth == 0 { break }
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      if character == ",", depth == 0 {
        items.append(item)
        item = ""
      } else {
        item.append(character)
      }
    }
    return (String(name), (items + [item]).map { String($0.drop { $0 == " " }) })
  }

  /// The column that is added to a table.
  var addedColumn: (table: String, definition: String)? {
    let text = text.replacing(" IF NOT EXISTS", with: "")
    let words = text.split(separator: " ", maxSplits: 5)
    guard text.hasPrefix("ALTER TABLE "), words.count == 6, words[3...4] == ["ADD", "COLUMN"],
      !words[5].contains(" AS (")
    else { return nil }
    return (String(words[2]), String(words[5]))
  }

  var uniqueIndex: (table: String, key: NeededTable.Key)? {
    let text = text.replacing(" IF NOT EXISTS", with: "")
    let words = text.split(separator: " ")
    guard text.hasPrefix("CREATE UNIQUE INDEX "), words.count > 5 else { return nil }
    let condition = text.firstRange(of: " WHERE ").map { String(text[$0.upperBound...]) }
    return (
      String(words[5]),
      NeededTable.Key(name: String(words[3]), columns: text.listed, condition: condition)
    )
  }
}

extension String {
  /// The names in the first parentheses.
  fileprivate var listed: [String] {
    drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }.split(separator: ",").map {
      String($0.drop { $0 == " " })
    }
  }
}

extension NeededTable.Key {
  /// The key of a definition that has one.
  fileprivate init?(_ definition: String) {
    let words = definition.split(separator: " ")
    guard let constraint = words.firstIndex(of: "CONSTRAINT"), constraint + 1 < words.count,
      words.contains("UNIQUE") || words.contains("PRIMARY")
    else { return nil }
    self.init(
      name: String(words[constraint + 1]),
      columns: constraint == 0 ? definition.listed : [String(words[0])], condition: nil)
  }
}

extension NeededTable.Column {
  fileprivate init?(table: String, _ definition: String) {
    guard !definition.hasPrefix("CONSTRAINT "), let space = definition.firstIndex(of: " ") else {
      return nil
    }
    let rest = definition[definition.index(after: space)...]
    let end = Self.ends.compactMap { rest.firstRange(of: $0)?.lowerBound }.min() ?? rest.endIndex
    let isCounted = rest.contains("AUTO_INCREMENT") || rest.contains("AS IDENTITY")
    let name = String(definition[..<space])
    let standard = rest.firstRange(of: " DEFAULT ").map { range in
      String(rest[range.upperBound...].prefix { $0 != " " })
    }
    self.init(
      name: name, type: String(rest[..<end]),
      isNullable: !isCounted && !rest.contains("NOT NULL") && !rest.contains("PRIMARY KEY"),
      isCounted: isCounted, fill: standard ?? Self.unknown[table]?[name])
  }

  private static let ends = [
    " NOT NULL", " PRIMARY KEY", " CONSTRAINT ", " UNIQUE", " DEFAULT ", " CHECK ", " GENERATED ",
  ]

  /// The values that say of a row that nothing is known: any stamp is newer, and the refresh job asks the store.
  private static let unknown = [
    "apple_subscription": ["as_of_ms": "0", "in_billing_retry": "0", "auto_renewal": "0"],
    "apple_transaction": ["unreadable_fields": "0", "is_upgraded": "0"],
    "apple_pending_renewal": ["as_of_ms": "0"],
    "apple_receipt": ["as_of_ms": "0"],
    "member_snapshot": ["auto_renewal": "0"],
  ]
}
