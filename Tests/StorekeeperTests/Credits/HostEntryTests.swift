import StoreSimulators
import Storekeeper
import Testing

/// Source: credit rules, section 5.
@Suite("A host's own entries", .onEveryStore)
struct HostEntryTests {
  private func booking(
    _ amount: Int, event: String = "render:8841", type: String = "spending",
    user: AccountID = "u1"
  ) -> LedgerBooking {
    LedgerBooking(
      userID: user, eventID: event, changeType: LedgerBooking.ChangeType(rawValue: type),
      subjectType: "render", subjectID: "8841", amount: amount, metadata: ["note": .string("ü")])
  }

  @Test("are booked as given, once for each event, whatever comes again with it")
  func once() async throws {
    try await CreditScene.run { (scene) async throws in
      let entry = try await scene.credits.book(booking(-5))
      #expect(entry.booking == booking(-5))
      #expect(entry.balanceAfter == 95)
      #expect(entry.createdDate == scene.appStore.now)
      #expect(try await scene.credits.book(booking(-5)) == entry)
      #expect(try await scene.credits.book(booking(-50)) == entry)
      #expect(try await scene.credits.book(booking(7, user: "u2")) == entry)
      #expect(try await scene.balance() == 95)
      #expect(try await scene.balance(of: "u2") == 0)
      #expect(try await scene.credits.book(booking(-5, event: "RENDER:8841")).balanceAfter == 90)
    }
  }

  @Test("may spend everything, and nothing more")
  func insufficient() async throws {
    try await CreditScene.run { (scene) async throws in
      for amount in [-101, -1000, Int.min] {
        #expect(
          try await creditFailure { try await scene.credits.book(booking(amount)) }
            == .balanceInsufficient)
      }
      #expect(
        try await creditFailure { try await scene.credits.book(booking(-1, user: "u2")) }
          == .balanceInsufficient)
      #expect(try await scene.credits.ledger(of: "u1").total == 1)
      #expect(try await scene.credits.ledger(of: "u2").total == 0)
      #expect(try await scene.credits.book(booking(-100)).balanceAfter == 0)
      #expect(try await scene.credits.book(booking(0, event: "zero")).balanceAfter == 0)
      // An event that was refused was not booked.
      #expect(try await scene.credits.book(booking(3, event: "later")).balanceAfter == 3)
    }
  }

  @Test("may fill a balance up to 64 bits, and nothing more")
  func overflow() async throws {
    try await CreditScene.run { (scene) async throws in
      #expect(
        try await creditFailure { try await scene.credits.book(booking(Int.max)) }
          == .amountOutOfRange)
      #expect(try await scene.credits.book(booking(Int.max - 100)).balanceAfter == Int.max)
      #expect(
        try await creditFailure { try await scene.credits.book(booking(1, event: "one")) }
          == .amountOutOfRange)
      #expect(try await scene.balance() == Int.max)
      #expect(
        try await scene.credits.book(booking(-Int.max, event: "all", user: "u1")).balanceAfter
          == 0)
      #expect(
        try await scene.credits.book(booking(Int.max, event: "new", user: "u2")).balanceAfter
          == Int.max)
    }
  }

  @Test("have no names of the App Store's events")
  func reserved() async throws {
    try await CreditScene.run { (scene) async throws in
      for event in [
        "payment.apple_iap:1", "payment.apple_iap.refund:1",
        "payment.apple_iap.refund_reversed:1:2",
      ] {
        #expect(
          try await creditFailure { try await scene.credits.book(booking(1, event: event)) }
            == .reservedEvent)
      }
      for type in ["purchase", "refund", "refund_reversal"] {
        #expect(
          try await creditFailure { try await scene.credits.book(booking(1, type: type)) }
            == .reservedEvent)
      }
      var ofSandbox = booking(1)
      ofSandbox.environment = .sandbox
      #expect(
        try await creditFailure { try await scene.credits.book(ofSandbox) } == .reservedEvent)
      #expect(try await scene.balance() == 100)
    }
  }

  @Test("that no store can hold are refused", arguments: ["", String(repeating: "e", count: 300)])
  func unstorable(event: String) async throws {
    try await CreditScene.run { (scene) async throws in
      await #expect(throws: StorageFailure.invalidValue(field: .caller("eventID"))) {
        try await scene.credits.book(booking(1, event: event))
      }
    }
  }

  // MARK: Reading

  @Test("a user without an account has nothing")
  func nobody() async throws {
    try await CreditScene.run { (scene) async throws in
      #expect(try await scene.balance(of: "nobody") == 0)
      let page = try await scene.credits.ledger(of: "nobody")
      #expect([page.total, page.page, page.limit] == [0, 1, 20])
      #expect(page.entries.isEmpty)
    }
  }

  @Test("the ledger is read in pages, the newest entry first")
  func pages() async throws {
    try await CreditScene.run { (scene) async throws in
      for number in 1...24 {
        try await scene.give(number, to: "u1", event: "event:\(number)")
        try await scene.give(1, to: "u2")
      }
      func page(_ page: Int, _ limit: Int) async throws -> [String] {
        let ledger = try await scene.credits.ledger(of: "u1", page: page, limit: limit)
        #expect(ledger.total == 25)
        return ledger.entries.map { String($0.booking.eventID.prefix(8)) }
      }
      let newest = (1...24).reversed().map { "event:\($0)" }
      #expect(try await page(1, 10) == Array(newest.prefix(10)))
      #expect(try await page(2, 10) == Array(newest.dropFirst(10).prefix(10)))
      #expect(try await page(3, 10).dropLast() == newest.dropFirst(20))
      #expect(try await page(3, 10).count == 5)
      #expect(try await page(4, 10).isEmpty)
      #expect(try await page(Int.max, 100).isEmpty)
      #expect(try await page(Int.max, Int.max).isEmpty)
      #expect(try await page(0, 0) == ["event:24"])
      #expect(try await page(Int.min, Int.min) == ["event:24"])
      let all = try await scene.credits.ledger(of: "u1", limit: 1000)
      #expect(all.limit == 100)
      #expect(all.entries.count == 25)
      #expect(all.entries.first?.balanceAfter == 400)
      #expect(all.entries.last?.balanceAfter == 100)
      #expect(try await scene.credits.ledger(of: "u1").entries.count == 20)
    }
  }
}
