/// The treatment of tables that a database has before a store makes its own.
public enum ExistingTables: Hashable, Sendable {
  /// A table that differs from the one that is needed is refused, and nothing is changed.
  case refuse
  /// Columns, keys and types that are missing are made, and all rows stay, with the columns that no record needs.
  ///
  /// In PostgreSQL tables of all schemas of the search path are adopted, in one transaction. MariaDB commits each
  /// change by itself; if one is interrupted, the next start goes on.
  case adopt
}

/// The reason why a store does not open a database that has tables under the names of its own.
///
/// Nothing was changed. Checks of a table are not examined, nor are the units of its numbers, nor other further unique keys
/// in PostgreSQL.
public struct UnsuitableTables: Error, Hashable, Sendable {
  /// In the order of the tables; for a store that adopts tables only what it cannot change by itself.
  public let differences: [TableDifference]

  /// Creates a reason.
  public init(_ differences: [TableDifference]) { self.differences = differences }
}

extension UnsuitableTables: CustomStringConvertible {
  public var description: String {
    "the database has other tables: \(differences.map(\.description).joined(separator: "; "))"
  }
}

/// A difference between a table of a database and the one that is needed.
public struct TableDifference: Hashable, Sendable {
  /// A kind of difference, with the names of the columns.
  @nonexhaustive
  public enum Kind: Hashable, Sendable {
    case missingColumn(String)
    /// The types are in the words of the database.
    case otherType(column: String, stored: String, needed: String)
    /// A number that the database has to give is given by nobody.
    case notCounted(column: String)
    /// The numbers that the database gives have fewer than 8 bytes, and run out within years.
    case narrowNumbers(column: String)
    /// Null is not allowed, although it is written.
    case refusesNull(column: String)
    /// Null is allowed, although the column belongs to a key or stands for a moment of ours.
    case allowsNull(column: String)
    /// Rows have null in a column of a key.
    case hasNull(column: String)
    /// A column that no record has wants a value in each row.
    case needsValue(column: String)
    /// No unique key has exactly these columns.
    case missingKey(columns: [String])
    /// A unique key has another name, by which failures would not be known.
    case otherName(String, needed: String)
    /// A further unique key: in MariaDB one by which a new row would change another one, in PostgreSQL one that is looked at
    /// only when a transaction ends.
    case furtherKey(String, columns: [String])
    /// The database computes a column that is written.
    case computed(column: String)
    /// Rows have the same values in columns that are unique.
    case duplicates(columns: [String])
    /// An index has the name of a unique one, and is not unique or has other columns.
    case otherIndex(String)
    /// A foreign key of the table, or one that leads to it, would refuse rows, and the new types of its columns.
    case foreignKey(String)
    /// A trigger, or a rule of PostgreSQL, would change what is written, or write more.
    case trigger(String)
    /// A view of PostgreSQL shows a column that gets another type, or a column is computed from it.
    case dependent(String, column: String)
    /// The user of the database has no right to see triggers.
    case triggersNotShown
    /// The engine of the table, in MariaDB, takes nothing back and locks no rows.
    case otherEngine(String)
    /// A crash would empty the table, in PostgreSQL.
    case unlogged
    /// Rows of identities have capitals, or white space around them, so that nobody would be found.
    case notNormalized(column: String)
    /// The table is in a further schema of PostgreSQL's search path, and its name is free, or taken by another one, in the
    /// first.
    case otherSchema(String)
    /// The table is not in the database of MariaDB that a setting names.
    case notInDatabase(String)
    /// No table of the store has the name for which a setting names a database of MariaDB.
    case unknownName
    /// The name belongs to a view, or to something else than a table.
    case noTable
  }

  public let table: String
  public let kind: Kind

  /// Creates a difference.
  public init(_ table: String, _ kind: Kind) {
    self.table = table
    self.kind = kind
  }
}

extension TableDifference: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .missingColumn(let column): "\(table) has no column \(column)"
    case .otherType(let column, let stored, let needed):
      "\(table).\(column) is \(stored), not \(needed)"
    case .notCounted(let column): "\(table).\(column) gets no number from the database"
    case .narrowNumbers(let column): "\(table).\(column) has numbers of fewer than 8 bytes"
    case .refusesNull(let column): "\(table).\(column) takes no null"
    case .allowsNull(let column): "\(table).\(column) may be null"
    case .hasNull(let column): "\(table).\(column) is null in some rows"
    case .needsValue(let column): "\(table).\(column) has no default"
    case .missingKey(let columns):
      "\(table) has no unique key (\(columns.joined(separator: ", ")))"
    case .otherName(let name, let needed): "\(table) has a key \(name), not \(needed)"
    case .furtherKey(let name, let columns):
      "\(table) has a further unique key \(name) (\(columns.joined(separator: ", ")))"
    case .computed(let column): "\(table).\(column) is computed"
    case .duplicates(let columns):
      "\(table) has the same \(columns.joined(separator: ", ")) more than once"
    case .otherIndex(let index):
      "\(table) has an index \(index) that is not unique, or has other columns"
    case .foreignKey(let name): "\(table) has the foreign key \(name)"
    case .trigger(let name): "\(table) has the trigger \(name)"
    case .triggersNotShown:
      "whether \(table) has triggers is shown to a user with the right TRIGGER only"
    case .otherEngine(let engine): "\(table) has the engine \(engine), not InnoDB"
    case .dependent(let name, let column): "\(name) depends on \(table).\(column)"
    case .unlogged: "\(table) is UNLOGGED"
    case .notNormalized(let column):
      "\(table).\(column) has capitals, or white space around it, in some rows"
    case .otherSchema(let schema): "\(table) is in the schema \(schema) too"
    case .notInDatabase(let database): "\(table) is not in the database \(database)"
    case .unknownName: "\(table) is no table of the store"
    case .noTable: "\(table) is no table"
    }
  }
}
