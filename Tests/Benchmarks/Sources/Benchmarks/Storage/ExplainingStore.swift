import PurchaseStorage
import SQLStorage

/// A store that keeps nothing, and notes the plan of each statement that it is asked.
///
/// Not for concurrent use; `@unchecked Sendable` because one task uses it.
final class ExplainingStore: PurchaseStore, @unchecked Sendable {
  let capabilities = StoreCapability.all
  private let connection: ExplainingConnection
  private let engine: Engine

  init(_ database: Database) throws {
    engine = try Engine(database)
    if database.kind == .postgres {
      // As the store has them.
      try engine.script(
        "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off")
    }
    connection = ExplainingConnection(engine, database.kind == .sqlite ? .sqlite : .postgres)
  }

  /// By the statement's name, in the order of the first use.
  var plans: [(name: String, steps: [String])] { connection.plans }

  func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await inTransaction(.reading, body)
  }

  func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await inTransaction(.writing, body)
  }

  private func inTransaction<Result: Sendable>(
    _ access: SQLRecords.Access,
    _ body: UnitOfWorkBody<Result>
  ) async throws -> Result {
    try engine.script("BEGIN")
    let result = try await body(SQLRecords(connection, access: access).unit)
    try engine.script("ROLLBACK")
    return result
  }
}

/// Notes the plan of each statement, then runs it.
final class ExplainingConnection: SQLConnection {
  let dialect: SQLDialect
  private(set) var plans: [(name: String, steps: [String])] = []
  private let engine: Engine

  init(_ engine: Engine, _ dialect: SQLDialect) {
    self.engine = engine
    self.dialect = dialect
  }

  func query(_ statement: SQLStatement, _ values: [SQLValue]) throws -> [SQLRow] {
    if !plans.contains(where: { $0.name == statement.name }) {
      plans.append((statement.name, try steps(of: statement, values)))
    }
    return try engine.rows(statement.sql, values)
  }

  func execute(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Int {
    _ = try query(statement, values)
    return 1
  }

  func execute(_ statement: SQLStatement, each rows: [[SQLValue]]) throws {
    for row in rows { _ = try query(statement, row) }
  }

  private func steps(of statement: SQLStatement, _ values: [SQLValue]) throws -> [String] {
    switch dialect {
    case .sqlite:
      return try engine.rows("EXPLAIN QUERY PLAN " + statement.sql, values).compactMap { row in
        guard row.count > 3, case .text(let step) = row[3] else { return nil }
        return step
      }
    case .postgres: return try keptPlan(of: statement, values.count)
    // The tests of its plans are Tests/MariaDBStorageTests/QueryPlanTests.swift.
    case .mariadb: return []
    }
  }

  /// The plan that the server makes once, for whatever values, as the store asks it to.
  private func keptPlan(of statement: SQLStatement, _ count: Int) throws -> [String] {
    try engine.script("PREPARE explained AS \(statement.sql)")
    let nulls = Array(repeating: "NULL", count: count).joined(separator: ", ")
    let plan = try engine.rows(
      "EXPLAIN (COSTS OFF) EXECUTE explained" + (count == 0 ? "" : "(\(nulls))"))
    try engine.script("DEALLOCATE explained")
    return plan.compactMap(Self.scan)
  }

  /// Whether a line of a plan says how a table is read.
  private static func scan(_ row: SQLRow) -> String? {
    guard case .text(let line)? = row.first, line.contains("Scan") else { return nil }
    return String(line.drop { " ->".contains($0) })
  }
}

extension ExplainingStore {
  /// Steps that read a whole table, or all of it that is of one environment.
  static func isScan(_ step: String) -> Bool {
    if step.contains("Seq Scan") || step.contains("(environment=?)") { return true }
    return step.hasPrefix("SCAN ") && step != "SCAN CONSTANT ROW"
      && !step.contains("VIRTUAL TABLE")
  }
  /// The indices that a plan uses, without repetition; SQLite's primary keys by table or alias.
  static func indices(of steps: [String]) -> [String] {
    steps.compactMap(index).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  private static func index(of step: String) -> String? {
    let words = step.split(separator: " ")
    if step.contains("PRIMARY KEY") { return "key of \(words[1])" }
    if step.contains("Bitmap Index Scan") { return words.last.map(String.init) }
    // "INDEX 1" numbers the conditions of an OR.
    guard let mark = words.dropFirst().firstIndex(where: { $0 == "INDEX" || $0 == "using" }),
      !step.contains("VIRTUAL TABLE")
    else { return nil }
    return String(words[mark + 1])
  }
}
