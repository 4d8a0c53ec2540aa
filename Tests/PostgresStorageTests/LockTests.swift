import Foundation
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import SQLStorage
import StorekeeperFixtures
import Testing

#if MARIADB
  import MariaDBStorage
#else
  import PostgresStorage
#endif

/// 2020-11-14T08:00:00Z.
private let now = Date(timeIntervalSince1970: 1_605_340_800)

@Suite("Locks of a server", .enabled(if: TestDatabase.isThere), .timeLimit(.minutes(30)))
struct LockTests {
  @Test(
    "a row that moves to another compound id while it is waited for is found in its new place",
    arguments: [
      (nil, ["1001", "1002"]), (Account(id: "ann", secondID: "wx"), ["1002"]),
    ] as [(Account?, [String])])
  func movedRow(account: Account?, ids: [String]) async throws {
    let store = try await migratedStore()
    let other = try await store.write { try await $0.memberships.insert(row("mia", nil, "1002")) }
    let before = try await store.write { try await $0.memberships.insert(row(nil, "wx", "1001")) }
    let (locked, released) = (Gate(), Gate())
    let waiter = Series()
    async let moved = store.write { records in
      let moved = try await records.memberships.update(row("ann", "wx", "1001"), previous: before)
      locked.open()
      await released.wait()
      return moved
    }
    await locked.wait()
    async let found = store.perform(.writing) { connection in
      waiter.append(Int(try await connection.process()))
      return try await SQLRecords(connection, access: .writing).memberships.find(
        account: account, appleSubscriptionIDs: ids)
    }
    try await store.untilWaiting(waiter)
    released.open()
    let expected = try await [moved, other]
    #expect(try await found == expected)
    await store.close()
  }

  @Test("a row that appears while another is waited for is locked as well")
  func newRow() async throws {
    let store = try await migratedStore()
    let old = try await store.write { try await $0.memberships.insert(row(nil, "wx", "1001")) }
    let (locked, released) = (Gate(), Gate())
    let waiter = Series()
    async let inserted = store.write { records in
      _ = try await records.memberships.update(old, previous: old)
      let inserted = try await records.memberships.insert(row("ann", nil, "1002"))
      locked.open()
      await released.wait()
      return inserted
    }
    await locked.wait()
    async let found = store.perform(.writing) { connection in
      waiter.append(Int(try await connection.process()))
      let found = try await SQLRecords(connection, access: .writing).memberships.find(
        account: nil, appleSubscriptionIDs: ["1001", "1002"])
      await #expect(throws: StorageFailure.conflict) {
        try await store.perform(.writing) {
          try await $0.run("SELECT vip_id FROM ftc_vip WHERE vip_id = 'ann' FOR UPDATE NOWAIT")
        }
      }
      return found
    }
    try await store.untilWaiting(waiter)
    released.open()
    let expected = try await [inserted, old]
    #expect(try await found == expected)
    await store.close()
  }

  @Test("who ends a lease locks the subscription first, as who gives leases does")
  func leaseOrder() async throws {
    let store = try await migratedStore()
    try await store.write {
      try await $0.storedSubscriptions.save(subscription("1001"), asOf: now, now: now)
    }
    for isFinished in [false, true] {
      let lease = try #require(try await store.lease(1, by: "worker").first)
      let (locked, released) = (Gate(), Gate())
      let waiter = Series()
      async let holder: Void = store.perform(.writing) { connection in
        try await connection.run("SELECT 1 FROM apple_subscription FOR UPDATE")
        locked.open()
        await released.wait()
      }
      await locked.wait()
      async let ended: Void = store.perform(.writing) { connection in
        waiter.append(Int(try await connection.process()))
        let refreshes = SQLRecords(connection, access: .writing).refreshes
        if isFinished {
          _ = try await refreshes.finish(lease, failures: 0, nextTry: now, error: nil)
        } else {
          try await refreshes.giveBack(lease)
        }
      }
      try await store.untilWaiting(waiter)
      let free = try await store.perform(.writing) {
        try await $0.run("SELECT 1 FROM apple_refresh_lease FOR UPDATE SKIP LOCKED")
      }
      #expect(free.count == 1)
      released.open()
      _ = try await (holder, ended)
    }
    await store.close()
  }

  @Test("while a unit that leased is open, another leases the next at once, and none twice")
  func leasesBesideAnOpenUnit() async throws {
    let database = try await TestDatabase()
    // Who waited for a lock would end in a conflict.
    let store = try database.store { $0.lockLimit = .seconds(2) }
    try await store.migrate()
    try await store.write { records in
      for number in 1001...1006 {
        try await records.storedSubscriptions.save(
          subscription("\(number)", expires: now + Double(number)), asOf: now, now: now)
      }
    }
    let (leased, released) = (Gate(), Gate())
    async let first = store.write { records in
      let leases = try await records.refreshes.lease(due(3, by: "one"))
      leased.open()
      await released.wait()
      return leases
    }
    await leased.wait()
    let second = try await store.lease(3, by: "two")
    #expect(second.map(\.originalTransactionID) == ["1004", "1005", "1006"])
    #expect(try await store.lease(3, by: "three") == [])
    released.open()
    #expect(try await first.map(\.originalTransactionID) == ["1001", "1002", "1003"])
    #expect(try await store.lease(6, by: "four") == [])
    await store.close()
  }

  private static let line = OutboxMessage.Kind.webhook("billing")

  /// A store with a message of the line for each account, numbered from 1.
  private func storeWithLine(_ accounts: [String], lockLimit: Duration) async throws -> TestStore {
    let store = try await TestDatabase().store { $0.lockLimit = lockLimit }
    try await store.migrate()
    try await store.write { records in
      for (index, account) in accounts.enumerated() {
        try await records.outbox.add(
          OutboxMessage(
            kind: Self.line, account: Account(id: AccountID(stored: account)),
            originalTransactionID: "\(index + 1)", reference: "evt_\(index + 1)"), now: now)
      }
    }
    return store
  }

  private func leaseOfLine(
    _ records: UnitOfWork, limit: Int = 9, at moment: Date = now, by token: String
  ) async throws -> [OutboxLease] {
    _ = try await records.events.hold(Self.line.rawValue)
    return try await records.outbox.lease(
      line: Self.line, limit: limit, now: moment, until: moment + 600, token: token)
  }

  @Test("who leases of a line waits for nobody who marks what was leased before")
  func leasesOfALineBesideMarks() async throws {
    // Who waited for a lock would end in a conflict.
    let store = try await storeWithLine(["ann", "bob", "cid"], lockLimit: .seconds(2))
    let leases = try await store.write { try await leaseOfLine($0, limit: 2, by: "one") }
    let (marked, released) = (Gate(), Gate())
    // The later one first: who locked the rows in their order would have the one that is marked next.
    async let marks: Void = store.write { records in
      _ = try await records.outbox.markSent(leases[1], now: now)
      marked.open()
      await released.wait()
      _ = try await records.outbox.markSent(leases[0], now: now)
    }
    await marked.wait()
    await #expect(throws: Never.self) {
      let others = try await store.write { try await leaseOfLine($0, by: "two") }
      #expect(others.map(\.message.originalTransactionID) == ["3"])
    }
    released.open()
    try await marks
    #expect(try await store.read { try await $0.outbox.backlog() }.waiting == 1)
    await store.close()
  }

  @Test("who leases of a line gets nothing that was sent, or failed, since it was looked up")
  func leaseOfAMarkedMessage() async throws {
    let store = try await storeWithLine(["ann", "ann"], lockLimit: .seconds(600))
    let late = try await store.write { try await leaseOfLine($0, by: "one") }
    let (marked, released) = (Gate(), Gate())
    // The lease has ended, and its worker notes a failure all the same.
    async let failed = store.write { records in
      let isMarked = try await records.outbox.markFailed(late[0], nextTry: now + 9000)
      marked.open()
      await released.wait()
      return isMarked
    }
    await marked.wait()
    let waiter = Series()
    async let next = store.perform(.writing) { connection in
      waiter.append(Int(try await connection.process()))
      return try await leaseOfLine(
        SQLRecords(connection, access: .writing).unit, at: now + 700, by: "two")
    }
    try await store.untilWaiting(waiter)
    released.open()
    #expect(try await failed)
    #expect(try await next == [])
    await store.close()
  }

  @Test("what another has leased since it was looked up is not leased again, until that lease ends")
  func leaseOfAnother() async throws {
    #if MARIADB
      let (dialect, ids) = (SQLDialect.mariadb, SQLValue.text(#"["1001"]"#))
      // It returns the lease that was kept, too.
      let kept: [SQLRow] = [[.text("1001"), .text("one")]]
    #else
      let (dialect, ids) = (SQLDialect.postgres, SQLValue.text("{1001}"))
      let kept: [SQLRow] = []
    #endif
    let store = try await migratedStore()
    let grant = try #require(SQLStatement.all(dialect).first { $0.name == "refresh_grant" })
    let granted = try await store.perform(.writing) { connection in
      var granted: [[SQLRow]] = []
      for (token, now) in [("one", 1000), ("two", 1599), ("three", 1600)] as [(String, Int64)] {
        granted.append(
          try await connection.query(
            grant, [ids, .text(token), .integer(now + 600), .integer(now)]))
      }
      return granted
    }
    #expect(
      granted == [[[.text("1001"), .text("one")]], kept, [[.text("1001"), .text("three")]]])
    let leases = try await store.perform(.reading) {
      try await $0.run("SELECT token, until_utc FROM apple_refresh_lease")
    }
    #expect(leases == [[.text("three"), .integer(2200)]])
    await store.close()
  }

  private func migratedStore() async throws -> TestStore {
    let store = try await TestDatabase().store()
    try await store.migrate()
    return store
  }
}

private func row(_ primaryID: AccountID?, _ secondID: AccountID?, _ appleID: String) throws
  -> Membership
{
  guard let account = Account(primaryID: primaryID, secondID: secondID) else {
    throw AccountFailure.missing
  }
  var row = Membership(account: account)
  row.payMethod = .apple
  row.originalTransactionID = appleID
  return row
}

private func subscription(_ id: String, expires: Date = now) -> Subscription {
  Subscription(
    environment: .production, originalTransactionID: id, lastTransactionID: id,
    productID: "com.example.reader.monthly", purchaseDate: now, expiresDate: expires,
    tier: .standard, cycle: .month, autoRenewal: true)
}

private func due(_ limit: Int, by token: String) -> RefreshLeaseRequest {
  RefreshLeaseRequest(
    now: now, horizon: now + 86_400, oldest: now - 86_400, limit: limit, token: token,
    until: now + 600)
}

extension TestStore {
  fileprivate func lease(_ limit: Int, by token: String) async throws -> [RefreshLease] {
    try await write { try await $0.refreshes.lease(due(limit, by: token)) }
  }

  /// Returns when the connection that the series tells waits for a lock.
  fileprivate func untilWaiting(_ waiter: Series) async throws {
    while true {
      if let process = waiter.numbers.last, try await waitsForLock(process) { return }
      // The unit that is to wait may have failed before.
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  private func waitsForLock(_ process: Int) async throws -> Bool {
    #if MARIADB
      // The table of transactions is a copy, which is not made anew as long as somebody looks at it.
      let rows = try await perform(.reading) { try await $0.run("SHOW ENGINE INNODB STATUS") }
      guard case .text(let status)? = rows.first?.last else { return false }
      return status.split(separator: "---TRANSACTION ").contains {
        $0.contains("LOCK WAIT") && $0.contains("MariaDB thread id \(process),")
      }
    #else
      let waiting = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'"
      return try await !perform(.reading) {
        try await $0.run(waiting, .integer(Int64(process)))
      }.isEmpty
    #endif
  }
}
