/// The comparison of a table that a database has with the one that is needed.
struct TableComparison {
  /// A column that is there and becomes another.
  struct Change {
    let column: NeededTable.Column
    let stored: StoredTable.Column
    /// The type that it gets.
    let type: String
    let isNullable: Bool

    var changesType: Bool { stored.type != type.lowercased() }
    /// Whether it becomes a moment of ours, in whole seconds or milliseconds.
    var isMoment: Bool { stored.kind == .moment && column.isNumber }
    /// The value that rows with null get.
    var fill: String? { stored.isNullable && !isNullable ? column.fill : nil }
  }

  let needed: NeededTable
  let stored: StoredTable
  let dialect: SQLDialect
  private(set) var differences: [TableDifference] = []
  /// The differences that no statement of ours removes.
  private(set) var obstacles: [TableDifference] = []
  private(set) var added: [NeededTable.Column] = []
  private(set) var changes: [Change] = []
  /// The columns of the host's own whose numbers run out: each write of a row takes one, also where the row is there.
  private(set) var narrowNumbers: [StoredTable.Column] = []
  /// The keys that are there by other names.
  private(set) var renamedKeys: [(name: String, needed: String)] = []
  private(set) var missingKeys: [NeededTable.Key] = []
  /// The unique keys that do not hold yet.
  private(set) var newKeys: [NeededTable.Key] = []

  init(_ needed: NeededTable, _ stored: StoredTable, _ dialect: SQLDialect) {
    (self.needed, self.stored, self.dialect) = (needed, stored, dialect)
    guard stored.isTable else {
      note(.noTable, canBeAdopted: false)
      return
    }
    for column in needed.columns { compare(column) }
    for column in needed.laterColumns where stored.columns[column.plainName] != nil {
      compare(column)
    }
    if needed.isWhole {
      if let engine = stored.otherEngine { note(.otherEngine(engine), canBeAdopted: false) }
      if stored.isUnlogged { note(.unlogged, canBeAdopted: false) }
      for name in stored.foreignKeys { note(.foreignKey(name), canBeAdopted: false) }
      for name in stored.triggers { note(.trigger(name), canBeAdopted: false) }
    }
    compareKeys()
    if needed.isWhole { compareOwn() }
    // A table without any difference is one of ours, from a first start that was interrupted.
    if !stored.showsTriggers, !differences.isEmpty { note(.triggersNotShown, canBeAdopted: false) }
  }

  /// Compares the columns and keys of the host's own.
  private mutating func compareOwn() {
    for column in stored.columns.values.sorted(by: { $0.name < $1.name })
    where !names.contains(column.name) && !column.isNullable && !column.hasDefault
      && !column.isCounted && !column.isGenerated
    {
      note(.needsValue(column: column.name), canBeAdopted: false)
    }
    for column in stored.columns.values.sorted(by: { $0.name < $1.name })
    where column.isCounted && !names.contains(column.name) && column.kind == .number
      && !column.type.hasPrefix("bigint")
    {
      note(.narrowNumbers(column: column.name))
      narrowNumbers.append(column)
      if dialect == .postgres { noteDependents(on: column.name) }
    }
    let ours = needed.keys + needed.indices
    // PostgreSQL does not insert where a row may be there and a key with these columns is late.
    for (name, index) in stored.indices.sorted(by: { $0.key < $1.key })
    where index.isLate && ours.contains(where: { Set($0.columns) == Set(index.columns) }) {
      note(.furtherKey(name, columns: index.columns), canBeAdopted: false)
    }
    // MariaDB would change whichever row has the same values, as it names no key where a row is there already.
    guard dialect == .mariadb else { return }
    let counted = Set(stored.columns.values.filter(\.isCounted).map(\.name))
    let moments = Set(changes.filter(\.isMoment).map(\.stored.name))
    for (name, index) in stored.indices.sorted(by: { $0.key < $1.key })
    where index.isUnique && !ours.contains(where: { $0.name == name })
      && !(index.hasWholeValues && moments.isDisjoint(with: index.columns)
        && (!counted.isDisjoint(with: index.columns)
          || ours.contains { Set(index.columns).isSuperset(of: $0.columns) }))
    {
      note(.furtherKey(name, columns: index.columns), canBeAdopted: false)
    }
  }

  mutating func note(_ kind: TableDifference.Kind, canBeAdopted: Bool = true) {
    let difference = TableDifference(needed.name, kind)
    differences.append(difference)
    if !canBeAdopted { obstacles.append(difference) }
  }

  private var names: Set<String> {
    Set((needed.columns + needed.laterColumns).map(\.plainName))
  }

  /// A number that the database gives is a key in any case.
  private var keys: [NeededTable.Key] {
    let counted = Set(needed.columns.filter(\.isCounted).map(\.name))
    return needed.keys.filter { counted.isDisjoint(with: $0.columns) }
  }

  private mutating func compareKeys() {
    for key in keys where isNew(key) {
      note(.missingKey(columns: key.columns))
      missingKeys.append(key)
      newKeys.append(key)
    }
    for key in needed.indices where isNew(key) { newKeys.append(key) }
  }

  /// Whether no key holds that would do.
  ///
  /// Failures are told by the names of keys.
  private mutating func isNew(_ key: NeededTable.Key) -> Bool {
    if let index = stored.indices[key.name] {
      if !stored.isOurs(index, of: key.columns) {
        note(.otherIndex(key.name), canBeAdopted: false)
      }
      return false
    }
    guard let name = stored.key(of: key.columns) else { return true }
    if name != "PRIMARY" {
      note(.otherName(name, needed: key.name))
      renamedKeys.append((name, key.name))
    }
    return false
  }

  private mutating func compare(_ column: NeededTable.Column) {
    guard let there = stored.columns[column.plainName] else { return add(column) }
    if there.isGenerated { note(.computed(column: column.plainName), canBeAdopted: false) }
    let type = type(of: column, there)
    let isUnfilled = column.fill == nil && !keys.contains { $0.columns.contains(column.name) }
    let isNullable = column.isNullable || (there.isNullable && isUnfilled)
    let change = Change(column: column, stored: there, type: type, isNullable: isNullable)
    if change.changesType {
      note(
        .otherType(column: column.plainName, stored: there.type, needed: type.lowercased()),
        canBeAdopted: canConvert(there, to: column))
    }
    if dialect == .mariadb ? change.isMoment : change.changesType {
      noteDependents(on: column.plainName)
    }
    if column.isCounted, !there.isCounted {
      note(.notCounted(column: column.plainName), canBeAdopted: false)
    }
    if there.isNullable != isNullable {
      note(
        isNullable ? .refusesNull(column: column.plainName) : .allowsNull(column: column.plainName))
    }
    if change.changesType || there.isNullable != isNullable { changes.append(change) }
  }

  /// Notes what depends on a column that is replaced, or in PostgreSQL gets another type, which is refused then.
  private mutating func noteDependents(on column: String) {
    for dependent in stored.dependents
    where dependent.column == column && !names.contains(dependent.name) {
      note(.dependent(dependent.name, column: column), canBeAdopted: false)
    }
  }

  private mutating func add(_ column: NeededTable.Column) {
    let canCount = column.isCounted && !stored.columns.values.contains(where: \.isCounted)
    note(
      .missingColumn(column.plainName),
      canBeAdopted: column.isNullable || column.fill != nil || canCount)
    added.append(column)
  }

  private func canConvert(
    _ stored: StoredTable.Column, to column: NeededTable.Column
  ) -> Bool {
    switch stored.kind {
    case .number, .moment: true
    case .flag: column.isNumber
    case .text, .day: !column.isNumber
    case .bytes: column.type.hasPrefix("VARBINARY")
    case .other: false
    }
  }

  /// The type that a stored column gets: the one that is needed, or a wider one, so that nothing is cut.
  ///
  /// MariaDB has no index on a whole `TEXT`, so that an indexed column stays one of so many characters. One that is a
  /// `TEXT` already has only its beginning in the index.
  private func type(of column: NeededTable.Column, _ stored: StoredTable.Column) -> String {
    guard dialect == .mariadb, column.type.hasPrefix("TEXT ") else { return column.type }
    let rest = column.type.dropFirst("TEXT".count)
    for wide in ["mediumtext", "longtext"] where stored.type.hasPrefix(wide) {
      return wide.uppercased() + rest
    }
    guard self.stored.isIndexed(column.plainName), !stored.type.hasPrefix("text") else {
      return column.type
    }
    return "VARCHAR(\(max(stored.length ?? 0, 255)))" + rest
  }
}
