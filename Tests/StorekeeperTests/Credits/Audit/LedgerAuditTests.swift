import Foundation
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("Audit of the ledger")
struct LedgerAuditTests {
  static let pages = [1, 2, 3, 5, 4096]

  @Test("A ledger without faults has no violations", arguments: StoreKind.available, pages)
  func clean(_ kind: StoreKind, pageSize: Int) async throws {
    try await LedgerScene.with(kind) { (scene) async throws in
      let all = try await scene.violations(pageSize: pageSize)
      #expect(all == [])
      for user: AccountID in ["u1", "u2", "u3", "u4"] {
        let found = try await scene.violations(of: user, pageSize: pageSize)
        #expect(found == [])
      }
    }
  }

  @Test("Every row is read once", arguments: StoreKind.available, pages)
  func counts(_ kind: StoreKind, pageSize: Int) async throws {
    try await LedgerScene.with(kind) { (scene) async throws in
      let auditor = LedgerAuditor(store: scene.store, pageSize: pageSize)
      let all = try await auditor.audit { _ in }
      #expect([all.entries, all.accounts, all.transactions] == [11, 3, 6] as [Int])
      #expect(all.fraction == 1)
      let one = try await auditor.audit("u2") { _ in }
      #expect([one.entries, one.accounts, one.transactions] == [3, 1, 2] as [Int])
      #expect(one.fraction == nil)
    }
  }

  @Test(
    "Each fault is seen as it is, whatever the size of a page", arguments: LedgerScene.databases)
  func faults(_ kind: StoreKind) async throws {
    for fault in LedgerFault.all {
      try await LedgerScene.with(kind) { (scene) async throws in
        try await scene.run(fault.statements)
        for pageSize in Self.pages {
          let found = try await scene.violations(pageSize: pageSize)
          #expect(found == fault.violations, "\(fault.name), \(pageSize) a page")
        }
      }
    }
  }

  @Test(
    "The database's own examination finds what that of whole rows finds",
    arguments: LedgerScene.databases)
  func agreement(_ kind: StoreKind) async throws {
    for fault in LedgerFault.all {
      try await LedgerScene.with(kind) { (scene) async throws in
        try await scene.run(fault.statements)
        let plain = LedgerScene(
          store: WrappedStore(scene.store) { unit in
            var unit = unit
            unit.credits = unit.credits.map { PlainRecords(base: $0) }
            return unit
          }, run: scene.run)
        #expect(try await plain.violations(pageSize: 2) == fault.violations, "\(fault.name)")
        for user: AccountID in ["u0", "u1", "u2", "u3"] {
          let found = try await plain.violations(of: user, pageSize: 2)
          #expect(try await scene.violations(of: user) == found, "\(fault.name), \(user)")
        }
      }
    }
  }

  @Test("An audit of one user finds that user's violations only", arguments: LedgerScene.databases)
  func oneUser(_ kind: StoreKind) async throws {
    try await LedgerScene.with(kind) { (scene) async throws in
      try await scene.run([
        "UPDATE credit_account SET balance = 131 WHERE user_id = 'u1'",
        "UPDATE apple_iap_transactions SET status = 'granted' WHERE id = 2",
      ])
      #expect(try await scene.violations(of: "u1", pageSize: 1).count == 2)
      #expect(try await scene.violations(of: "u2", pageSize: 1).count == 1)
      #expect(try await scene.violations(of: "u3", pageSize: 1) == [])
    }
  }

  @Test(
    "A transaction whose entry is in another ledger is seen from both",
    arguments: LedgerScene.databases)
  func otherLedger(_ kind: StoreKind) async throws {
    try await LedgerScene.with(kind) { (scene) async throws in
      try await scene.run(["UPDATE apple_iap_transactions SET user_id = 'u1' WHERE id = 6"])
      let all = try await scene.violations()
      #expect(all.count == 1)
      #expect(try await scene.violations(of: "u1") == all)
      #expect(try await scene.violations(of: "u2") == all)
    }
  }

  @Test("In memory, a purchase without a transaction is seen")
  func memory() async throws {
    try await LedgerScene.with(.memory) { (scene) async throws in
      let booking = LedgerBooking(
        userID: "u1", environment: .production, eventID: "payment.apple_iap:7",
        changeType: .purchase, subjectType: "payment", subjectID: "7", amount: 5)
      try await scene.store.write { records in
        _ = try await records.creditLedger.book(booking, now: Date(timeIntervalSince1970: 0))
      }
      let violation = """
        {"entry":{"amount":5,"biz_id":"7","change_type":"purchase","environment":"Production",\
        "event_id":"payment.apple_iap:7","id":12,"user_id":"u1"},"user_id":"u1",\
        "violation":"transaction_missing"}
        """
      #expect(try await scene.violations() == [violation])
      #expect(try await scene.violations(of: "u1") == [violation])
    }
  }

  @Test(
    "Bookings during an audit are not mistaken for violations", arguments: StoreKind.available)
  func concurrent(_ kind: StoreKind) async throws {
    try await LedgerScene.with(kind) { (scene) async throws in
      let ended = Locked(false)
      async let bookings: Void = Self.book(400, in: scene.store) { ended.withLock { $0 = true } }
      var audits = 0
      while audits == 0 || !ended.withLock({ $0 }) {
        #expect(try await scene.violations(pageSize: 3) == [])
        audits += 1
      }
      try await bookings
      #expect(try await scene.violations() == [])
    }
  }

  @Test("The error of the report ends the audit")
  func reportFails() async throws {
    try await LedgerScene.with(.sqlite) { (scene) async throws in
      try await scene.run(["UPDATE credit_account SET balance = 131 WHERE user_id = 'u1'"])
      await #expect(throws: StorageFailure.conflict) {
        _ = try await LedgerAuditor(store: scene.store).audit { _ in throw StorageFailure.conflict }
      }
    }
  }

  private static func book(
    _ count: Int, in store: any PurchaseStore, ended: @Sendable () -> Void
  ) async throws {
    defer { ended() }
    for number in 0..<count {
      let user: AccountID = ["u0", "u1", "u2", "u21", "u3", "u9"][number % 6]
      try await store.write { records in
        _ = try await records.creditLedger.book(
          LedgerBooking(
            userID: user, eventID: "own:\(number)", changeType: "bonus", subjectType: "bonus",
            subjectID: "\(number)", amount: number), now: Date(timeIntervalSince1970: 0))
      }
    }
  }
}
