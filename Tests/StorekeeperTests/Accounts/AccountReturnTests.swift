import CreditPolicy
import Foundation
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("After an account was erased", .onEveryStore)
struct AccountReturnTests {
  @Test("a renewal of its subscription gives nobody a membership; whoever shows it may link it")
  func subscription() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.linked()
    try await AccountEraser(scene.service.context).erase("alice")
    #expect(try await scene.membership(of: "alice") == nil)
    scene.appStore.clock.advance(by: .days(31))
    _ = try scene.appStore.renew(purchase)
    try await scene.verify()
    #expect(try await scene.membership(of: "alice") == nil)
    _ = try await scene.service.link("bob", to: purchase.originalTransactionID)
    #expect(try await scene.membership(of: "bob")?.isIAP == true)
  }

  @Test("the same identifier is a new account, which links what it shows as any other does")
  func sameIdentifier() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.linked()
    let eraser = AccountEraser(scene.service.context)
    let first = try await eraser.erase("alice")
    try await scene.verify()
    _ = try await scene.service.link("alice", to: purchase.originalTransactionID)
    #expect(try await scene.membership(of: "alice")?.isIAP == true)
    #expect(try await scene.history(of: purchase.originalTransactionID).isEmpty)
    let second = try await eraser.erase("alice")
    #expect(second.pseudonym != nil)
    #expect(second.pseudonym != first.pseudonym)
  }

  @Test("nobody gets the credits of its packs again, and a refund takes them from the pseudonym")
  func credits() async throws {
    let token = UUID()
    try await CreditScene.run {
      $0.accounts.tokens = ["u1": token]
    } _: { scene in
      let transaction = scene.transaction { $0.appAccountToken = token }
      _ = try await scene.verify(transaction) { $0.appAccountToken = token }
      let report = try await AccountEraser(scene.credits.context).erase("u1")
      let pseudonym = try #require(report.pseudonym)
      #expect(try await scene.balance(of: pseudonym) == 600)
      for user in [AccountID("u1"), "u2"] {
        let plain = scene.transaction()
        #expect(
          try await creditFailure { try await scene.verify(plain, by: user) }
            == .refused(.conflict))
        #expect(try await scene.balance(of: user) == 0)
      }
      scene.appStore.clock.advance(by: .seconds(1))
      let refunded = scene.transaction {
        ($0.appAccountToken, $0.revocationDate) = (token, scene.appStore.now)
      }
      #expect(try await scene.notify(.refund, refunded) == .clawedBack)
      #expect(try await scene.balance(of: pseudonym) == 100)
      #expect(try await scene.row()?.userID == pseudonym)
    }
  }

  @Test("what a store signs later is kept as it was signed, with a token that leads nowhere")
  func token() async throws {
    let token = UUID()
    try await CreditScene.run {
      $0.accounts.tokens = ["u1": token]
    } _: { scene in
      let transaction = scene.transaction { $0.appAccountToken = token }
      _ = try await scene.verify(transaction) { $0.appAccountToken = token }
      try await AccountEraser(scene.credits.context).erase("u1")
      #expect(try await scene.kept().map(\.appAccountToken) == [nil])
      scene.appStore.clock.advance(by: .seconds(1))
      let refunded = scene.transaction {
        ($0.appAccountToken, $0.revocationDate) = (token, scene.appStore.now)
        $0.signedDate = scene.appStore.now
      }
      try await scene.notify(.refund, refunded)
      #expect(try await scene.kept().map(\.appAccountToken) == [token])
      #expect(try await scene.balance(of: "u1") == 0)
    }
  }
}
