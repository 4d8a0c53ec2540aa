/// A statement about several ids, in each dialect; and the one about a single id, which is faster.
final class ListStatement: Sendable {
  let one: LockableStatement
  let sqlite: LockableStatement
  let postgres: LockableStatement

  /// A statement whose text is made from the condition on the ids; about several it ends with an order.
  init(
    _ name: String, column: String, parameter: String, orderOfSeveral order: String = "",
    lock: String, sql: (String) -> String
  ) {
    one = LockableStatement(name + "_one", sql("\(column) = \(parameter)"), lock: lock)
    let list = SQLTextList.condition
    sqlite = LockableStatement(name, sql(list(column, parameter, .sqlite)) + order, lock: lock)
    postgres = LockableStatement(name, sql(list(column, parameter, .postgres)) + order, lock: lock)
  }
}

extension ListStatement {
  /// The variant for several ids.
  func several(_ dialect: SQLDialect) -> LockableStatement {
    dialect == .postgres ? postgres : sqlite
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
      choose(statement.several(dialect)), before + [SQLTextList(ids).value(dialect)])
  }
}
