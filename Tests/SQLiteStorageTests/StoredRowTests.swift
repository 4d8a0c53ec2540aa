import LinkPolicy
import PurchaseStorage
import ReceiptModels
import SQLStorage
import SQLiteStorage
import Testing

@Suite("Rows in SQLite")
struct StoredRowTests {
  private func membership(
    columns: String, values: String
  ) async throws -> Membership? {
    try await withStore { store, path in
      try otherConnection(path).run("INSERT INTO ftc_vip (\(columns)) VALUES (\(values))")
      return try await store.read {
        try await $0.memberships.find(
          account: Account(id: "ann", secondID: "wx"), appleSubscriptionIDs: []
        ).first
      }
    }
  }

  @Test("tier and last day come from the old columns where there are no new ones")
  func oldColumns() async throws {
    // 1606780799 is 2020-11-30T23:59:59Z.
    let row = try #require(
      await membership(
        columns: "vip_id, vip_type, expire_time", values: "'ann', 100, 1606780799"))
    #expect(row.primaryID == "ann")
    #expect(row.tier == .premium)
    #expect(row.expireDate == CalendarDay("2020-11-30"))
    #expect(row.cycle == nil)
  }

  @Test("a row that is known by its union id only has no ftcId")
  func weChatOnly() async throws {
    let row = try #require(
      await membership(columns: "vip_id, vip_id_alias", values: "'wx', 'wx'"))
    #expect(row.primaryID == nil)
    #expect(row.secondID == "wx")
  }

  @Test("tenpay is read as wechat, unknown words as they are, empty texts as null")
  func words() async throws {
    let row = try #require(
      await membership(
        columns: """
          vip_id, ftc_user_id, member_tier, billing_cycle, payment_method, sub_status,
          apple_subscription_id, auto_renewal
          """,
        values: "'ann', '', 'gold', 'week', 'tenpay', 'sleeping', '', NULL"))
    #expect(row.primaryID == "ann")
    #expect(row.payMethod == .wechat)
    #expect(row.tier == Tier(rawValue: "gold"))
    #expect(row.cycle == BillingCycle(rawValue: "week"))
    #expect(row.details.status == ProviderStatus(rawValue: "sleeping"))
    #expect(row.unknownFields() == [.tier, .cycle, .status])
    #expect(row.originalTransactionID == nil)
    #expect(!row.autoRenew)
  }

  @Test("tenpay is written as wechat")
  func oldMethod() async throws {
    var row = Membership(account: Account(id: "ann"))
    row.payMethod = PayMethod(rawValue: "tenpay")
    let written = row
    try await withStore { store, _ in
      let stored = try await store.write { try await $0.memberships.insert(written) }
      #expect(stored.payMethod == .wechat)
      let read = try await store.read {
        try await $0.memberships.find(account: Account(id: "ann"), appleSubscriptionIDs: [])
      }
      #expect(read == [stored])
    }
  }

  @Test("a last day is read by its day, also with a time; what is none is kept")
  func lastDays() async throws {
    let read = { (text: String) in
      try #require(
        await membership(
          columns: "vip_id, ftc_user_id, expire_date", values: "'ann', 'ann', '\(text)'"))
    }
    #expect(try await read("2030-01-01 00:00:00").expireDate == CalendarDay("2030-01-01"))
    let broken = try await read("31/12/2030")
    #expect(broken.expireDate == nil)
    #expect(broken.unreadableExpireDate == "31/12/2030")
    #expect(try await read("").unreadableExpireDate == nil)
  }

  @Test("old columns stand for what is not there, not for what cannot be read")
  func oldColumnsBesideUnknown() async throws {
    let row = try #require(
      await membership(
        columns: "vip_id, expire_date, vip_type, expire_time",
        values: "'ann', '31/12/2030', 10, 1606780799"))
    #expect(row.tier == nil)
    #expect(row.unreadableExpireDate == "31/12/2030")
  }

  @Test(
    "every write computes the old columns again",
    arguments: [(Tier.standard, Int64(10)), (.premium, 100)])
  func oldColumnsWritten(tier: Tier, type: Int64) async throws {
    try await withStore { store, path in
      var row = Membership(account: Account(id: "ann"))
      row.tier = tier
      row.expireDate = CalendarDay("2020-11-30")
      let inserted = row
      try await store.write { _ = try await $0.memberships.insert(inserted) }
      let other = try otherConnection(path)
      #expect(try other.value("SELECT vip_type FROM ftc_vip") == .integer(type))
      #expect(try other.value("SELECT expire_time FROM ftc_vip") == .integer(1_606_780_799))
      row.expireDate = nil
      row.tier = nil
      let changed = row
      try await store.write {
        _ = try await $0.memberships.update(changed, previous: inserted)
      }
      #expect(try other.value("SELECT vip_type FROM ftc_vip") == .integer(0))
      #expect(try other.value("SELECT expire_time FROM ftc_vip") == .null)
    }
  }

  @Test("the environment is stored in lower case")
  func environment() async throws {
    try await withStore { store, path in
      try await store.save("1")
      #expect(
        try otherConnection(path).value("SELECT environment FROM apple_subscription")
          == .text("production"))
    }
  }

  @Test("an owner of the past, in vip_id alone, counts for what is in use")
  func inUse() async throws {
    try await withStore { store, path in
      try await store.save("1")
      try await store.write { try await $0.storedSubscriptions.setOwner("ann", of: "1", now: now) }
      try otherConnection(path).run(
        """
        INSERT INTO ftc_vip (vip_id, payment_method, apple_subscription_id)
        VALUES ('ann', 'apple', '1')
        """)
      let found = try await store.read { try await $0.storedSubscriptions.find(["1"]) }
      #expect(found.map(\.subscription.isInUse) == [true])
    }
  }
}
