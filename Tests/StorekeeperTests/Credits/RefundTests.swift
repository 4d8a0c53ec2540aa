import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

/// Source: credit rules, sections 3, 6 and 9 (rows 15 to 21).
@Suite("Refunds of credits", .onEveryStore)
struct RefundTests {
  private let refund = "payment.apple_iap.refund:2000000900000001"
  private let reversal = "payment.apple_iap.refund_reversed:2000000900000001"
  private let purchase = "payment.apple_iap:2000000900000001"

  /// X granted to u1, who has 160 credits then.
  private func granted(_ scene: CreditScene) async throws -> Transaction {
    let transaction = scene.transaction(of: CreditScene.welcome)
    #expect(try await scene.verify(transaction).newBalance == 160)
    return transaction
  }

  /// X spent down to 25 credits, and refunded.
  private func refundedAt25(_ scene: CreditScene) async throws -> Transaction {
    let transaction = try await granted(scene)
    try await scene.give(-135, to: "u1")
    #expect(
      try await scene.notify(
        .refund, transaction, uuid: "6F1C3A52-0C1E-4F57-9A55-0D3B1C7E9A10") == .clawedBack)
    return transaction
  }

  @Test("row 15: X granted, spent down to 25, REFUND: balance 0, entry -25, shortfall 35; revoked")
  func shortfall() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = try await refundedAt25(scene)
      #expect(try await scene.balance() == 0)
      let entry = try #require(try await scene.entries().last)
      let row = try #require(try await scene.row())
      #expect(entry.booking.eventID == refund)
      #expect(entry.booking.changeType.rawValue == "refund")
      #expect(entry.booking.subjectType == "payment")
      #expect(entry.booking.subjectID == row.id.map(String.init))
      #expect(entry.booking.amount == -25)
      #expect(entry.balanceAfter == 0)
      #expect(
        entry.booking.metadata == [
          "ext": .object([
            "provider": .string("apple_iap"), "environment": .string("Production"),
            "transaction_id": .string("2000000900000001"), "original_event_id": .string(purchase),
            "notification_uuid": .string("6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10"),
            "notification_type": .string("REFUND"), "original_amount": .integer(60),
            "clawed_back": .integer(25), "shortfall": .integer(35),
          ])
        ])
      #expect(row.status == .refunded)
      #expect(row.userID == "u1")
      #expect(row.lastEventSignedDate == scene.appStore.now)
      #expect(
        try await creditFailure { try await scene.verify(transaction) } == .refused(.revoked))
      #expect(
        try await creditFailure { try await scene.verify(transaction, by: "u2") }
          == .refused(.revoked))
      // The shortfall is no debt.
      #expect(try await scene.verify(scene.transaction(CreditScene.y)).newBalance == 500)
    }
  }

  @Test("row 16: REFUND, the same UUID again, REVOKE with another UUID: one refund entry")
  func once() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = try await granted(scene)
      let uuid = "6F1C3A52-0C1E-4F57-9A55-0D3B1C7E9A10"
      #expect(try await scene.notify(.refund, transaction, uuid: uuid) == .clawedBack)
      #expect(try await scene.balance() == 100)
      for same in [uuid, uuid.lowercased()] {
        #expect(try await scene.notify(.refund, transaction, uuid: same) == .clawedBack)
        #expect(try await scene.balance() == 100)
      }
      #expect(try await scene.notify(.revoke, transaction) == .noChange)
      #expect(try await scene.notify(.didFailToRenew, transaction) == .noChange)
      #expect(try await scene.balance() == 100)
      #expect(try await scene.entries().map(\.booking.eventID) == [purchase, refund])
    }
  }

  @Test("row 17: REFUND at balance 0: an entry with amount 0 and shortfall 60")
  func nothingLeft() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = try await granted(scene)
      try await scene.give(-160, to: "u1")
      #expect(try await scene.notify(.refund, transaction) == .clawedBack)
      let entry = try #require(try await scene.entries().last)
      #expect(entry.booking.eventID == refund)
      #expect([entry.booking.amount, entry.balanceAfter] == [0, 0] as [Int])
      #expect(entry[ext: "clawed_back"] == .integer(0))
      #expect(entry[ext: "shortfall"] == .integer(60))
    }
  }

  @Test("row 18: REFUND before any verify, verify, REFUND_REVERSED, verify")
  func refundFirst() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = scene.transaction(of: CreditScene.welcome)
      #expect(try await scene.notify(.refund, transaction) == .pending)
      let pending = try #require(try await scene.row())
      #expect(pending.status == .revokedPending)
      #expect(pending.userID == nil)
      #expect(pending.credits == nil)
      #expect(try await scene.notify(.revoke, transaction) == .noChange)
      #expect(
        try await creditFailure { try await scene.verify(transaction) } == .refused(.revoked))
      #expect(try await scene.notify(.refundReversed, transaction) == .cleared)
      #expect(try await scene.row()?.status == .open)
      #expect(try await scene.notify(.refundReversed, transaction) == .noChange)
      let grant = try await scene.verify(transaction)
      #expect(grant.status == .granted)
      #expect(grant.newBalance == 160)
      #expect(try await scene.row()?.id == pending.id)
      // The credits can be taken back as those of any purchase.
      #expect(try await scene.notify(.refund, transaction) == .clawedBack)
      #expect(try await scene.balance() == 100)
    }
  }

  @Test("an open transaction becomes pending again, and REFUND_REVERSED of an unknown one opens it")
  func open() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = scene.transaction()
      #expect(try await scene.notify(.refundReversed, transaction) == .cleared)
      #expect(try await scene.row()?.status == .open)
      #expect(try await scene.notify(.didFailToRenew, transaction) == .pending)
      #expect(try await scene.row()?.status == .revokedPending)
    }
  }

  @Test("a pending or open row of another product is a conflict for verify")
  func openOfOtherProduct() async throws {
    try await CreditScene.run { (scene) async throws in
      #expect(
        try await scene.notify(.refundReversed, scene.transaction(of: CreditScene.welcome))
          == .cleared)
      #expect(
        try await creditFailure { try await scene.verify(scene.transaction()) }
          == .refused(.conflict))
    }
  }

  @Test("row 19: 15, then REFUND_REVERSED: +25, balance 25, granted; verify: already granted")
  func reversed() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = try await refundedAt25(scene)
      #expect(
        try await scene.notify(
          .refundReversed, transaction, uuid: "9a10b2c3-0c1e-4f57-9a55-0d3b1c7e9a11")
          == .restored)
      #expect(try await scene.balance() == 25)
      let row = try #require(try await scene.row())
      #expect(row.status == .granted)
      #expect(row.refundRound == 1)
      let entry = try #require(try await scene.entries().last)
      #expect(entry.booking.eventID == reversal)
      #expect(entry.booking.changeType.rawValue == "refund_reversal")
      #expect(entry.booking.subjectID == row.id.map(String.init))
      #expect([entry.booking.amount, entry.balanceAfter] == [25, 25] as [Int])
      #expect(
        entry.booking.metadata == [
          "ext": .object([
            "provider": .string("apple_iap"), "environment": .string("Production"),
            "transaction_id": .string("2000000900000001"), "original_event_id": .string(purchase),
            "reversed_event_id": .string(refund),
            "notification_uuid": .string("9a10b2c3-0c1e-4f57-9a55-0d3b1c7e9a11"),
            "notification_type": .string("REFUND_REVERSED"), "original_amount": .integer(60),
            "clawed_back": .integer(25), "shortfall": .integer(35),
          ])
        ])
      let again = try await scene.verify(transaction)
      #expect(again.status == .alreadyGranted)
      #expect([again.creditsAdded, again.newBalance] == [0, 25] as [Int])
      #expect(again.ledgerEventID == purchase)
    }
  }

  @Test("row 20: REFUND_REVERSED signed 10:05 before REFUND signed 10:00: no change, superseded")
  func outOfOrder() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = try await granted(scene)
      let (ten, fivePast) = (ServiceScene.start - 300, ServiceScene.start)
      #expect(try await scene.notify(.refundReversed, transaction, at: fivePast) == .noChange)
      #expect(try await scene.notify(.refund, transaction, at: ten) == .superseded)
      #expect(try await scene.balance() == 160)
      #expect(try await scene.row()?.lastEventSignedDate == fivePast)
      // One signed at the same moment is not earlier.
      #expect(try await scene.notify(.refund, transaction, at: fivePast) == .clawedBack)
    }
  }

  @Test("milliseconds decide which of two notifications is earlier")
  func milliseconds() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = try await granted(scene)
      let moment = ServiceScene.start - 100.002
      #expect(try await scene.notify(.refundReversed, transaction, at: moment) == .noChange)
      #expect(try await scene.notify(.refund, transaction, at: moment - 0.001) == .superseded)
      #expect(try await scene.notify(.refund, transaction, at: moment) == .clawedBack)
      #expect(try await scene.notify(.refundReversed, transaction, at: moment + 0.001) == .restored)
    }
  }

  @Test("row 21: REFUND, REFUND_REVERSED, REFUND with rising dates: a second round, then a third")
  func rounds() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = try await granted(scene)
      var ids = [purchase]
      for suffix in ["", ":2", ":3"] {
        #expect(try await scene.notify(.refund, transaction) == .clawedBack)
        #expect(try await scene.balance() == 100)
        scene.appStore.clock.advance(by: .seconds(1))
        #expect(try await scene.notify(.refundReversed, transaction) == .restored)
        #expect(try await scene.balance() == 160)
        scene.appStore.clock.advance(by: .seconds(1))
        ids += [refund + suffix, reversal + suffix]
      }
      let entries = try await scene.entries()
      #expect(entries.map(\.booking.eventID) == ids)
      #expect(entries.last?[ext: "reversed_event_id"] == .string(refund + ":3"))
      #expect(try await scene.row()?.refundRound == 3)
    }
  }

  @Test("Apple's date, reason and percentage are in the entry; the whole amount counts")
  func partial() async throws {
    try await CreditScene.run { (scene) async throws in
      var transaction = try await granted(scene)
      transaction.revocationDate = ServiceScene.start + 0.123
      transaction.revocationReason = .issueInApp
      transaction.revocationPercentage = 50_000
      #expect(try await scene.notify(.refund, transaction) == .clawedBack)
      let entry = try #require(try await scene.entries().last)
      #expect(entry.booking.amount == -60)
      #expect(entry[ext: "revocation_date"] == .integer(1_700_000_000_123))
      #expect(entry[ext: "revocation_reason"] == .integer(1))
      #expect(entry[ext: "revocation_percentage"] == .integer(50_000))
    }
  }

  @Test(
    "shares of a purchase add up where the host takes the refunded share; a reversal gives all back"
  )
  func shares() async throws {
    try await CreditScene.run {
      $0.options.partialRefunds = .share
    } _: { (scene) async throws in
      let transaction = try await granted(scene)
      func refunded(_ percentage: Int, on day: Double) -> Transaction {
        var transaction = transaction
        transaction.revocationDate = ServiceScene.start + day * 86_400
        transaction.revocationPercentage = percentage
        return transaction
      }
      // 33.333 percent of 60 credits are 20.
      #expect(try await scene.notify(.refund, refunded(33_333, on: 1)) == .clawedBack)
      #expect(try await scene.balance() == 140)
      #expect(try await scene.notify(.refund, refunded(33_333, on: 1)) == .noChange)
      scene.appStore.clock.advance(by: .seconds(1))
      #expect(try await scene.notify(.refund, refunded(25_000, on: 2)) == .clawedBack)
      #expect(try await scene.balance() == 125)
      #expect(try await scene.credits.audit("u1") == [])
      #expect(
        try await creditFailure { try await scene.verify(transaction) } == .refused(.revoked))
      scene.appStore.clock.advance(by: .seconds(1))
      #expect(try await scene.notify(.refundReversed, transaction) == .restored)
      #expect(try await scene.balance() == 160)
      #expect(try await scene.row()?.refundRound == 1)
      #expect(
        try await scene.entries().map(\.booking.eventID)
          == [purchase, refund, refund + ":1.2", reversal])
      #expect(try await scene.entries().map(\.booking.amount) == [60, -20, -15, 35])
      #expect(try await scene.credits.audit("u1") == [])
    }
  }

  @Test("20 copies of two partial refunds at once: two entries")
  func sharesAtOnce() async throws {
    try await CreditScene.run {
      $0.options.partialRefunds = .share
    } _: { (scene) async throws in
      let transaction = try await granted(scene)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          var transaction = transaction
          transaction.revocationDate = ServiceScene.start + Double(number % 2) * 86_400
          transaction.revocationPercentage = 10_000
          group.addTask { [transaction] in
            try await scene.notify(.refund, transaction)
          }
        }
        try await group.waitForAll()
      }
      #expect(try await scene.balance() == 148)
      #expect(
        try await scene.entries().map(\.booking.eventID) == [purchase, refund, refund + ":1.2"])
      #expect(try await scene.credits.audit("u1") == [])
    }
  }

  @Test("the account is that of the row, and the amount needs no product")
  func storedOwner() async throws {
    let token = UUID()
    try await CreditScene.run {
      $0.accounts.tokens = ["u2": token]
    } _: { (scene) async throws in
      let transaction = try await granted(scene)
      let credits = try CreditService(
        PurchaseContext(
          store: scene.store, accounts: CreditAccounts(), verifier: scene.verifier,
          now: { ServiceScene.start }), products: CreditProducts())
      let notifications = try NotificationService(
        credits.context, credits: credits)
      try await scene.give(500, to: "u2")
      var named = transaction
      named.appAccountToken = token
      named.quantity = 7
      try await notifications.receive(creditPayload: try scene.notification(.refund, named))
      #expect(try await scene.balance() == 100)
      #expect(try await scene.balance(of: "u2") == 500)
    }
  }

  @Test("the environments don't mix")
  func environments() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = try await granted(scene)
      var sandbox = transaction
      sandbox.environment = .sandbox
      #expect(try await scene.notify(.refund, sandbox) == .pending)
      #expect(try await scene.balance() == 160)
      #expect(try await scene.row()?.status == .granted)
    }
  }

  @Test("credits that would not fit are not restored, and nothing is recorded")
  func overflow() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = try await granted(scene)
      #expect(try await scene.notify(.refund, transaction) == .clawedBack)
      try await scene.give(Int.max - 100, to: "u1")
      let uuid = UUID().uuidString
      await #expect(throws: (any Error).self) {
        try await scene.notify(.refundReversed, transaction, uuid: uuid)
      }
      #expect(try await scene.recorded(uuid) == nil)
      #expect(try await scene.balance() == Int.max)
      try await scene.give(-1000, to: "u1")
      #expect(try await scene.notify(.refundReversed, transaction, uuid: uuid) == .restored)
    }
  }

  @Test("the simulated App Store sells, refunds and reverses")
  func simulated() async throws {
    try await CreditScene.run { (scene) async throws in
      let purchase = try scene.appStore.buy(CreditScene.big)
      func receive(_ notification: TestNotification) async throws -> NoticeOutcome? {
        try await scene.notifications.receive(creditPayload: notification.signedPayload)
        return try await scene.recorded(notification.uuid)?.outcome
      }
      #expect(purchase.notification.type == .oneTimeCharge)
      #expect(try await receive(purchase.notification) == .ignoredType)
      let verified = try scene.verifier.transaction(purchase.signedTransactionInfo)
      _ = try await scene.credits.grant(verified, of: "big_pack", to: "u1")
      scene.appStore.clock.advance(by: .days(1))
      #expect(
        try await receive(scene.appStore.refund(purchase, reason: .issueInApp)) == .clawedBack)
      #expect(try await scene.balance() == 100)
      let entry = try #require(try await scene.entries().last)
      #expect(entry[ext: "revocation_reason"] == .integer(1))
      #expect(entry[ext: "revocation_date"] == .integer(1_700_086_400_000))
      #expect(try await scene.kept(purchase.transactionID).first?.isCancelled == true)
      scene.appStore.clock.advance(by: .days(1))
      #expect(try await receive(scene.appStore.reverseRefund(purchase)) == .restored)
      #expect(try await scene.balance() == 600)
      #expect(try await scene.kept(purchase.transactionID).first?.isCancelled == false)
    }
  }
}
