internal import ReceiptModels

/// Several transaction ids as one bound text, so that one statement serves any number of them.
///
/// Only ids that can be stored are in it, whose characters need no quoting.
struct SQLIdentifierList {
  let ids: [String]

  init(_ ids: [String]) { self.ids = ids.filter(TransactionIDs.areStorable) }

  /// An array of PostgreSQL, or a JSON array for SQLite.
  func value(_ dialect: SQLDialect) -> SQLValue {
    switch dialect {
    case .postgres: .text("{" + ids.joined(separator: ",") + "}")
    case .sqlite: .text("[\"" + ids.joined(separator: "\",\"") + "\"]")
    }
  }

  /// The ids of a parameter as a table with the column `value`.
  static func table(_ parameter: String, _ dialect: SQLDialect) -> String {
    switch dialect {
    case .postgres: "unnest(CAST(\(parameter) AS TEXT[])) AS ids (value)"
    case .sqlite: "json_each(\(parameter))"
    }
  }

  /// The condition that a column is one of those of a parameter.
  static func condition(_ column: String, _ parameter: String, _ dialect: SQLDialect) -> String {
    switch dialect {
    case .postgres: "\(column) = ANY(CAST(\(parameter) AS TEXT[]))"
    case .sqlite: "\(column) IN (SELECT value FROM \(table(parameter, dialect)))"
    }
  }
}

/// A statement about several ids, in each dialect; and the one about a single id, which is faster.
final class ListStatement: Sendable {
  let one: LockableStatement
  let sqlite: LockableStatement
  let postgres: LockableStatement

  /// A statement whose text is made from the condition on the ids.
  init(_ name: String, column: String, parameter: String, lock: String, sql: (String) -> String) {
    one = LockableStatement(name + "_one", sql("\(column) = \(parameter)"), lock: lock)
    let list = SQLIdentifierList.condition
    sqlite = LockableStatement(name, sql(list(column, parameter, .sqlite)), lock: lock)
    postgres = LockableStatement(name, sql(list(column, parameter, .postgres)), lock: lock)
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
    let list = SQLIdentifierList(ids)
    guard let first = list.ids.first else { return nil }
    guard list.ids.count > 1 else {
      return SQLCall(choose(statement.one), before + [.text(first)])
    }
    return SQLCall(
      choose(statement.several(connection.dialect)), before + [list.value(connection.dialect)])
  }
}
