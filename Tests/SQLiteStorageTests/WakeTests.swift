import Foundation
import PurchaseStorage
import SQLStorage
import SQLiteStorage
import Testing

/// After an outage everything that was held back is free at once.
@Suite("Many rows whose hold has ended, in SQLite")
struct WakeTests {
  private func sleepers(in table: String, _ other: SQLiteConnection) throws -> SQLValue {
    try other.value("SELECT COUNT(*) FROM \(table) WHERE wake_utc IS NOT NULL")
  }

  /// The sooner a row expires, the later its hold ends.
  private func holdSubscriptions(_ count: Int, _ other: SQLiteConnection) throws {
    try other.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO apple_subscription (environment, original_transaction_id, last_transaction_id,
        product_id, purchase_date_utc, expires_date_utc, tier, cycle, auto_renewal, created_utc,
        updated_utc, as_of_ms, in_billing_retry, wake_utc)
      SELECT 'production', printf('%05d', i), 'x', 'x', 0, 1605340800 - i, 'standard', 'month', 1,
        0, 0, 0, 0, 1000 + i FROM n
      """)
  }

  private func lease(_ limit: Int, from store: SQLiteStore) async throws -> [String] {
    let request = RefreshLeaseRequest(
      now: now, horizon: now + hour, oldest: now - 30 * day, limit: limit, token: "ours",
      until: now + hour)
    return try await store.write { try await $0.refreshes.lease(request) }
      .map(\.originalTransactionID)
  }

  @Test(
    "a lease takes a thousand subscriptions off hold at most, and gives those that expire first")
  func subscriptions() async throws {
    try await withStore { store, path in
      let other = try otherConnection(path)
      try holdSubscriptions(5000, other)
      #expect(try await lease(2, from: store) == ["01000", "00999"])
      #expect(try sleepers(in: "apple_subscription", other) == .integer(4000))
      #expect(try await lease(2, from: store) == ["02000", "01999"])
      #expect(try sleepers(in: "apple_subscription", other) == .integer(3000))
    }
  }

  @Test("a lease of more than a thousand takes as many off hold as it may give")
  func largeLease() async throws {
    try await withStore { store, path in
      let other = try otherConnection(path)
      try holdSubscriptions(5000, other)
      #expect(try await lease(1500, from: store).count == 1500)
      #expect(try sleepers(in: "apple_subscription", other) == .integer(3000))
      #expect(try await lease(.max, from: store).count == 3500)
    }
  }

  @Test("a lease takes a thousand messages off hold at most, and gives the oldest of them")
  func messages() async throws {
    try await withStore { store, path in
      let other = try otherConnection(path)
      try other.run(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        INSERT INTO outbox (kind, ftc_user_id, original_transaction_id, already_expired,
          created_utc, failures, wake_utc)
        SELECT 'link', 'ann', 'x', 0, 0, 0, 1000 + i FROM n
        """)
      let leases = try await store.write {
        try await $0.outbox.lease(limit: 3, now: now, until: now + hour, token: "ours")
      }
      #expect(leases.map(\.number) == [1, 2, 3])
      #expect(try sleepers(in: "outbox", other) == .integer(4000 + 3))
    }
  }

  @Test(
    "those whose hold has ended are found by an index",
    arguments: [
      ("refresh_wake", "apple_subscription_wake"), ("outbox_wake", "outbox_wake"),
    ])
  func plan(name: String, index: String) async throws {
    try await withStore { _, path in
      let statement = try #require(SQLStatement.all(.sqlite).first { $0.name == name })
      let plan = try otherConnection(path).query(
        SQLStatement("plan", "EXPLAIN QUERY PLAN \(statement.sql)"), [.integer(0)]
      ).compactMap { row -> String? in
        guard case .text(let step) = row.last else { return nil }
        return step
      }
      #expect(plan.count == 3, "\(plan)")
      #expect(plan[0].hasPrefix("SEARCH"), "\(plan)")
      #expect(plan[2].contains("INDEX \(index) (wake_utc<?)"), "\(plan)")
    }
  }
}
