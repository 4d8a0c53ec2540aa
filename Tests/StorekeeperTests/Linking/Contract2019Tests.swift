import HTTPMessages
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import Storekeeper
import StorekeeperTesting
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Linking by receipt, under the contract of 2019", .onEveryStore)
struct Contract2019Tests {
  @Test("verifies, keeps and links the subscription with the latest end in one call")
  func link() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let membership = try await scene.service.link(
      receipt: purchase.receipt, ftcID: "alice", unionID: nil)
    #expect(membership.appleSubsID == purchase.originalTransactionID)
    #expect(membership.ftcID == "alice")
    #expect(
      try await scene.service.link(receipt: purchase.receipt, ftcID: "alice", unionID: nil)
        == membership)
  }

  @Test("lets an account with WeChat only have a membership, which nobody can take")
  func weChatOnly() async throws {
    let scene = try await ServiceScene()
    scene.accounts.add(try Account(ftcID: nil, unionID: "wx-union"))
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let membership = try await scene.service.link(
      receipt: purchase.receipt, ftcID: nil, unionID: "wx-union")
    #expect(membership.ftcID == nil)
    #expect(membership.unionID == "wx-union")
    #expect(
      try await scene.service.subscription(purchase.originalTransactionID).ftcUserID == nil)
    let refused = try await failure {
      _ = try await scene.service.link(receipt: purchase.receipt, ftcID: "bob", unionID: nil)
    }
    #expect(refused == .refused(.linkedToOtherAccount))
    #expect(refused?.answer(under: .year2019).field == "iap_membership")
    #expect(refused?.answer(under: .year2019).code == "already_linked")
  }

  @Test("knows no force: another valid Apple membership refuses")
  func noForce() async throws {
    let scene = try await ServiceScene()
    let one = try scene.appStore.buy(ServiceScene.monthly, by: "one")
    let two = try scene.appStore.buy(ServiceScene.monthly, by: "two")
    _ = try await scene.service.link(receipt: one.receipt, ftcID: "alice", unionID: nil)
    let refused = try await failure {
      _ = try await scene.service.link(receipt: two.receipt, ftcID: "alice", unionID: nil)
    }
    #expect(refused == .refused(.linkedToOtherSubscription))
    #expect(refused?.answer(under: .year2019).field == "ftc_membership")
  }

  @Test("replaces an expired Apple membership, which the current contract refuses (O16)")
  func expired() async throws {
    let scene = try await ServiceScene()
    let one = try scene.appStore.buy(ServiceScene.monthly, by: "one")
    try scene.appStore.setAutoRenew(.off, of: one)
    _ = try await scene.service.link(
      receipt: scene.appStore.receipt(of: "one"), ftcID: "alice", unionID: nil)
    scene.appStore.clock.advance(by: .days(40))
    let two = try await scene.bought(by: "two")
    #expect(
      try await failure {
        _ = try await scene.service.link(account: "alice", to: two.originalTransactionID)
      } == .refused(.linkedToOtherSubscription))
    let membership = try await scene.service.link(
      receipt: two.receipt, ftcID: "alice", unionID: nil)
    #expect(membership.appleSubsID == two.originalTransactionID)
  }

  @Test("unlinks as often as wanted, by holding the receipt")
  func unlink() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let id = purchase.originalTransactionID
    _ = try await scene.service.link(receipt: purchase.receipt, ftcID: "alice", unionID: nil)
    try await scene.service.unlink(receipt: purchase.receipt, ftcID: "bob")
    #expect(try await scene.membership(of: "alice") != nil)
    #expect(try await scene.service.subscription(id).ftcUserID == "alice")
    try await scene.service.unlink(receipt: purchase.receipt)
    #expect(try await scene.membership(of: "alice") == nil)
    #expect(try await scene.service.subscription(id).ftcUserID == nil)
    try await scene.service.unlink(receipt: purchase.receipt)
    #expect(try await scene.messages().map(\.kind) == [.link, .unlink])
  }

  @Test("unlinks the WeChat row of an account that the headers name by its other id")
  func unlinkWeChatRow() async throws {
    let scene = try await ServiceScene()
    scene.accounts.add(try Account(ftcID: "dora", unionID: "wx-dora"))
    scene.accounts.add(try Account(ftcID: nil, unionID: "wx-other"))
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let row = try await scene.service.link(
      receipt: purchase.receipt, ftcID: nil, unionID: "wx-other")
    #expect(row.ftcID == nil)
    try await scene.service.unlink(receipt: purchase.receipt, ftcID: "dora")
    #expect(
      try await scene.service.subscription(purchase.originalTransactionID).lastTransactionID
        == purchase.transactionID)
    let rows = try await scene.store.read { records in
      try await records.memberships.find(
        account: nil, appleSubscriptionIDs: [row.appleSubsID ?? ""])
    }
    #expect(rows == [row])
    try await scene.service.unlink(receipt: purchase.receipt, ftcID: "nobody")
    try await scene.service.unlink(receipt: purchase.receipt, unionID: "wx-other")
    let left = try await scene.store.read { records in
      try await records.memberships.find(
        account: nil, appleSubscriptionIDs: [row.appleSubsID ?? ""])
    }
    #expect(left.isEmpty)
  }

  @Test("accepts a receipt whose products are not known")
  func accept() async throws {
    let scene = try await ServiceScene(products: ProductMap([:]))
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    try await scene.service.accept(receipt: purchase.receipt)
    let linking = try await failure {
      _ = try await scene.service.link(receipt: purchase.receipt, ftcID: "alice", unionID: nil)
    }
    #expect(linking == .unknownProduct)
    #expect(linking?.answer(under: .year2019).code == "invalid")
  }

  @Test("unlinks also when no product is known any more")
  func unlinkUnknownProduct() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    _ = try await scene.service.link(receipt: purchase.receipt, ftcID: "alice", unionID: nil)
    let forgetful = try scene.service(asking: scene.appStore, products: ProductMap([:]))
    try await forgetful.unlink(receipt: purchase.receipt)
    #expect(try await scene.membership(of: "alice") == nil)
  }

  @Test("sends a receipt of Production that came to the Sandbox back (21008)")
  func wrongServer() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let refused = try await failure {
      _ = try await scene.service.verify(receipt: purchase.receipt, startingAt: .sandbox)
    }
    #expect(refused?.answer(under: .current).field == "verification")
    #expect(
      refused?.answer(under: .current).message == "verification response error: status 21008")
  }

  @Test("answers Apple's silence with 400, an invalid receipt with 422")
  func answers() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    scene.appStore.fail(with: .transportFailure(.notConnected))
    let unreachable = try await failure {
      _ = try await scene.service.link(receipt: purchase.receipt, ftcID: "alice", unionID: nil)
    }
    #expect(unreachable?.answer(under: .year2019).status == 400)
    scene.appStore.fail(with: .html)
    let html = try await failure { try await scene.service.accept(receipt: purchase.receipt) }
    #expect(html?.answer(under: .year2019).status == 400)
    scene.appStore.fail(with: .status(.notAuthenticated))
    let invalid = try await failure {
      _ = try await scene.service.link(receipt: purchase.receipt, ftcID: "alice", unionID: nil)
    }
    #expect(
      invalid?.answer(under: .year2019)
        == FailureAnswer(
          status: 422, field: "receipt-data", code: "invalid",
          message: "verification response is not valid"))
    #expect(
      SubscriptionFailure.missing(.receiptData).answer(under: .year2019)
        == FailureAnswer(
          status: 422, field: "receipt-data", code: "missing_field",
          message: "receipt-data missing"))
    #expect(
      try await failure {
        _ = try await scene.service.link(receipt: purchase.receipt, ftcID: nil, unionID: " ")
      } == .userMissing)
  }
}
