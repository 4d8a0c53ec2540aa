import SQLStorage
import SQLiteStorage
import Testing

@Suite("Plans of SQLite")
struct QueryPlanTests {
  @Test("no statement of a unit of work goes through a whole table")
  func plans() async throws {
    try await withStore { _, path in
      let connection = try otherConnection(path)
      // Those about the newest rows are asked once, in a rebuild, and an account is seldom erased.
      for statement in SQLStatement.all(.sqlite)
      where !statement.name.hasPrefix("newest_") && !statement.name.hasPrefix("erase_scan_") {
        let plan = try connection.query(
          SQLStatement("plan_\(statement.name)", "EXPLAIN QUERY PLAN \(statement.sql)"),
          Array(repeating: .null, count: 32)
        ).compactMap { row -> String? in
          guard case .text(let step) = row.last else { return nil }
          return step
        }
        // The latest of an environment is the last entry of an index, and the greatest number of a table that of its last
        // row, the only one that is read.
        let isLast = ["notification_latest", "audit_extent"].contains(statement.name)
        let scans = plan.filter { $0.isScan && !$0.allowsScan && !isLast }
        #expect(scans.isEmpty, "\(statement.name): \(plan)")
        let sorts = plan.filter { $0.contains("USE TEMP B-TREE FOR ORDER BY") }
        // Of memberships there is one at most for each id that was given.
        let isSmall =
          statement.name.contains("_of_") || statement.name.hasPrefix("membership_find_")
        #expect(sorts.isEmpty || isSmall, "\(statement.name): \(plan)")
      }
    }
  }
}

extension String {
  /// All rows of one environment are as many as all rows; a search that names nothing by which it finds goes through all,
  /// in order, to the first that matches.
  fileprivate var isScan: Bool {
    hasPrefix("SCAN") || contains("(environment=?)")
      || hasPrefix("SEARCH") && !contains(" USING ") && !contains("VIRTUAL TABLE")
  }

  /// Going through the ids that were given, through the few runs or levels, through a page of rows that was read
  /// before, or through what an index holds nothing else than is no search through a table.
  fileprivate var allowsScan: Bool {
    contains("json_each") || contains("outbox_due") || contains("outbox_wake")
      || contains("outbox_parked")
      || self == "SCAN CONSTANT ROW" || self == "SCAN polling_log" || self == "SCAN page"
      || self == "SCAN names" || self.hasPrefix("SCAN subscription_levels")
  }
}
