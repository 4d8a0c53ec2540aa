import LinkPolicy
import PurchaseStorage
import ReceiptModels
import SQLStorage
import SQLiteStorage
import Testing

/// Rows that earlier programs wrote, with what ours would not write.
@Suite("Rows of the past in SQLite")
struct LegacyRowTests {
  /// A store with one row, the row as it is read, and a connection beside it.
  private func withRow<Result>(
    _ columns: String, _ values: String,
    _ body:
      nonisolated(nonsending) (SQLiteStore, Membership, SQLiteConnection) async throws ->
      Result
  ) async throws -> Result {
    try await withStore { store, path in
      let other = try otherConnection(path)
      try other.run("INSERT INTO ftc_vip (\(columns)) VALUES (\(values))")
      let row = try #require(try await store.rows().first)
      return try await body(store, row, other)
    }
  }

  private static let words = [
    ("member_tier", "tier", "gold"), ("billing_cycle", "cycle", "week"),
    ("expire_date", "expire_date", "0000-00-00"), ("payment_method", "payment_method", "paypal"),
    ("sub_status", "sub_status", "sleeping"), ("payment_method", "payment_method", "tenpay"),
  ]

  @Test("a word that is not known outlives a change of something else", arguments: words)
  func wordsStay(column: String, copied: String, word: String) async throws {
    try await withRow(
      "vip_id, ftc_user_id, apple_subscription_id, \(column)", "'ann', 'ann', '1', '\(word)'"
    ) { store, row, other in
      var cleared = row
      cleared.originalTransactionID = nil
      let changed = cleared
      try await store.write { _ = try await $0.memberships.update(changed, previous: row) }
      #expect(try other.value("SELECT \(column) FROM ftc_vip") == .text(word))
      #expect(try other.value("SELECT apple_subscription_id FROM ftc_vip") == .null)
    }
  }

  @Test("old columns stay beside a tier and a last day that say nothing in them")
  func oldColumnsStay() async throws {
    try await withRow(
      "vip_id, ftc_user_id, apple_subscription_id, member_tier, expire_date, vip_type, expire_time",
      "'ann', 'ann', '1', 'gold', '31/12/2030', 100, 1924991999"
    ) { store, row, other in
      var cleared = row
      cleared.originalTransactionID = nil
      let changed = cleared
      try await store.write { _ = try await $0.memberships.update(changed, previous: row) }
      #expect(try other.value("SELECT vip_type FROM ftc_vip") == .integer(100))
      #expect(try other.value("SELECT expire_time FROM ftc_vip") == .integer(1_924_991_999))
    }
  }

  @Test("a word that is too long to be written stays")
  func longWords() async throws {
    let word = String(repeating: "x", count: 2000)
    try await withRow(
      "vip_id, ftc_user_id, apple_subscription_id, member_tier, expire_date",
      "'ann', 'ann', '1', '\(word)', '\(word)'"
    ) { store, row, other in
      var cleared = row
      cleared.originalTransactionID = nil
      let changed = cleared
      try await store.write { records in
        try await records.memberships.snapshot(row, reason: .link, now: now)
        _ = try await records.memberships.update(changed, previous: row)
      }
      #expect(try other.value("SELECT member_tier FROM ftc_vip") == .text(word))
      #expect(try other.value("SELECT expire_date FROM ftc_vip") == .text(word))
    }
  }

  @Test("a word that is not known is in the copy of the row", arguments: words)
  func wordsCopied(column: String, copied: String, word: String) async throws {
    try await withRow("vip_id, ftc_user_id, \(column)", "'ann', 'ann', '\(word)'") {
      store, row, other in
      try await store.write { try await $0.memberships.snapshot(row, reason: .link, now: now) }
      #expect(try other.value("SELECT \(copied) FROM member_snapshot") == .text(word))
    }
  }

  @Test("a row under another key than its account's is deleted")
  func foreignKeyDeleted() async throws {
    try await withRow("vip_id, ftc_user_id", "'wx', 'ann'") { store, row, other in
      #expect(row.accountID == "ann")
      try await store.write { try await $0.memberships.delete(row) }
      #expect(try other.value("SELECT COUNT(*) FROM ftc_vip") == .integer(0))
    }
  }

  @Test("a row under another key than its account's is changed, copied, and gets the account's key")
  func foreignKeyChanged() async throws {
    try await withRow("vip_id, ftc_user_id, sub_status", "'wx', 'ann', 'sleeping'") {
      store, row, other in
      var premium = row
      premium.tier = .premium
      let changed = premium
      let stored = try await store.write { records in
        try await records.memberships.snapshot(row, reason: .link, now: now)
        return try await records.memberships.update(changed, previous: row)
      }
      #expect(try other.value("SELECT vip_id FROM ftc_vip") == .text("ann"))
      #expect(try other.value("SELECT compound_id FROM member_snapshot") == .text("ann"))
      #expect(try other.value("SELECT sub_status FROM member_snapshot") == .text("sleeping"))
      let found = try await store.rows()
      #expect(found == [stored])
      var expected = Membership(account: Account(id: "ann"))
      expected.id = stored.id
      expected.tier = .premium
      expected.details.status = ProviderStatus(rawValue: "sleeping")
      #expect(stored == expected)
    }
  }

  @Test("an Apple membership takes the place of every word")
  func wordsReplaced() async throws {
    try await withRow(
      "vip_id, ftc_user_id, member_tier, billing_cycle, payment_method, sub_status",
      "'ann', 'ann', 'gold', 'week', 'paypal', 'sleeping'"
    ) { store, row, other in
      let apple = membership("ann", apple: "1")
      try await store.write { _ = try await $0.memberships.update(apple, previous: row) }
      #expect(try other.value("SELECT member_tier FROM ftc_vip") == .text("standard"))
      #expect(try other.value("SELECT billing_cycle FROM ftc_vip") == .text("month"))
      #expect(try other.value("SELECT payment_method FROM ftc_vip") == .text("apple"))
      #expect(try other.value("SELECT sub_status FROM ftc_vip") == .null)
    }
  }

  @Test("a copy of a row with old columns has the tier and the day that they mean")
  func oldColumnsCopied() async throws {
    try await withRow("vip_id, vip_type, expire_time", "'ann', 100, 1606780799") {
      store, row, other in
      try await store.write { try await $0.memberships.snapshot(row, reason: .link, now: now) }
      #expect(try other.value("SELECT tier FROM member_snapshot") == .text("premium"))
      #expect(try other.value("SELECT expire_date FROM member_snapshot") == .text("2020-11-30"))
    }
  }

  @Test("a day that stood in the old columns stays when the tier changes")
  func oldDayStays() async throws {
    try await withRow("vip_id, vip_type, expire_time", "'ann', 10, 1606780799") {
      store, row, _ in
      var premium = row
      premium.tier = .premium
      let changed = premium
      try await store.write { _ = try await $0.memberships.update(changed, previous: row) }
      let found = try await store.rows().first
      #expect(found?.tier == .premium)
      #expect(found?.expireDate == CalendarDay("2020-11-30"))
    }
  }

  @Test("an Apple id that is none can be copied and replaced")
  func brokenAppleID() async throws {
    try await withRow(
      "vip_id, ftc_user_id, apple_subscription_id", "'ann', 'ann', 'not digits'"
    ) { store, row, other in
      var renamed = row
      renamed.tier = .premium
      let kept = renamed
      let apple = membership("ann", apple: "1")
      try await store.write { records in
        try await records.memberships.snapshot(row, reason: .link, now: now)
        let stored = try await records.memberships.update(kept, previous: row)
        _ = try await records.memberships.update(apple, previous: stored)
      }
      #expect(
        try other.value("SELECT apple_subscription_id FROM member_snapshot")
          == .text("not digits"))
      #expect(try other.value("SELECT apple_subscription_id FROM ftc_vip") == .text("1"))
      var broken = apple
      broken.originalTransactionID = "not digits"
      let refused = broken
      await #expect(throws: StorageFailure.invalidValue(field: .evidence("originalTransactionID")))
      {
        try await store.write { _ = try await $0.memberships.update(refused, previous: apple) }
      }
    }
  }

  @Test("empty identifiers of several rows do not collide, and find nothing")
  func emptyIdentifiers() async throws {
    try await withStore { store, path in
      let columns = [
        "id", "ftc_user_id", "wx_union_id", "vip_id_alias", "stripe_subscription_id",
        "apple_subscription_id", "b2b_licence_id",
      ]
      let empty = columns.map { _ in "''" }.joined(separator: ", ")
      for id in ["ann", "wx"] {
        try otherConnection(path).run(
          "INSERT INTO ftc_vip (vip_id, \(columns.joined(separator: ", "))) "
            + "VALUES ('\(id)', \(empty))")
      }
      #expect(try await store.rows().map(\.accountID) == ["ann", "wx"])
    }
  }
}

extension PurchaseStore {
  /// The rows of the account of these tests.
  fileprivate func rows() async throws -> [Membership] {
    try await read {
      try await $0.memberships.find(
        account: Account(id: "ann", secondID: "wx"), appleSubscriptionIDs: [])
    }
  }
}
