internal import StorekeeperLocks

/// A statement about several ids, in each dialect; and the one about a single id, which is faster.
final class ListStatement: Sendable {
  let one: LockableStatement
  private let sqlite: LockableStatement
  private let postgres: LockableStatement
  /// The statements for MariaDB, by the number of ids.
  ///
  /// MariaDB looks up what stands in the statement itself, while it might go through the whole table for a list in one
  /// parameter, and wait for the rows that others have locked.
  private let mariadb = Locked<[Int: LockableStatement]>([:])
  private let make: @Sendable (Int) -> LockableStatement

  /// A statement whose text is made from the condition on the ids, and that for MariaDB where it is another; about
  /// several it ends with an order.
  init(
    _ name: String, column: String, parameter: String, orderOfSeveral order: String = "",
    lock: String, mariadb: (@Sendable (String) -> String)? = nil,
    sql: @escaping @Sendable (String) -> String
  ) {
    let condition = "\(column) = \(parameter)"
    one = LockableStatement(
      name + "_one", sql(condition), mariadb: mariadb?(condition), lock: lock)
    let list = SQLTextList.table(parameter, .sqlite)
    sqlite = LockableStatement(
      name, sql("\(column) IN (SELECT value FROM \(list))") + order, lock: lock)
    postgres = LockableStatement(
      name, sql("\(column) = ANY(CAST(\(parameter) AS TEXT[]))") + order, lock: lock)
    let first = Int(parameter.dropFirst()) ?? 1
    make = { count in
      let list = (first..<first + count).map { "$\($0)" }.joined(separator: ", ")
      return LockableStatement(
        "\(name)_\(count)", (mariadb ?? sql)("\(column) IN (\(list))") + order, lock: lock)
    }
  }
}

extension ListStatement {
  /// The variant for several ids.
  func several(_ dialect: SQLDialect, _ ids: [String]) -> LockableStatement {
    switch dialect {
    case .sqlite: sqlite
    case .postgres: postgres
    case .mariadb: ofMany(Self.places(for: ids.count))
    }
  }

  private func ofMany(_ count: Int) -> LockableStatement {
    mariadb.withLock { statements in
      let statement = statements[count] ?? make(count)
      statements[count] = statement
      return statement
    }
  }

  /// The values of several ids.
  static func values(_ ids: [String], _ dialect: SQLDialect) -> [SQLValue] {
    guard dialect == .mariadb else { return [SQLTextList(ids).value(dialect)] }
    let last = Array(repeating: ids.last ?? "", count: places(for: ids.count) - ids.count)
    return (ids + last).map { .text($0) }
  }

  /// A power of two, so that few statements serve all numbers of ids.
  private static func places(for count: Int) -> Int {
    var places = 2
    while places < count { places *= 2 }
    return places
  }

  /// All variants that were used for any number of ids.
  func used(_ dialect: SQLDialect) -> [LockableStatement] {
    switch dialect {
    case .sqlite: [one, sqlite]
    case .postgres: [one, postgres]
    case .mariadb: [one] + mariadb.withLock { Array($0.values) }
    }
  }
}

extension SQLSession {
  /// Runs a statement about ids; no ids, no rows.
  func query(
    _ statement: ListStatement, ids: [String], before: [SQLValue] = []
  ) async throws -> [SQLRow] {
    guard let call = call(statement, ids: ids, before: before) else { return [] }
    return try await query(call.statement, call.values)
  }

  /// The call of a statement about ids; none without ids.
  func call(_ statement: ListStatement, ids: [String], before: [SQLValue] = []) -> SQLCall? {
    guard let first = ids.first else { return nil }
    guard ids.count > 1 else { return SQLCall(choose(statement.one), before + [.text(first)]) }
    let dialect = connection.dialect
    return SQLCall(
      choose(statement.several(dialect, ids)), before + ListStatement.values(ids, dialect))
  }
}
