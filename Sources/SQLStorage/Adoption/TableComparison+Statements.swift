// The statements that bring a table to the shape that is needed.
extension TableComparison {
  /// Each may run again.
  var statements: [String] {
    let parts = dialect == .mariadb ? mariaDBParts : postgresParts
    let alteration = parts.isEmpty ? [] : ["ALTER TABLE \(needed.name) \(parts.listed)"]
    // The columns of keys become longer.
    let isChanged = !parts.isEmpty || !missingKeys.isEmpty
    let format =
      stored.hasShortKeys && isChanged ? ["ALTER TABLE \(needed.name) ROW_FORMAT=DYNAMIC"] : []
    return format + preparations + alteration + renamings + wideSequences
      + missingKeys.map {
        """
        CREATE UNIQUE INDEX IF NOT EXISTS \($0.name) ON \(needed.name) \
        (\($0.columns.listed))
        """
      }
  }

  // A sequence of `SERIAL` ends with the type that the column had.
  private var wideSequences: [String] {
    guard dialect == .postgres else { return [] }
    let changed = changes.filter { $0.column.isCounted && $0.stored.isCounted }.map(\.stored)
    return (narrowNumbers + changed).map { column in
      """
      DO $$
      DECLARE numbers TEXT = pg_get_serial_sequence('\(needed.name)', '\(column.name)');
      BEGIN
        IF numbers IS NOT NULL THEN EXECUTE 'ALTER SEQUENCE ' || numbers || ' AS BIGINT'; END IF;
      END $$
      """
    }
  }

  private var renamings: [String] {
    renamedKeys.map { name, needed in
      dialect == .mariadb
        ? "ALTER TABLE \(self.needed.name) RENAME INDEX \"\(name)\" TO \(needed)"
        : "ALTER INDEX \"\(name)\" RENAME TO \(needed)"
    }
  }

  private var moments: [Change] { changes.filter(\.isMoment) }

  private func place(_ change: Change) -> String { "storekeeper_\(change.column.plainName)" }

  // A moment is written to a column beside the stored one, which is then dropped. A column that notes the moment of
  // each update is told to keep its own.
  private var preparations: [String] {
    let fills = changes.compactMap { change in
      dialect == .postgres && change.changesType || change.stored.kind == .moment
        ? nil
        : change.fill.map { "\(change.column.name) = COALESCE(\(change.column.name), \($0))" }
    }
    guard dialect == .mariadb else { return update(fills) }
    let places = moments.map { "ADD COLUMN IF NOT EXISTS \(place($0)) BIGINT" }
    let written = moments.map { change in
      "\(place(change)) = \(change.isNullable ? moment(change) : "COALESCE(\(moment(change)), 0)")"
    }
    let words = changes.filter { $0.type.hasPrefix("VARBINARY") && $0.stored.kind == .text }.map {
      """
      MODIFY COLUMN \($0.column.name) VARCHAR(\(max($0.stored.length ?? 0, 255))) \
      CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin\(null($0.stored.isNullable))
      """
    }
    return (places.isEmpty ? [] : ["ALTER TABLE \(needed.name) \(places.listed)"])
      + update(written + fills)
      + (words.isEmpty ? [] : ["ALTER TABLE \(needed.name) \(words.listed)"])
  }

  private func update(_ assignments: [String]) -> [String] {
    guard !assignments.isEmpty else { return [] }
    let kept = stored.columns.values.filter(\.isTouched).map { "\($0.name) = \($0.name)" }
    return ["UPDATE \(needed.name) SET \((assignments + kept).listed)"]
  }

  private func null(_ isNullable: Bool) -> String { isNullable ? " NULL" : " NOT NULL" }

  private var isSecondsBased: (NeededTable.Column) -> Bool {
    { $0.name.hasSuffix("_utc") || $0.name == "expire_time" }
  }

  // MARK: MariaDB

  private var mariaDBParts: [String] {
    changes.flatMap { change in
      let (name, definition) = (change.column.name, definition(change))
      guard change.isMoment else {
        return ["MODIFY COLUMN \(name) \(definition)"]
      }
      return ["DROP COLUMN \(name)", "CHANGE COLUMN \(place(change)) \(name) \(definition)"]
    }
      + narrowNumbers.map { column in
        let sign = column.type.hasSuffix(" unsigned") ? " UNSIGNED" : ""
        return "MODIFY COLUMN \"\(column.name)\" BIGINT\(sign) NOT NULL AUTO_INCREMENT"
      }
      + added.map { column in
        let definition = definition(column, type: column.type, isNullable: column.isNullable)
        return
          "ADD COLUMN IF NOT EXISTS \(column.name) \(definition)\(column.isCounted ? " UNIQUE" : "")"
      }
  }

  private func definition(_ change: Change) -> String {
    definition(change.column, type: change.type, isNullable: change.isNullable)
  }

  private func definition(
    _ column: NeededTable.Column, type: String, isNullable: Bool
  ) -> String {
    let counted = column.isCounted ? " AUTO_INCREMENT" : ""
    return type + null(isNullable) + counted + (column.fill.map { " DEFAULT \($0)" } ?? "")
  }

  private func moment(_ change: Change) -> String {
    let name = change.column.name
    return isSecondsBased(change.column)
      ? "TIMESTAMPDIFF(SECOND, '1970-01-01', \(name))"
      : "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', \(name)) DIV 1000"
  }

  // MARK: PostgreSQL

  private var postgresParts: [String] {
    changes.flatMap { change in
      let column = "ALTER COLUMN \(change.column.name)"
      var parts: [String] = []
      if change.changesType {
        if change.stored.hasDefault, !change.stored.isCounted {
          parts.append("\(column) DROP DEFAULT")
        }
        let value = postgresValue(change)
        let filled = change.fill.map { "COALESCE(\(value), \($0))" } ?? value
        parts.append("\(column) TYPE \(change.type) USING \(filled)")
      }
      if let fill = change.column.fill { parts.append("\(column) SET DEFAULT \(fill)") }
      if change.stored.isNullable != change.isNullable {
        parts.append("\(column) \(change.isNullable ? "DROP" : "SET") NOT NULL")
      }
      return parts
    }
      + narrowNumbers.map { "ALTER COLUMN \"\($0.name)\" TYPE BIGINT" }
      + added.map { column in
        let counted = column.isCounted ? " GENERATED ALWAYS AS IDENTITY UNIQUE" : ""
        let standard = column.fill.map { " DEFAULT \($0)" } ?? ""
        return
          "ADD COLUMN \(column.name) \(column.type)\(null(column.isNullable))\(counted)\(standard)"
      }
  }

  private func postgresValue(_ change: Change) -> String {
    let name = change.column.name
    let isZoned = change.stored.type.hasSuffix("with time zone")
    switch change.stored.kind {
    case .flag: return "CASE WHEN \(name) THEN 1 WHEN NOT \(name) THEN 0 END"
    case .moment where change.column.isNumber:
      let factor = isSecondsBased(change.column) ? "" : " * 1000"
      return "CAST(FLOOR(EXTRACT(EPOCH FROM \(finite(change)))\(factor)) AS BIGINT)"
    case .moment:
      let zone = isZoned ? " AT TIME ZONE 'UTC'" : ""
      return "to_char(\(finite(change))\(zone), 'YYYY-MM-DD HH24:MI:SS')"
    case .day: return "to_char(\(finite(change)), 'YYYY-MM-DD')"
    case .number, .text, .bytes, .other: return "CAST(\(name) AS \(change.type.base))"
    }
  }

  /// A day or a moment, with the first or the last one of the four-digit years in place of what is beyond.
  ///
  /// `infinity` among it: the membership of those who paid once and for all.
  private func finite(_ change: Change) -> String {
    let name = change.column.name
    let isZoned = change.stored.type.hasSuffix("with time zone")
    let (time, zone) = change.stored.kind == .day ? ("", "") : (" 23:59:59", isZoned ? "+00" : "")
    return """
      CASE WHEN \(name) IS NOT NULL
      THEN LEAST(GREATEST(\(name), '0001-01-01\(zone)'), '9999-12-31\(time)\(zone)') END
      """
  }
}

extension [String] {
  fileprivate var listed: String { joined(separator: ", ") }
}

extension String {
  /// A type without its collation.
  fileprivate var base: String {
    firstRange(of: " COLLATE").map { String(self[..<$0.lowerBound]) } ?? self
  }
}
