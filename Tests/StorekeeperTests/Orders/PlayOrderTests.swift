import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

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

  /// Orders a purchase that ends later than two others of the same user, which stay unused or were in use before.
  private func unused(
    _ acknowledgement: AcknowledgedPurchases
  ) async throws -> (PlayScene, unused: TestPlayPurchase, answer: UserSubscription) {
    let scene = try await PlayScene()
    var options = OrderOptions()
    options.acknowledgement = acknowledgement
    let service = try OrderService(
      PurchaseContext(
        store: scene.orders.store, accounts: UnlistedAccounts(), now: { scene.play.now }),
      vendors: scene.service.vendors, options: options)
    func order(_ purchase: TestPlayPurchase) async throws -> UserSubscription {
      try await service.order(
        SubscriptionOrder(userID: "u-1", vendor: .google, receiptData: purchase.purchaseToken))
    }
    let early = try scene.play.subscribe("basic_monthly", by: "early")
    scene.play.clock.advance(by: .seconds(60))
    let late = try scene.play.subscribe("pro_monthly")
    #expect(try await order(late).isOrderUnacknowledged == false)
    let answer = try await order(early)
    #expect(answer.level == OrderScene.pro)
    return (scene, early, answer)
  }

  @Test("every purchase that a user has claimed is acknowledged, in use or not")
  func claimed() async throws {
    let (scene, early, answer) = try await unused(.claimed)
    #expect(!answer.isOrderUnacknowledged)
    #expect(try await scene.acknowledge().delivered == 2)
    #expect(try scene.play.purchase(early.purchaseToken).isAcknowledged)
  }

  @Test("a host may leave purchases unacknowledged that are not in use, and the answer says so")
  func inUse() async throws {
    let (scene, early, answer) = try await unused(.inUse)
    #expect(answer.isOrderUnacknowledged)
    #expect(try await scene.acknowledge().delivered == 1)
    #expect(try scene.play.purchase(early.purchaseToken).isAcknowledged == false)
  }

  @Test("a purchase that Google pushed for one identifier of an account is the other's too")
  func secondIdentifier() async throws {
    let scene = try await PlayScene()
    let token = UUID()
    scene.orders.accounts.add(Account(id: "u-1", secondID: "second"), appAccountToken: token)
    scene.orders.accounts.add(Account(id: "u-2"))
    let bought = try scene.play.acknowledge(
      scene.play.subscribe("basic_monthly", PlayTerms(obfuscatedAccountID: token.uuidString)))
    _ = try await scene.push()
    #expect(try await scene.orders.owner(of: scene.key(of: bought)) == "u-1")
    _ = try await scene.order(bought, by: "second")
    #expect(try await scene.service.subscriptionForProfile(of: "second") != nil)
    await #expect(throws: OrderFailure.refused(.alreadyUsed)) {
      try await scene.order(bought, by: "u-2")
    }
    // Without the mark, an upgrade stays with the identifier that has the earlier purchase.
    let upgraded = try scene.play.acknowledge(
      scene.play.changePlan(of: bought, to: "pro_monthly"))
    _ = try await scene.order(upgraded, by: "second")
    #expect(
      try await scene.service.subscriptionForProfile(of: "second")?.level == OrderScene.pro)
  }

  @Test("whoever the first purchase of a chain was marked for has the last, whoever sends it")
  func markedAncestor() async throws {
    let scene = try await PlayScene()
    let token = UUID()
    scene.orders.accounts.add(Account(id: "u-1"), appAccountToken: token)
    scene.orders.accounts.add(Account(id: "u-2"))
    let bought = try scene.play.acknowledge(
      scene.play.subscribe("basic_monthly", PlayTerms(obfuscatedAccountID: token.uuidString)))
    let upgraded = try scene.play.acknowledge(
      scene.play.changePlan(of: bought, to: "pro_monthly", PlayTerms()))
    await #expect(throws: OrderFailure.refused(.alreadyUsed)) {
      try await scene.order(upgraded, by: "u-2")
    }
    _ = try await scene.order(upgraded, by: "u-1")
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
    #expect(try await scene.orders.owner(of: scene.key(of: new)) == "u-1")
    #expect(try await scene.orders.owner(of: scene.key(of: old)) == "u-1")
    await #expect(throws: OrderFailure.refused(.alreadyUsed)) {
      try await scene.order(old, by: "u-2")
    }
    await #expect(throws: OrderFailure.refused(.expired)) { try await scene.order(old) }
  }

  @Test("a replaced purchase that still looks active stays its owner's, who has nothing by it")
  func replacedLooksActive() async throws {
    let scene = try await PlayScene()
    scene.play.settings.replacementLag = .seconds(600)
    let old = try scene.play.acknowledge(scene.play.subscribe("pro_monthly"))
    _ = try await scene.order(old)
    scene.play.clock.advance(by: .seconds(60))
    let new = try scene.play.changePlan(of: old, to: "basic_monthly")
    #expect(try await scene.order(new).level == OrderScene.basic)
    scene.play.clock.advance(by: .seconds(60))
    guard case .valid = await scene.word(about: old) else {
      Issue.record("the replaced purchase does not look active")
      return
    }
    await #expect(throws: OrderFailure.refused(.alreadyUsed)) {
      try await scene.order(old, by: "u-2")
    }
    await #expect(throws: OrderFailure.refused(.expired)) { try await scene.order(old) }
    #expect(try await scene.service.subscriptionForProfile(of: "u-1")?.level == OrderScene.basic)
    #expect(try await scene.service.subscriptionForProfile(of: "u-2") == nil)
  }

  @Test(
    "a purchase that another one replaced is over, whatever its state and its expiry are",
    arguments: [
      "SUBSCRIPTION_STATE_CANCELED", "SUBSCRIPTION_STATE_EXPIRED", "SUBSCRIPTION_STATE_ACTIVE",
      "SUBSCRIPTION_STATE_OTHER",
    ])
  func replacement(state: String) async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.subscribe("pro_monthly")
    let body =
      #"{"subscriptionState":"\#(state)","lineItems":[{"productId":"pro_monthly","#
      + #""expiryTime":"2099-01-01T00:00:00Z","latestSuccessfulOrderId":"GPA.1"}],"#
      + #""canceledStateContext":{"replacementCancellation":{}}}"#
    let changed = ChangedAnswers(base: scene.play) { request, response in
      guard request.url.contains("subscriptionsv2") else { return }
      response = HTTPResponseMessage(status: .ok, headers: response.headers, body: Array(body.utf8))
    }
    let vendor = GoogleVendor(try PlayScene.client(of: scene.play, changed))
    let key = scene.key(of: bought)
    let report = await vendor.report(on: bought.purchaseToken, for: .order, at: scene.play.now)
    #expect(
      report.answer
        == .explicitFailure(ExplicitFailure(.expired, purchaseKey: key, isReplaced: true)))
    #expect(report.facts?.purchases.map(\.cancellationDate) == [scene.play.now])
  }

  /// Tells a chain of replaced purchases, in the order of a test.
  private func chain(
    _ count: Int, heard order: (inout [String]) -> Void
  ) async throws -> (PlayScene, [TestPlayPurchase]) {
    let scene = try await PlayScene()
    var purchases = [try scene.play.acknowledge(scene.play.subscribe("pro_monthly"))]
    _ = try await scene.order(purchases[0])
    _ = try await scene.push()
    for number in 1..<count {
      scene.play.clock.advance(by: .seconds(3600))
      let product = number.isMultiple(of: 2) ? "pro_monthly" : "basic_monthly"
      let next = try scene.play.changePlan(of: purchases[number - 1], to: product)
      if number + 1 < count { try scene.play.acknowledge(next) }
      purchases.append(next)
    }
    var tokens = purchases.dropFirst().map(\.purchaseToken)
    order(&tokens)
    for token in tokens { try await scene.service.purchaseChanged(token, at: .google) }
    return (scene, purchases)
  }

  @Test(
    "the last purchase of a chain is its owner's, whatever is heard first",
    arguments: [
      (2, [0]), (3, [0, 1]), (3, [1, 0]), (3, [1]), (5, [3, 0, 2, 1]), (5, [3]),
      (6, [4, 3, 2, 1, 0]),
    ])
  func chains(count: Int, order: [Int]) async throws {
    let (scene, purchases) = try await chain(count) { tokens in tokens = order.map { tokens[$0] } }
    let last = try #require(purchases.last)
    #expect(try await scene.orders.row()?.receiptData == last.purchaseToken)
    for purchase in purchases {
      #expect(try await scene.orders.owner(of: scene.key(of: purchase)) == "u-1")
    }
    #expect(try await scene.service.subscriptionForProfile(of: "u-1") != nil)
    #expect(try await scene.acknowledge().delivered >= 1)
    #expect(try scene.play.purchase(last.purchaseToken).isAcknowledged)
    await #expect(throws: OrderFailure.refused(.alreadyUsed)) {
      try await scene.order(last, by: "u-2")
    }
  }

  @Test("a stranger who sends the end of a chain first does not get it")
  func chainOfStranger() async throws {
    let (scene, purchases) = try await chain(4) { $0 = [] }
    await #expect(throws: OrderFailure.refused(.alreadyUsed)) {
      try await scene.order(purchases[3], by: "u-2")
    }
    _ = try await scene.order(purchases[3])
    #expect(try await scene.orders.row()?.receiptData == purchases[3].purchaseToken)
  }

  @Test("while Google cannot tell of the purchase before, a change of plan waits")
  func chainInAnOutage() async throws {
    let (scene, purchases) = try await chain(3) { $0 = [] }
    let failing = ChangedAnswers(base: scene.play) { request, response in
      guard request.url.contains(purchases[1].purchaseToken.percentEncoded) else { return }
      response = HTTPResponseMessage(status: .serviceUnavailable)
    }
    let service = try OrderService(
      PurchaseContext(
        store: scene.orders.store, accounts: UnlistedAccounts(), now: { scene.play.now }),
      vendors: [GoogleVendor(try PlayScene.client(of: scene.play, failing))])
    await #expect(throws: OrderFailure.vendorUnavailable(IncidentalFailure(.busy))) {
      try await service.purchaseChanged(purchases[2].purchaseToken, at: .google)
    }
    await #expect(throws: OrderFailure.vendorUnavailable(IncidentalFailure(.busy))) {
      try await service.order(
        SubscriptionOrder(
          userID: "u-2", vendor: .google, receiptData: purchases[2].purchaseToken))
    }
    #expect(try await scene.orders.owner(of: scene.key(of: purchases[2])) == nil)
    try await scene.service.purchaseChanged(purchases[2].purchaseToken, at: .google)
    #expect(try await scene.orders.row()?.receiptData == purchases[2].purchaseToken)
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
    #expect(try await scene.orders.owner(of: scene.key(of: bought)) == nil)
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
