import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Uploaded evidence of purchases", .onEveryStore)
struct ValidationTests {
  @Test("signed transactions and receipts, alone and together, become the user's")
  func mixtures() async throws {
    let scene = try await DrawScene()
    let frames = try scene.appStore.buy(DrawScene.id("frames"), by: "u-1")
    let full = try scene.appStore.buy(DrawScene.id("full.monthly"), by: "u-1")
    var answer = try await scene.send(
      frames.signedTransactionInfo, full.signedTransactionInfo, by: "u-1")
    for user in ["u-2", "u-3"] as [AccountID] {
      try scene.appStore.buy(DrawScene.id("frames"), by: user.rawValue)
      try scene.appStore.buy(DrawScene.id("full.monthly"), by: user.rawValue)
    }
    #expect(answer.isAssociated)
    #expect(answer.entitlements.purchasedProducts == DrawScene.ids("frames"))
    #expect(answer.entitlements.isSubscriber)
    answer = try await scene.sendReceipt(of: "u-2", by: "u-2")
    #expect(answer.entitlements.purchasedProducts == DrawScene.ids("frames"))
    #expect(answer.entitlements.isSubscriber)
    let paper = try scene.appStore.buy(DrawScene.id("paper"), by: "u-3")
    answer = try await scene.service.validate(
      UploadedEvidence(
        receipt: try scene.appStore.receipt(of: "u-3"),
        signedTransactions: [paper.signedTransactionInfo]), for: "u-3", in: DrawScene.draw)
    #expect(answer.entitlements.purchasedProducts == DrawScene.ids("frames", "paper"))
    #expect(answer.entitlements.validation?.validatedDate == scene.appStore.now)
  }

  @Test("a receipt that Apple is not asked about tells the same, and a later refund")
  func local() async throws {
    let scene = try await DrawScene { $0.asksAboutReceipts = false }
    let frames = try scene.appStore.buy(DrawScene.id("frames"), by: "u-1")
    try scene.appStore.buy(DrawScene.id("full.monthly"), by: "u-1")
    let answer = try await scene.sendReceipt()
    #expect(answer.entitlements.purchasedProducts == DrawScene.ids("frames"))
    #expect(answer.entitlements.isSubscriber)
    #expect(scene.appStore.requests.isEmpty)
    scene.appStore.clock.advance(by: .days(1))
    _ = try scene.appStore.refund(frames)
    #expect(try await scene.sendReceipt().entitlements.purchasedProducts.isEmpty)
  }

  @Test("evidence without a user is recorded, and shows what it holds")
  func nobody() async throws {
    let scene = try await DrawScene()
    let purchase = try scene.appStore.buy(DrawScene.id("frames"), by: "phone")
    let answer = try await scene.sendReceipt(of: "phone", by: nil)
    #expect(answer.userID == nil && !answer.isAssociated)
    #expect(answer.entitlements.purchasedProducts == DrawScene.ids("frames"))
    #expect(try await scene.association(of: purchase) == nil)
    let kept = try await scene.store.read { records in
      try await records.purchases.transactions(
        of: [purchase.originalTransactionID], environment: .production)
    }
    #expect(kept.map(\.productID) == DrawScene.ids("frames"))
  }

  @Test("a user alone is answered from what is known; an unknown one is refused (row 23)")
  func userOnly() async throws {
    let scene = try await DrawScene()
    try scene.appStore.buy(DrawScene.id("frames"), by: "u-1")
    try await scene.sendReceipt()
    let answer = try await scene.service.validate(for: "u-1", in: DrawScene.draw)
    #expect(answer.isAssociated)
    #expect(answer.entitlements.purchasedProducts == DrawScene.ids("frames"))
    #expect(
      try await entitlementFailure {
        try await scene.service.validate(for: "nobody", in: DrawScene.draw)
      } == .receiptMissing)
    #expect(
      try await entitlementFailure {
        try await scene.service.validate(for: nil, in: DrawScene.draw)
      } == .evidenceMissing)
  }

  @Test("a receipt of another user is refused whole, and recorded once (row 22)")
  func conflict() async throws {
    let scene = try await DrawScene()
    let frames = try await scene.buy("frames", by: "u-1")
    let paper = try scene.appStore.buy(DrawScene.id("paper"), by: "u-2")
    #expect(
      try await entitlementFailure {
        try await scene.send(
          paper.signedTransactionInfo, frames.signedTransactionInfo, by: "u-2")
      } == .linkedToOtherUser)
    #expect(try await scene.allowed(of: "u-1") == DrawScene.ids("frames"))
    #expect(try await scene.allowed(of: "u-2").isEmpty)
    #expect(try await scene.association(of: paper) == nil)
    let conflicts = try await scene.conflicts(about: frames)
    #expect(conflicts.map(\.owner) == ["u-1"] && conflicts.map(\.claimant) == ["u-2"])
    let kept = try await scene.store.read { records in
      try await records.purchases.transactions(
        of: [paper.originalTransactionID], environment: .production)
    }
    #expect(kept.isEmpty)
  }

  @Test("a forged receipt changes nothing, and leaves a good status as it is (row 21)")
  func forged() async throws {
    let scene = try await DrawScene()
    try await scene.buy("frames")
    let before = try await scene.validation()
    scene.appStore.clock.advance(by: .days(1))
    let other = try AppStoreSimulator(
      bundleID: DrawScene.draw, products: [TestProduct(DrawScene.id("paper"), .nonConsumable)]
    ) {
      $0.clock = scene.appStore.clock
      $0.start = ServiceScene.start
    }
    let forged = try other.buy(DrawScene.id("paper"))
    #expect(
      try await entitlementFailure {
        try await scene.service.validate(
          UploadedEvidence(receipt: try forged.receipt), for: "u-1", in: DrawScene.draw)
      } == .receiptNotAuthentic)
    let failure = try await entitlementFailure {
      try await scene.send(try forged.signedTransactionInfo)
    }
    guard case .transactionNotAuthentic? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(try await scene.validation() == before)
    #expect(try await !scene.entitlements().isStale)
    #expect(try await scene.allowed() == DrawScene.ids("frames"))
  }

  @Test("a user that no row can hold is not blamed on the evidence")
  func unstorableUser() async throws {
    let scene = try await DrawScene()
    let purchase = try scene.appStore.buy(DrawScene.id("paper"), by: "u-1")
    let user = AccountID(stored: String(repeating: "u", count: 200))
    await #expect(throws: StorageFailure.invalidValue(field: .caller("userID"))) {
      try await scene.send(try purchase.signedTransactionInfo, by: user)
    }
  }

  @Test(
    "purchases of the Sandbox count for a tester alone, by either identifier of the account",
    arguments: ["u-1", "union-1"])
  func testers(_ listed: String) async throws {
    let accounts = InMemoryAccountDirectory([Account(id: "u-1", secondID: "union-1")])
    let scene = try await DrawScene {
      $0.environment = .sandbox
      $0.accounts = accounts
      $0.environments = CountedEnvironments(
        [.production], testers: [AccountID(stored: listed)])
    }
    for (user, name): (AccountID, String) in [("u-1", "paper"), ("union-1", "frames")] {
      try await scene.buy(name, by: user)
      #expect(try await scene.allowed(of: user) == DrawScene.ids(name))
    }
    let purchase = try scene.appStore.buy(DrawScene.id("brushes"), by: "u-2")
    #expect(
      try await entitlementFailure {
        try await scene.send(try purchase.signedTransactionInfo, by: "u-2")
      } == .environmentNotAllowed)
  }

  @Test("evidence of another app or environment, and what is no evidence, is refused")
  func refused() async throws {
    let scene = try await DrawScene { $0.environments = [.production] }
    let paint = try scene.paintStore.buy(DrawScene.multiApp)
    #expect(
      try await entitlementFailure { try await scene.send(try paint.signedTransactionInfo) }
        == .bundleMismatch)
    let sandbox = try AppStoreSimulator(
      bundleID: DrawScene.draw, environment: .sandbox,
      products: [TestProduct(DrawScene.id("paper"), .nonConsumable)]
    ) {
      $0.authority = scene.appStore.authority
      $0.signedDataAuthority = scene.appStore.signedDataAuthority
      $0.clock = scene.appStore.clock
      $0.start = ServiceScene.start
    }
    let purchase = try sandbox.buy(DrawScene.id("paper"))
    #expect(
      try await entitlementFailure { try await scene.send(try purchase.signedTransactionInfo) }
        == .environmentNotAllowed)
    for (text, reason) in [
      ("not a receipt", EntitlementFailure.receiptInvalid), ("%%%", .receiptInvalid),
    ] {
      #expect(
        try await entitlementFailure {
          try await scene.service.validate(
            UploadedEvidence(receipt: text), for: "u-1", in: DrawScene.draw)
        } == reason)
    }
    #expect(
      try await entitlementFailure { try await scene.send("no.token.here") } == .transactionInvalid)
    #expect(
      try await entitlementFailure {
        try await scene.service.validate(
          UploadedEvidence(signedTransactions: Array(repeating: "a.b.c", count: 201)), for: "u-1",
          in: DrawScene.draw)
      } == .tooManyTransactions)
    #expect(
      try await entitlementFailure {
        try await scene.send("a.b.c", in: "com.example.other")
      } == .unknownApp)
    #expect(try await scene.validation() == nil)
  }

  @Test("an upload that Apple can't be asked about is not taken, and makes what is stored stale")
  func unreachable() async throws {
    let scene = try await DrawScene()
    try await scene.buy("frames")
    let before = try #require(try await scene.validation())
    for fault: AppStoreSimulator.Fault in [
      .transportFailure(.notConnected), .httpStatus(500), .html,
      .status(VerifyReceiptStatus(rawValue: 21005)), .status(VerifyReceiptStatus(rawValue: 21004)),
    ] {
      scene.appStore.fail(with: fault)
      #expect(
        try await entitlementFailure { try await scene.sendReceipt() } == .appStoreUnavailable,
        "\(fault)")
    }
    let after = try #require(try await scene.validation())
    #expect(after.firstFailureDate == scene.appStore.now)
    #expect(after.validatedDate == before.validatedDate)
    scene.appStore.fail(with: .status(VerifyReceiptStatus(rawValue: 21002)))
    #expect(try await entitlementFailure { try await scene.sendReceipt() } == .receiptInvalid)
    scene.appStore.fail(with: .status(VerifyReceiptStatus(rawValue: 21003)))
    #expect(try await entitlementFailure { try await scene.sendReceipt() } == .receiptNotAuthentic)
    // Expired, says Apple, and nothing of what is in it: an answer, and no outage.
    scene.appStore.fail(with: .status(VerifyReceiptStatus(rawValue: 21006)))
    #expect(try await entitlementFailure { try await scene.sendReceipt() } == .receiptInvalid)
    scene.appStore.stopFailing()
    #expect(try await scene.validation() == after)
    #expect(try await scene.allowed() == DrawScene.ids("frames"))
    // Nothing is noted about a user who has bought nothing.
    scene.appStore.fail(with: .httpStatus(500))
    #expect(
      try await entitlementFailure { try await scene.sendReceipt(by: "u-2") }
        == .appStoreUnavailable)
    #expect(try await scene.validation(of: "u-2") == nil)
  }

  @Test("older facts change nothing, and a missing purchase stays (row 28)")
  func order() async throws {
    let scene = try await DrawScene()
    let frames = try await scene.buy("frames")
    let old = try frames.signedTransactionInfo
    scene.appStore.clock.advance(by: .days(1))
    try await scene.receive(try scene.appStore.refund(frames))
    #expect(try await scene.allowed().isEmpty)
    try await scene.send(old)
    #expect(try await scene.allowed().isEmpty)
    let coins = try await scene.buy("coins")
    try scene.appStore.finish(coins)
    try await scene.buy("paper")
    try await scene.sendReceipt()
    #expect(try await scene.association(of: coins)?.userID == "u-1")
    #expect(try await scene.allowed() == DrawScene.ids("paper"))
  }

  @Test("support staff can take a purchase from a user; what was acquired stays")
  func dissociation() async throws {
    let scene = try await DrawScene()
    let full = try await scene.buy("full.monthly")
    try await scene.service.acquire(DrawScene.id("paper"), for: "u-1", in: DrawScene.draw)
    let id = full.originalTransactionID
    #expect(try await !scene.service.dissociate(id, from: "u-2", in: DrawScene.draw))
    #expect(try await scene.service.dissociate(id, from: "u-1", in: DrawScene.draw))
    #expect(try await !scene.service.dissociate(id, from: "u-1", in: DrawScene.draw))
    let answer = try await scene.entitlements()
    #expect(answer.subscription == nil)
    #expect(answer.acquiredProducts == DrawScene.ids("paper"))
    try await scene.send(try full.signedTransactionInfo, by: "u-2")
    #expect(try await scene.entitlements(of: "u-2").isSubscriber)
  }
}
