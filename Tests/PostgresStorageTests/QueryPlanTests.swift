import PostgresStorage
import SQLStorage
import Testing

@Suite("Plans of PostgreSQL", .enabled(if: TestDatabase.isThere))
struct QueryPlanTests {
  @Test("no statement goes through a whole table, even if planned while it was empty")
  func plans() async throws {
    let database = try await TestDatabase()
    let store = try database.store(connections: 1)
    try await store.migrate()
    let firstColumns = try await Self.firstColumns(of: database, in: store)
    for statement in SQLStatement.all(.postgres) {
      let plan = try await Self.plan(of: statement, in: store)
      #expect(plan.contains { $0.contains("Scan") || $0.contains("Insert") || $0 == "Result" })
      // An account is seldom erased.
      guard !Self.scanning.contains(statement.name), !statement.name.hasPrefix("erase_scan_")
      else { continue }
      let scans = zip(plan, plan.dropFirst() + [""]).filter { step, next in
        Self.isScan(step, next, firstColumns)
      }
      #expect(scans.isEmpty, "\(statement.name): \(plan)")
    }
    await store.close()
  }

  /// Those that go through the few runs or levels, or through what an index holds nothing else than, or read the
  /// last entry of an environment in an index, or the last rows of a table, and no others, or are asked once, in a rebuild.
  private static let scanning: Set = [
    "run_find", "outbox_count", "outbox_oldest", "outbox_due_locking",
    "outbox_discard_parked_locking", "notification_latest",
    "level_all",
    "level_remove_all", "newest_links", "newest_association", "newest_order", "newest_booking",
    "event_new", "newest_host_events",
  ]

  /// Whether a step reads all of a table or of an index, or all of one environment in it; the line below
  /// it has the condition on the index.
  private static func isScan(
    _ step: String, _ next: String, _ firstColumns: [String: String]
  ) -> Bool {
    if step.contains("Seq Scan") { return true }
    // Plans of several tables name the table before each column.
    let next = next.replacing(/\b[etr]\./, with: "")
    let words = step.split(separator: " ").map(String.init)
    guard let scan = words.firstIndex(of: "Scan"), words.contains("Index") else { return false }
    let index = words.dropFirst(scan).first { firstColumns[$0] != nil }
    guard let column = index.flatMap({ firstColumns[$0] }) else { return true }
    return !next.hasPrefix("Index Cond:")
      || !(next.contains("(\(column) ") || next.contains("ROW(\(column), "))
      || next.hasPrefix("Index Cond: (environment = ")
  }

  /// The first column of each index.
  private static func firstColumns(
    of database: TestDatabase, in store: PostgresStore
  ) async throws -> [String: String] {
    let rows = try await store.perform(.reading) {
      try await $0.run(
        """
        SELECT t.relname::text, a.attname::text FROM pg_class t
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = 1
        WHERE t.relkind = 'i' AND t.relnamespace = CAST($1 AS TEXT)::regnamespace
        """, .text(database.name))
    }
    return rows.reduce(into: [:]) { columns, row in
      if case .text(let index) = row[0], case .text(let column) = row[1] {
        columns[index] = column
      }
    }
  }

  /// The plan that the server keeps, for whatever values.
  private static func plan(
    of statement: SQLStatement, in store: PostgresStore
  ) async throws -> [String] {
    try await store.perform(.reading) { connection in
      try await connection.run("PREPARE planned AS \(statement.sql)")
      let types = try await connection.run(
        "SELECT cardinality(parameter_types) FROM pg_prepared_statements WHERE name = 'planned'")
      guard case .integer(let count)? = types.first?.first else { return [] }
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
}
