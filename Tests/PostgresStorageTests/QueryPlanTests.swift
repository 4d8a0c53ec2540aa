import PostgresStorage
import SQLStorage
import Testing

@Suite("Plans of PostgreSQL", .enabled(if: TestDatabase.isThere))
struct QueryPlanTests {
  @Test("no statement goes through a whole table, even if planned while it was empty")
  func plans() async throws {
    let store = try await TestDatabase().store(connections: 1)
    try await store.migrate(SQLMigrations.all)
    for statement in SQLStatement.all(.postgres) {
      let plan = try await Self.plan(of: statement, in: store)
      #expect(plan.contains { $0.contains("Scan") || $0.contains("Insert") || $0 == "Result" })
      #expect(Self.scans(in: plan).isEmpty, "\(statement.name): \(plan)")
    }
    await store.close()
  }

  /// The plan that the server keeps, for whatever values.
  private static func plan(
    of statement: SQLStatement, in store: PostgresStore
  ) async throws -> [String] {
    try await store.perform(.reading) { connection in
      try await connection.run("PREPARE planned AS \(statement.sql)")
      let types = try await connection.run(
        "SELECT cardinality(parameter_types) FROM pg_prepared_statements WHERE name = 'planned'")
      guard case .integer(let count)?? = types.first?.first else { return [] }
      let nulls = Array(repeating: "NULL", count: Int(count)).joined(separator: ", ")
      let rows = try await connection.run(
        "EXPLAIN (COSTS OFF) EXECUTE planned" + (count == 0 ? "" : "(\(nulls))"))
      try await connection.run("DEALLOCATE planned")
      return rows.compactMap { row in
        guard case .text(let line)? = row.first else { return nil }
        return String(line.drop { " ->".contains($0) })
      }
    }
  }

  /// The steps that read all of a table or of an index.
  private static func scans(in plan: [String]) -> [String] {
    zip(plan, plan.dropFirst() + [""]).compactMap { step, next in
      if step.hasPrefix("Seq Scan") { return step }
      let isIndexScan = step.contains("Index Scan") || step.contains("Index Only Scan")
      return isIndexScan && !next.hasPrefix("Index Cond") && !step.allowsScan ? step : nil
    }
  }
}

extension String {
  /// Going through the few runs, or through what an index holds nothing else than, is no search through
  /// a table.
  fileprivate var allowsScan: Bool {
    contains("outbox_due") || contains("outbox_wake") || contains("polling_log_pkey")
  }
}
