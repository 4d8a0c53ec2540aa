import Foundation
import MariaDBStorage
import SQLStorage
import Testing

@Suite("Plans of MariaDB", .enabled(if: TestDatabase.isThere), .timeLimit(.minutes(30)))
struct QueryPlanTests {
  /// MariaDB plans for the rows that are there, so that each table has thousands.
  @Test("no statement goes through a whole table")
  func plans() async throws {
    let store = try await TestDatabase().store(connections: 1)
    try await store.migrate()
    try await Self.fill(store)
    for statement in SQLStatement.all(.mariadb) {
      let steps = try await Self.steps(of: statement, in: store)
      // An account is seldom erased.
      guard !Self.scanning.contains(statement.name), !statement.name.hasPrefix("erase_scan_")
      else { continue }
      let scans = steps.filter { ["ALL", "index"].contains($0.access) && !$0.isTemporary }
      #expect(scans.isEmpty, "\(statement.name): \(scans)\n\(statement.text(.mariadb))")
    }
    await store.close()
  }

  /// A statement that sorts locks all rows that it sorts, so that others who lease find none.
  @Test("those that skip locked rows read in the order of an index, also in a small table")
  func leases() async throws {
    let store = try await TestDatabase().store(connections: 1)
    try await store.migrate()
    try await Self.fill(store, rows: 12)
    let leasing = SQLStatement.all(.mariadb).filter {
      $0.text(.mariadb).contains("SKIP LOCKED")
    }
    #expect(leasing.count >= 10)
    for statement in leasing {
      let plan = try await Self.plan(of: statement, in: store)
      #expect(!plan.contains("filesort"), "\(statement.name): \(plan)")
    }
    await store.close()
  }

  /// Those that go through the few runs or levels, or are asked once, in a rebuild.
  private static let scanning: Set = [
    "run_find", "level_all", "level_remove_all", "newest_links", "newest_association",
    "newest_order", "newest_booking", "newest_host_events",
  ]

  /// A table of a plan, and the way in which its rows are found.
  private struct Step {
    let table: String
    let access: String

    /// Whether the table is made of a list, or of what was found elsewhere.
    var isTemporary: Bool { table.hasPrefix("<") || ["ids", "chosen", "given"].contains(table) }
  }

  private static func steps(
    of statement: SQLStatement, in store: MariaDBStore
  ) async throws -> [Step] {
    let plan = try await plan(of: statement, in: store)
    return plan.matches(of: /"table_name": "([^"]*)",\s*"access_type": "([^"]*)"/).map {
      Step(table: String($0.1), access: String($0.2))
    }
  }

  private static func plan(
    of statement: SQLStatement, in store: MariaDBStore
  ) async throws -> String {
    let sql = statement.text(.mariadb).replacing(/(LIMIT|OFFSET) \$\d+/, with: { "\($0.1) 10" })
    let count = sql.matches(of: /\$(\d+)/).compactMap { Int($0.1) }.max() ?? 0
    var values = Array(repeating: SQLValue.text("1000"), count: count)
    for match in sql.matches(of: /JSON_TABLE\(\$(\d+)/) {
      if let number = Int(match.1) { values[number - 1] = .text("[\"1000\", \"1001\"]") }
    }
    let explained = SQLStatement("explain_\(statement.name)", "EXPLAIN FORMAT=JSON \(sql)")
    let bound = values
    let rows = try await store.perform(.writing) { try await $0.query(explained, bound) }
    guard case .text(let plan)? = rows.first?.first else { return "" }
    return plan
  }

  /// Gives each table thousands of rows that differ in all columns but flags and levels.
  private static func fill(_ store: MariaDBStore, rows: Int = 5000) async throws {
    try await store.perform(.writing) { connection in
      let columns = try await connection.run(
        """
        SELECT table_name, column_name, data_type FROM information_schema.columns
        WHERE table_schema = DATABASE() AND is_generated = 'NEVER' AND table_name NOT LIKE 'storekeeper%'
          AND table_name NOT LIKE '%lock' AND table_name NOT IN
            (SELECT table_name FROM information_schema.views WHERE table_schema = DATABASE())
        ORDER BY table_name, ordinal_position
        """)
      let tables = Dictionary(grouping: columns) { $0[0] }
      for case (.text(let table), let columns) in tables {
        let names = columns.compactMap { row -> String? in
          guard case .text(let name) = row[1] else { return nil }
          return "\"\(name)\""
        }
        let values = columns.map { row in
          row[2] == .text("smallint") || row[1] == .text("level") ? "seq % 2" : "seq"
        }
        try await connection.run(
          """
          INSERT INTO \(table) (\(names.joined(separator: ", ")))
          SELECT \(values.joined(separator: ", ")) FROM seq_1_to_\(rows)
          """)
        _ = try await connection.run("ANALYZE TABLE \(table) PERSISTENT FOR ALL")
      }
    }
  }
}
