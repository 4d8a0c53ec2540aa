import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

/// Source: credit rules, section 11.
@Suite("The rebuild of credits that Google Play sold", .onEveryStore)
struct PlayCreditRebuildTests {
  private func rebuild(_ scene: PlayCreditScene) -> Rebuild {
    Rebuild(
      scene.notifications.context, apple: [],
      google: VoidedPurchaseRecovery(scene.notifications, clock: scene.play.clock),
      clock: scene.play.clock)
  }

  /// A purchase whose token the database knows by a push, and whose grant it has lost.
  private func lostGrant(
    _ scene: PlayCreditScene, mark: String? = "mark-u1", quantity: Int = 1
  ) async throws -> TestPlayPurchase {
    let purchase = try scene.play.buy(
      "gems_big", quantity: quantity, PlayTerms(obfuscatedAccountID: mark))
    try await scene.push()
    #expect(try await scene.balance() == 0)
    return purchase
  }

  @Test("gives them to the account that the app named, once, and what the app sends finds them")
  func granted() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try await lostGrant(scene, quantity: 2)
      let start = scene.play.now
      scene.play.clock.advance(by: .seconds(60))
      let report = try await rebuild(scene).run(since: start)
      #expect(report.isComplete)
      #expect(report.faults.isEmpty)
      #expect((report.creditedPurchases, report.credits) == (1, 1000))
      #expect(try await scene.balance() == 1000)
      let order = try await scene.order(of: purchase)
      #expect(try await scene.events() == ["payment.google_play:\(order):gems_big"])
      scene.play.clock.advance(by: .seconds(60))
      let again = try await rebuild(scene).run(since: start)
      #expect((again.creditedPurchases, again.credits) == (0, 0))
      #expect(try await scene.grant(purchase).status == .alreadyGranted)
      #expect(try await scene.balance() == 1000)
      // The product is consumed as after any grant.
      #expect(try await scene.deliver().delivered == 1)
      #expect(try await scene.isConsumed(purchase))
    }
  }

  @Test("leaves those that were granted as they are, whoever has them")
  func unchanged() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try scene.play.buy("gems_big")
      _ = try await scene.grant(purchase, to: "u2")
      _ = try await scene.deliver()
      scene.play.clock.advance(by: .seconds(60))
      let report = try await rebuild(scene).run(since: scene.play.now)
      #expect(report.faults.isEmpty)
      #expect(report.credits == 0)
      #expect(try await scene.balance(of: "u2") == 500)
    }
  }

  @Test("takes back what Google no longer lists as voided, and gives it again, once each")
  func refunded() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let start = scene.play.now
      let purchase = try scene.play.buy("gems_big")
      _ = try await scene.grant(purchase)
      scene.play.clock.advance(by: .seconds(60))
      _ = try scene.play.revoke(purchase)
      scene.play.clock.advance(by: .days(40))
      for count in [1, 0] {
        let report = try await rebuild(scene).run(since: start)
        #expect(report.creditRefunds == count)
        #expect(report.voidedEntries == 0)
        #expect(try await scene.amounts() == [500, -500])
        scene.play.clock.advance(by: .seconds(60))
      }
    }
  }

  @Test("gives nothing for a purchase that is voided, though its grant was lost")
  func lostAndVoided() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let start = scene.play.now
      let purchase = try await lostGrant(scene)
      scene.play.clock.advance(by: .seconds(60))
      _ = try scene.play.revoke(purchase)
      let report = try await rebuild(scene).run(since: start)
      #expect(report.faults.isEmpty)
      #expect(report.credits == 0)
      #expect(try await scene.amounts() == [])
      await #expect(throws: CreditFailure.refused(.revoked)) {
        _ = try await scene.grant(purchase)
      }
    }
  }

  @Test(
    "counts credits for which nobody is known, and tokens that are not stored",
    arguments: [nil, "somebody else's mark"])
  func ownerless(mark: String?) async throws {
    try await PlayCreditScene.run { (scene) async throws in
      _ = try await lostGrant(scene, mark: mark)
      try await scene.store.write { records in
        var row = PurchaseRecord(
          transactionID: "google:GPA.7:gems_big", originalTransactionID: "google:7",
          productID: "gems_big")
        row.signedDate = scene.play.now
        try await records.purchases.record(
          transactions: [row], environment: .production, now: scene.play.now)
      }
      let report = try await rebuild(scene).run(since: scene.play.now)
      #expect(report.isComplete)
      #expect(report.faults == [.creditsOwnerless: 1, .tokenMissing: 1])
      #expect(try await scene.balance() == 0)
    }
  }
}
