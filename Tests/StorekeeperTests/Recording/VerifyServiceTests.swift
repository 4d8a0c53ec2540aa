import Foundation
import StoreSimulators
import StorekeeperHTTP
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Verifying and keeping a receipt", .onEveryStore)
struct VerifyServiceTests {
  @Test("answers with Apple's bytes, and keeps transactions, renewal, session and receipt")
  func keeps() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let verified = try await scene.service.verify(receipt: purchase.receipt)
    #expect(try VerifyReceiptResponse(json: JSONValue(parsing: verified.rawBody)).status == .valid)

    let id = purchase.originalTransactionID
    let kept = try await scene.store.read { records in
      (
        try await records.purchases.transactions(of: [id], environment: .production),
        try await records.purchases.renewals(of: [id], environment: .production),
        try await records.purchases.receipt(of: id, environment: .production)
      )
    }
    #expect(kept.0.map(\.transactionID) == [purchase.transactionID])
    #expect(kept.0.first?.productID == ServiceScene.monthly)
    #expect(kept.0.first?.signedDate == scene.now)
    #expect(kept.1.map(\.willRenew) == [true])
    #expect(kept.2?.receipt == verified.response.latestReceipt)
    #expect(kept.2?.asOf == scene.now)
  }

  @Test("gives the subscription with the latest end")
  func subscription() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.yearly)
    let subscription = try await scene.service.subscription(receipt: purchase.receipt)
    #expect(subscription.originalTransactionID == purchase.originalTransactionID)
    #expect(subscription.lastTransactionID == purchase.transactionID)
    #expect(subscription.productID == ServiceScene.yearly)
    #expect(subscription.purchaseDate == ServiceScene.start)
    #expect(subscription.expiresDate == ServiceScene.start + 365 * 86_400)
    #expect(subscription.tier == .standard)
    #expect(subscription.cycle == .year)
    #expect(subscription.autoRenewal)
    #expect(subscription.createdDate == ServiceScene.start)
    #expect(subscription.updatedDate == ServiceScene.start)
    #expect(subscription.owner == nil)
  }

  @Test("moves updatedUtc only when something changed")
  func updated() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.bought()
    scene.appStore.clock.advance(by: .days(1))
    try await scene.verify()
    let id = purchase.originalTransactionID
    #expect(try await scene.service.subscription(id).updatedDate == ServiceScene.start)
    _ = try scene.appStore.renew(purchase)
    scene.appStore.clock.advance(by: .days(1))
    try await scene.verify()
    let renewed = try await scene.service.subscription(id)
    #expect(renewed.updatedDate == ServiceScene.start + 2 * 86_400)
    #expect(renewed.createdDate == ServiceScene.start)
    #expect(renewed.expiresDate == ServiceScene.start + 60 * 86_400)
  }

  @Test("keeps the evidence, and nothing more, of products that are not known")
  func unknownProduct() async throws {
    let scene = try await ServiceScene(products: ProductMap([:]))
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    #expect(
      try await failure { _ = try await scene.service.verify(receipt: purchase.receipt) }
        == .unknownProduct)
    #expect(
      try await failure { _ = try await scene.service.subscription(receipt: purchase.receipt) }
        == .unknownProduct)
    let id = purchase.originalTransactionID
    #expect(
      try await failure { _ = try await scene.service.subscription(id) } == .subscriptionNotFound)
    let kept = try await scene.store.read { records in
      (
        try await records.purchases.transactions(of: [id], environment: .production).count,
        try await records.purchases.receipt(of: id, environment: .production) != nil
      )
    }
    #expect(kept == (1, true))
  }

  @Test("skips products that are not known where another is")
  func mixedProducts() async throws {
    let scene = try await ServiceScene()
    _ = try scene.appStore.buy("reader.lifetime")
    let purchase = try await scene.bought()
    #expect(
      try await scene.service.subscription(purchase.originalTransactionID).productID
        == ServiceScene.monthly)
  }

  @Test("refuses an empty receipt without asking", arguments: ["", " \n\t"])
  func missing(receipt: String) async throws {
    let scene = try await ServiceScene()
    let refused = try await failure { _ = try await scene.service.verify(receipt: receipt) }
    guard case .verification(.refused(.input, _)) = refused else {
      Issue.record("not refused as input but \(String(describing: refused))")
      return
    }
    #expect(scene.appStore.requests.isEmpty)
  }

  @Test("changes nothing when Apple cannot be asked or refuses")
  func trouble() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.bought()
    let membership = try await scene.service.link("alice", to: purchase.originalTransactionID)
    scene.appStore.clock.advance(by: .days(40))
    for fault in [
      AppStoreSimulator.Fault.status(.notAuthenticated), .status(.serverUnavailable), .html,
      .httpStatus(.serviceUnavailable), .transportFailure(.notConnected),
    ] {
      scene.appStore.fail(with: fault)
      let failure = try await failure { try await scene.verify() }
      guard case .verification = failure else {
        Issue.record("\(String(describing: failure)) after \(fault)")
        continue
      }
      #expect(failure?.answer(under: .current).status == 422)
      #expect(failure?.answer(under: .current).field == "verification")
      #expect(failure?.answer(under: .current).code == "invalid")
    }
    #expect(try await scene.membership(of: "alice") == membership)
  }

  @Test("refuses data of the other environment for a stored subscription, and keeps none of it")
  func environmentMismatch() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.bought()
    let id = purchase.originalTransactionID
    // The same row as if it had been stored for the Sandbox first.
    let other = try await ServiceScene()
    let sandboxRow = Subscription(
      environment: .sandbox, originalTransactionID: id, lastTransactionID: id,
      productID: ServiceScene.monthly, purchaseDate: scene.now, expiresDate: scene.now,
      tier: .standard, cycle: .month, autoRenewal: false)
    try await other.store.write { records in
      try await records.storedSubscriptions.save(sandboxRow, asOf: scene.now, now: scene.now)
    }
    let service = try other.service(asking: scene.appStore)
    #expect(
      try await failure { _ = try await service.verify(receipt: purchase.receipt) }
        == .environmentMismatch)
    let kept = try await other.store.read { records in
      try await records.purchases.transactions(of: [id], environment: .production).count
    }
    #expect(kept == 0)
    #expect(
      SubscriptionFailure.environmentMismatch.answer(under: .current)
        == FailureAnswer(
          status: 422, field: "originalTransactionId", code: "environment_mismatch",
          message: "The subscription is stored for another environment"))
  }
}
