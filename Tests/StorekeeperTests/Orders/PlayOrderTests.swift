import EntitlementPolicy
import GooglePlayVerifier
import HTTPMessages
import PurchaseStorage
import ReceiptModels
import Storekeeper
import StorekeeperTesting
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Orders of Google Play, and what becomes of them", .onEveryStore)
struct PlayOrderTests {
  @Test("a purchase is acknowledged after it was stored, and a repetition does no harm")
  func acknowledgement() async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.subscribe("pro_monthly")
    #expect(try await scene.order(bought).level == OrderScene.pro)
    #expect(try scene.play.purchase(bought.purchaseToken).isAcknowledged == false)
    scene.play.fail(next: 1, with: .backendError, at: .acknowledgeSubscription)
    #expect(try await scene.acknowledge() == OutboxDelivery.Report(failed: 1))
    _ = try await scene.order(bought)
    scene.play.clock.advance(by: .seconds(3600))
    #expect(try await scene.acknowledge() == OutboxDelivery.Report(delivered: 1))
    #expect(try scene.play.purchase(bought.purchaseToken).isAcknowledged)
    scene.play.clock.advance(by: .seconds(4 * 86_400))
    #expect(try await scene.service.subscriptionForProfile(of: "u-1") != nil)
  }

  @Test("a subscription that comes back from a hold is the user's again, when Google tells")
  func recovery() async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.acknowledge(scene.play.subscribe("pro_monthly"))
    _ = try await scene.order(bought)
    scene.play.clock.advance(by: .seconds(30 * 86_400))
    _ = try scene.play.failRenewal(bought)
    _ = try await scene.push()
    #expect(try await scene.orders.row() == nil)
    _ = try scene.play.recover(bought)
    #expect(try await scene.push().allSatisfy(\.isAcknowledged))
    #expect(try await scene.orders.row()?.receiptData == bought.purchaseToken)
  }

  @Test("a wrong package name does not remove what is stored, also if the order is repeated")
  func wrongPackage() async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.acknowledge(scene.play.subscribe("pro_monthly"))
    _ = try await scene.order(bought)
    scene.play.fail(next: nil, with: .error(.notFound, reason: "notFound"), at: .subscription)
    await #expect(throws: OrderFailure.refused(.invalid)) { try await scene.order(bought) }
    #expect(try await scene.service.subscriptionForProfile(of: "u-1") != nil)
    #expect(try await scene.orders.row() != nil)
  }

  @Test("a purchase that is not in use is not acknowledged, so that Google refunds it")
  func unused() async throws {
    let scene = try await PlayScene()
    let pro = try scene.play.acknowledge(scene.play.subscribe("pro_monthly"))
    scene.play.clock.advance(by: .seconds(60))
    let other = try scene.play.subscribe("basic_monthly", by: "other")
    scene.play.clock.advance(by: .seconds(60))
    _ = try await scene.order(other)
    _ = try await scene.order(pro)
    #expect(try await scene.orders.row()?.receiptData == other.purchaseToken)
    let third = try scene.play.subscribe("pro_monthly", by: "third")
    _ = try await scene.order(third)
    #expect(try await scene.acknowledge().delivered == 2)
    #expect(try scene.play.purchase(other.purchaseToken).isAcknowledged == false)
    #expect(try scene.play.purchase(third.purchaseToken).isAcknowledged)
  }

  @Test("a purchase marked as another user's is refused, the user's own accepted")
  func mark() async throws {
    let scene = try await PlayScene()
    let token = UUID()
    scene.orders.accounts.add(Account(id: "u-1"), appAccountToken: token)
    let bought = try scene.play.subscribe(
      "pro_monthly", PlayTerms(obfuscatedAccountID: token.uuidString))
    await #expect(throws: OrderFailure.refused(.alreadyUsed)) {
      try await scene.order(bought, by: "u-2")
    }
    _ = try await scene.order(bought)
  }

  @Test("an upgrade ends the older token for its user, and is nobody else's")
  func upgrade() async throws {
    let scene = try await PlayScene()
    let old = try scene.play.acknowledge(scene.play.subscribe("basic_monthly"))
    _ = try await scene.order(old)
    let new = try scene.play.changePlan(of: old, to: "pro_monthly")
    await #expect(throws: OrderFailure.refused(.alreadyUsed)) {
      try await scene.order(new, by: "u-2")
    }
    #expect(try await scene.order(new).level == OrderScene.pro)
    #expect(try await scene.orders.owner(of: scene.key(of: new), from: .google) == "u-1")
    #expect(try await scene.orders.owner(of: scene.key(of: old), from: .google) == nil)
  }

  @Test("a refund that Google pushes removes the subscription, once")
  func refund() async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.acknowledge(scene.play.subscribe("pro_monthly"))
    _ = try await scene.order(bought)
    _ = try scene.play.revoke(bought)
    let attempts = try await scene.push()
    #expect(!attempts.isEmpty && attempts.allSatisfy(\.isAcknowledged))
    #expect(try await scene.orders.row() == nil)
    #expect(try await scene.push().isEmpty)
  }

  @Test("a renewal that Google pushes moves the end; the message is worked on once")
  func renewal() async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.acknowledge(scene.play.subscribe("pro_monthly"))
    _ = try await scene.order(bought)
    _ = try await scene.push()
    scene.play.clock.advance(by: .seconds(30 * 86_400))
    let renewed = try scene.play.renew(bought)
    _ = try await scene.push()
    #expect(try await scene.orders.row()?.expiration == OrderScene.start + 60 * 86_400)
    let asked = scene.play.requests.count { $0.endpoint == .subscription }
    let request = try scene.play.push(try #require(renewed.notifications.last))
    try await scene.notifications.receive(
      body: request.body, authorization: request.headers[.authorization])
    #expect(scene.play.requests.count { $0.endpoint == .subscription } == asked)
  }

  @Test("while Google cannot be asked, a push is to be repeated")
  func outage() async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.acknowledge(scene.play.subscribe("pro_monthly"))
    _ = try await scene.order(bought)
    _ = try await scene.push()
    _ = try scene.play.revoke(bought)
    scene.play.fail(next: nil, with: .backendError, at: .subscription)
    #expect(try await scene.push().allSatisfy { $0.status == .serviceUnavailable })
    #expect(try await scene.orders.row() != nil)
    scene.play.stopFailing()
    #expect(try await scene.push().allSatisfy(\.isAcknowledged))
    #expect(try await scene.orders.row() == nil)
  }

  @Test("a subscription bought again in Google's pages becomes the user's, by its older token")
  func outOfApp() async throws {
    let scene = try await PlayScene()
    let old = try scene.play.acknowledge(scene.play.subscribe("pro_monthly"))
    _ = try await scene.order(old)
    _ = try scene.play.cancel(old)
    scene.play.clock.advance(by: .seconds(31 * 86_400))
    #expect(try await scene.service.subscriptionForProfile(of: "u-1") == nil)
    let new = try scene.play.resubscribeOutOfApp(old)
    _ = try await scene.push()
    #expect(try await scene.orders.row()?.receiptData == new.purchaseToken)
    #expect(try await scene.acknowledge().delivered >= 1)
    #expect(try scene.play.purchase(new.purchaseToken).isAcknowledged)
  }

  @Test("a purchase that nobody is known for stays nobody's until it is ordered")
  func unknownPurchase() async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.subscribe("pro_monthly", PlayTerms(obfuscatedAccountID: "stranger"))
    #expect(try await scene.push().allSatisfy(\.isAcknowledged))
    #expect(try await scene.orders.owner(of: scene.key(of: bought), from: .google) == nil)
    _ = try await scene.order(bought, by: "u-2")
  }

  @Test("a stranger's push with a valid token of Google for our audience is refused")
  func stranger() async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.acknowledge(scene.play.subscribe("pro_monthly"))
    _ = try await scene.order(bought)
    _ = try scene.play.revoke(bought)
    let request = try scene.play.push(
      try #require(scene.play.notifications.last), as: .stranger)
    await #expect(throws: PushTokenFailure.self) {
      try await scene.notifications.receive(
        body: request.body, authorization: request.headers[.authorization])
    }
    #expect(try await scene.orders.row() != nil)
  }

  @Test("a damaged push counts as received, and is reported")
  func damaged() async throws {
    let scene = try await PlayScene()
    _ = try scene.play.subscribe("pro_monthly")
    let request = try scene.play.push(try #require(scene.play.notifications.last))
    for body in ["", "[]", #"{"message":{"data":"e30=","messageId":"1"},"subscription":"s"}"#] {
      try await scene.notifications.receive(
        body: Array(body.utf8), authorization: request.headers[.authorization])
    }
    let refusals = scene.orders.incidents.all.compactMap {
      if case .pushRefused(let refusal) = $0 { refusal } else { nil }
    }
    #expect(refusals == [.damaged, .damaged, .damaged])
  }
}
