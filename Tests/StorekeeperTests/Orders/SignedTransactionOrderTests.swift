import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Apple's word about a signed transaction (entitlement rules, section 13)")
struct SignedTransactionOrderTests {
  private func vendor(_ scene: ServerScene, asks: Bool = true) throws -> AppleVendor {
    AppleVendor(verifier: try scene.scene.verifier(), appStores: asks ? [scene.client] : [])
  }

  private func key(_ purchase: TestPurchase) -> PurchaseKey {
    .apple(purchase.originalTransactionID)
  }

  @Test("without Apple's API its signature, dates and revocation decide")
  func alone() async throws {
    let scene = try await ServerScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let vendor = try vendor(scene, asks: false)
    let token = try purchase.signedTransactionInfo
    guard
      case .valid(let found) = await vendor.check(token, for: .order, at: scene.appStore.now)
    else {
      Issue.record("not valid")
      return
    }
    #expect(found.productID == ServiceScene.monthly)
    #expect(found.purchaseKey == key(purchase))
    #expect(found.receiptData == nil)
    #expect(
      await vendor.check(token, for: .revalidation, at: found.expiration)
        == .explicitFailure(ExplicitFailure(.expired)))
    #expect(found.isPresent == false)
    #expect(scene.calls.isEmpty)
  }

  @Test("Apple's API tells of the renewal, and of the refund")
  func refreshed() async throws {
    let scene = try await ServerScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let token = try purchase.signedTransactionInfo
    let vendor = try vendor(scene)
    scene.appStore.clock.advance(by: .days(30))
    let renewal = try scene.appStore.renew(purchase)
    guard
      case .valid(let found) = await vendor.check(
        token, for: .order, at: scene.appStore.now)
    else {
      Issue.record("not valid")
      return
    }
    #expect(found.purchaseKey == key(purchase))
    #expect(found.expiration > scene.appStore.now)
    _ = try scene.appStore.refund(renewal)
    #expect(
      await vendor.check(
        token, for: .revalidation, at: scene.appStore.now)
        == .explicitFailure(ExplicitFailure(.expired, purchaseKey: key(purchase))))
  }

  @Test("an outage of Apple's API is incidental, for both purposes")
  func outage() async throws {
    let scene = try await ServerScene(
      transport: FixedAnswer(.internalServerError))
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let token = try purchase.signedTransactionInfo
    for purpose in [VendorCheckPurpose.order, .revalidation] {
      guard
        case .incidentalFailure(let failure) = try await vendor(scene).check(
          token, for: purpose, at: scene.appStore.now)
      else {
        Issue.record("not incidental")
        return
      }
      #expect(failure.reason == .busy)
    }
  }

  @Test(
    "the pause that Apple's API asks for is passed on as it was given, whatever the status is",
    arguments: [(HTTPStatusCode.serviceUnavailable, "17"), (.tooManyRequests, "40")])
  func retryAfter(status: HTTPStatusCode, text: String) async throws {
    var headers = HTTPHeaders()
    try headers.append(text, for: .retryAfter)
    let scene = try await ServerScene(
      transport: FixedAnswer(HTTPResponseMessage(status: status, headers: headers)))
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let asked = scene.appStore.now
    scene.appStore.clock.advance(by: .milliseconds(5003))
    #expect(
      try await vendor(scene).check(purchase.signedTransactionInfo, for: .order, at: asked)
        == .incidentalFailure(
          IncidentalFailure(.busy, retryAfter: Int(text).map { .seconds($0) })))
  }

  @Test("a refused key is reported with its app and environment")
  func refusedKey() async throws {
    let scene = try await ServerScene(
      transport: FixedAnswer(.unauthorized))
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let orders = try await OrderScene()
    let order = SubscriptionOrder(
      userID: "u-1", vendor: .apple, receiptData: try purchase.signedTransactionInfo)
    let failure = IncidentalFailure(.refused, needsAttention: true)
    await #expect(throws: OrderFailure.vendorUnavailable(failure)) {
      try await orders.service(vendors: [vendor(scene)]).order(order)
    }
    let names = orders.incidents.all.compactMap { incident -> PurchaseScope? in
      if case .vendorNeedsAttention(failure, let scope) = incident { scope } else { nil }
    }
    #expect(
      names == [
        PurchaseScope(vendor: .apple, appID: ServiceScene.bundleID, environment: .production)
      ])
  }

  @Test("a transaction that was changed is invalid on an order, and says nothing later")
  func forged() async throws {
    let scene = try await ServerScene()
    let parts = try scene.appStore.buy(ServiceScene.monthly).signedTransactionInfo.split(
      separator: ".")
    let token = "\(parts[0]).\(parts[1]).\(parts[2].reversed().map(String.init).joined())"
    let vendor = try vendor(scene)
    #expect(
      await vendor.check(token, for: .order, at: scene.appStore.now)
        == .explicitFailure(ExplicitFailure(.invalid)))
    #expect(
      await vendor.check(token, for: .revalidation, at: scene.appStore.now)
        == .incidentalFailure(IncidentalFailure(.doubtful)))
    #expect(scene.calls.isEmpty)
  }

  @Test("a transaction of the Sandbox is invalid where that is not allowed")
  func environment() async throws {
    let scene = try await ServerScene(environment: .sandbox)
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let token = try purchase.signedTransactionInfo
    let authority = scene.appStore.signedDataAuthority
    let vendor = AppleVendor(
      verifier: try SignedDataVerifier(
        apps: [App(bundleID: ServiceScene.bundleID, appAppleID: 1)], environments: [.production],
        trustAnchors: [authority.trustAnchor], now: { scene.appStore.now }))
    for purpose in [VendorCheckPurpose.order, .revalidation] {
      #expect(
        await vendor.check(
          token, for: purpose, at: scene.appStore.now)
          == .explicitFailure(ExplicitFailure(.invalid)))
    }
  }

  @Test("a transaction of another app is invalid on an order, and needs attention later")
  func otherApp() async throws {
    let scene = try await ServerScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let authority = scene.appStore.signedDataAuthority
    let vendor = AppleVendor(
      verifier: try SignedDataVerifier(
        apps: [App(bundleID: "com.example.other", appAppleID: 2)],
        environments: [.production, .sandbox], trustAnchors: [authority.trustAnchor],
        now: { scene.appStore.now }))
    let token = try purchase.signedTransactionInfo
    #expect(
      await vendor.check(token, for: .order, at: scene.appStore.now)
        == .explicitFailure(ExplicitFailure(.invalid)))
    #expect(
      await vendor.check(token, for: .revalidation, at: scene.appStore.now)
        == .incidentalFailure(IncidentalFailure(.otherApp, needsAttention: true)))
  }

  @Test("a purchase that is no subscription has none")
  func noSubscription() async throws {
    let scene = try await ServerScene()
    let authority = scene.appStore.signedDataAuthority
    var transaction = Transaction()
    transaction.transactionID = "2000000000000001"
    transaction.originalTransactionID = "2000000000000001"
    transaction.bundleID = ServiceScene.bundleID
    transaction.productID = "com.example.reader.lifetime"
    transaction.type = .nonConsumable
    transaction.environment = .production
    transaction.purchaseDate = scene.appStore.now
    transaction.signedDate = scene.appStore.now
    let vendor = try vendor(scene, asks: false)
    let token = try authority.sign(transaction)
    #expect(
      await vendor.check(token, for: .order, at: scene.appStore.now)
        == .explicitFailure(ExplicitFailure(.noSubscription)))
  }
}
