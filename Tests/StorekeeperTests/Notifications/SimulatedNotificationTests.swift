import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

/// What the simulated App Store tells, and what a service makes of it.
@Suite("Notifications of the simulated App Store")
struct SimulatedNotificationTests {
  private let scene: ServiceScene
  private let service: NotificationService
  private var appStore: AppStoreSimulator { scene.appStore }

  init() async throws {
    (scene, service) = try await Self.make()
  }

  private static func make(
    _ environment: AppStoreEnvironment = .production
  ) async throws -> (ServiceScene, NotificationService) {
    var options = LinkOptions()
    options.allowedEnvironments = [.production, .sandbox]
    let scene = try await ServiceScene(
      store: InMemoryPurchaseStore(), environment: environment, options: options)
    let appStore = scene.appStore
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: ServiceScene.bundleID, appAppleID: 1_234_567_890)],
      environments: [.production, .sandbox],
      trustAnchors: [appStore.signedDataAuthority.trustAnchor], now: { appStore.now })
    let secrets = [appStore.sharedSecret].compactMap(\.self)
    return (
      scene,
      try NotificationService(
        scene.service.context.with(verifier: verifier), subscriptions: scene.service,
        passwords: secrets)
    )
  }

  // MARK: To the end

  @Test(
    "buy, renew and refund reach the membership", arguments: [1, 2],
    [AppStoreEnvironment.production, .sandbox])
  func life(version: Int, environment: AppStoreEnvironment) async throws {
    let (scene, service) = try await Self.make(environment)
    let appStore = scene.appStore
    func tell(_ notification: TestNotification) async throws {
      let body = try version == 1 ? #require(try notification.bodyV1) : notification.body
      try await service.receive(body: body)
    }
    let purchase = try appStore.buy(ServiceScene.monthly)
    try await tell(purchase.notification)
    _ = try await scene.service.link("alice", to: purchase.originalTransactionID)
    // 2023-11-14 and 30 days, then 60.
    #expect(try await scene.membership(of: "alice")?.expireDate == CalendarDay("2023-12-14"))
    appStore.clock.advance(by: .days(29))
    let renewal = try appStore.renew(purchase)
    try await tell(renewal.notification)
    #expect(try await scene.membership(of: "alice")?.expireDate == CalendarDay("2024-01-13"))
    appStore.clock.advance(by: .days(10))
    try await tell(try appStore.refund(renewal))
    let ended = try #require(try await scene.membership(of: "alice"))
    // The refunded charge is set aside; what stays is the first one.
    #expect(ended.expireDate == CalendarDay("2023-12-14"))
    #expect(!ended.autoRenew)
  }

  @Test("a refund of the only charge shortens the membership to the day", arguments: [1, 2])
  func refund(version: Int) async throws {
    let purchase = try await scene.bought()
    _ = try await scene.service.link("alice", to: purchase.originalTransactionID)
    appStore.clock.advance(by: .days(2))
    let notification = try appStore.refund(purchase)
    let body = try version == 1 ? #require(try notification.bodyV1) : notification.body
    try await service.receive(body: body)
    let ended = try #require(try await scene.membership(of: "alice"))
    #expect(ended.expireDate == CalendarDay("2023-11-16"))
    #expect(!ended.autoRenew)
  }

  @Test("an upgrade changes tier and end at once")
  func upgrade() async throws {
    let purchase = try await scene.bought()
    _ = try await scene.service.link("alice", to: purchase.originalTransactionID)
    appStore.clock.advance(by: .days(1))
    let upgrade = try appStore.upgrade(purchase, to: ServiceScene.premium)
    try await service.receive(signedPayload: upgrade.notification.signedPayload)
    let membership = try #require(try await scene.membership(of: "alice"))
    #expect(membership.tier == .premium)
    #expect(membership.expireDate == CalendarDay("2024-11-14"))
  }

  @Test("told late and twice, they change nothing")
  func lateAndTwice() async throws {
    let purchase = try appStore.buy(ServiceScene.monthly)
    appStore.clock.advance(by: .days(1))
    let refund = try appStore.refund(purchase)
    try await service.receive(body: refund.body)
    let subscription = try await scene.service.subscription(purchase.originalTransactionID)
    #expect(subscription.expiresDate == ServiceScene.start + 86_400)
    try await service.receive(body: purchase.notification.body)
    try await service.receive(body: refund.body)
    let after = try await scene.service.subscription(purchase.originalTransactionID)
    #expect(after.expiresDate == subscription.expiresDate)
    #expect(!after.autoRenewal)
  }

  // MARK: Words

  /// Type and subtype of version 2, and type of version 1.
  private func words(_ notification: TestNotification) -> [String?] {
    [notification.type.rawValue, notification.subtype?.rawValue, notification.typeV1?.rawValue]
  }

  @Test("each event has Apple's words")
  func eventWords() throws {
    let bought = try appStore.buy(ServiceScene.monthly)
    #expect(words(bought.notification) == ["SUBSCRIBED", "INITIAL_BUY", "INITIAL_BUY"])
    #expect(words(try appStore.renew(bought).notification) == ["DID_RENEW", nil, "DID_RENEW"])
    #expect(
      words(try appStore.downgrade(bought, to: ServiceScene.yearly))
        == ["DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", "DID_CHANGE_RENEWAL_PREF"])
    #expect(
      words(try appStore.downgrade(bought, to: ServiceScene.monthly))
        == ["DID_CHANGE_RENEWAL_PREF", nil, "DID_CHANGE_RENEWAL_PREF"])
    let better = try appStore.upgrade(bought, to: ServiceScene.premium)
    #expect(
      words(better.notification)
        == ["DID_CHANGE_RENEWAL_PREF", "UPGRADE", "INTERACTIVE_RENEWAL"])
    #expect(
      words(try appStore.setAutoRenew(.off, of: bought))
        == ["DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", "DID_CHANGE_RENEWAL_STATUS"])
    #expect(
      words(try appStore.setAutoRenew(.on, of: bought))
        == ["DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", "DID_CHANGE_RENEWAL_STATUS"])
    #expect(
      words(try appStore.askForPriceConsent(bought))
        == ["PRICE_INCREASE", "PENDING", "PRICE_INCREASE_CONSENT"])
    #expect(words(try appStore.consentToPrice(bought)) == ["PRICE_INCREASE", "ACCEPTED", nil])
    #expect(
      words(try appStore.failRenewal(bought, gracePeriod: .days(16)))
        == ["DID_FAIL_TO_RENEW", "GRACE_PERIOD", "DID_FAIL_TO_RENEW"])
    #expect(
      words(try appStore.failRenewal(bought)) == ["DID_FAIL_TO_RENEW", nil, "DID_FAIL_TO_RENEW"])
    #expect(
      words(try appStore.recover(bought).notification)
        == ["DID_RENEW", "BILLING_RECOVERY", "DID_RECOVER"])
    #expect(words(try appStore.refund(bought)) == ["REFUND", nil, "CANCEL"])
    #expect(words(try appStore.reverseRefund(bought)) == ["REFUND_REVERSED", nil, nil])
  }

  @Test(
    "the end of a subscription has its reason",
    arguments: [
      (ExpirationIntent.customerCancelled, Optional("VOLUNTARY")), (.billingError, "BILLING_RETRY"),
      (.priceIncreaseNotConsented, "PRICE_INCREASE"),
      (.productNotAvailable, "PRODUCT_NOT_FOR_SALE"), (.other, nil),
    ])
  func endWords(intent: ExpirationIntent, subtype: String?) throws {
    let bought = try appStore.buy(ServiceScene.monthly)
    #expect(words(try appStore.expire(bought, for: intent)) == ["EXPIRED", subtype, nil])
    let again = try appStore.buy(ServiceScene.monthly)
    #expect(words(again.notification) == ["SUBSCRIBED", "RESUBSCRIBE", "INTERACTIVE_RENEWAL"])
  }

  @Test("so have purchases that do not renew, and what a family shares")
  func otherWords() throws {
    let coffee = try appStore.buy("reader.coffee")
    #expect(words(coffee.notification) == ["ONE_TIME_CHARGE", nil, nil])
    #expect(words(try appStore.refund(coffee)) == ["REFUND", nil, "REFUND"])
    let shared = try appStore.share(try appStore.buy(ServiceScene.monthly), with: "member")
    #expect(words(shared.notification) == ["SUBSCRIBED", "INITIAL_BUY", "INITIAL_BUY"])
    #expect(words(try appStore.revoke(shared)) == ["REVOKE", nil, "REVOKE"])
  }

  // MARK: Content

  @Test("version 2 holds transaction, renewal and state as they were at the event")
  func versionTwo() throws {
    let purchase = try appStore.buy(ServiceScene.monthly)
    appStore.clock.advance(by: .days(2))
    let notification = try appStore.refund(purchase, reason: .issueInApp)
    appStore.clock.advance(by: .days(5))
    let verified = try service.verifier.notification(notification.signedPayload)
    let content = verified.payload
    #expect(content.notification.notificationUUID == notification.uuid)
    #expect(content.notification.signedDate == ServiceScene.start + 2 * 86_400)
    #expect(content.notification.data?.appAppleID == 1_234_567_890)
    #expect(content.notification.data?.status == .revoked)
    let transaction = try #require(content.transaction?.payload)
    #expect(transaction.transactionID == purchase.transactionID)
    #expect(transaction.type == .autoRenewableSubscription)
    #expect(transaction.purchaseDate == ServiceScene.start)
    #expect(transaction.expiresDate == ServiceScene.start + 30 * 86_400)
    #expect(transaction.revocationDate == ServiceScene.start + 2 * 86_400)
    #expect(transaction.revocationReason == .issueInApp)
    #expect(transaction.transactionReason == .purchase)
    let renewal = try #require(content.renewalInfo?.payload)
    #expect(renewal.originalTransactionID == purchase.originalTransactionID)
    #expect(renewal.autoRenewStatus == .off)
    #expect(renewal.autoRenewProductID == ServiceScene.monthly)
  }

  @Test("version 1 holds the secret, and the receipt as it was at the event")
  func versionOne() throws {
    let purchase = try appStore.buy(ServiceScene.monthly)
    appStore.clock.advance(by: .days(2))
    let refund = try appStore.refund(purchase)
    let body = try JSONValue(parsing: #require(try refund.bodyV1))
    #expect(body["notification_type"] == .string("CANCEL"))
    #expect(body["environment"] == .string("PROD"))
    #expect(body["bid"] == .string("com.example.reader"))
    #expect(body["password"] == .string("0123456789abcdef0123456789abcdef"))
    #expect(body["auto_renew_status"] == .string("false"))
    #expect(body["cancellation_date_ms"] == .string("1700172800000"))
    let first = try #require(try purchase.notification.versionOne)
    #expect(first.cancellationDate == nil)
    #expect(
      first.unifiedReceipt?.latestReceiptInfo?.map(\.transactionID) == [purchase.transactionID])
    #expect(first.unifiedReceipt?.latestReceiptInfo?.first?.cancellationDate == nil)
    #expect(first.unifiedReceipt?.pendingRenewalInfo?.first?.autoRenewStatus == .on)
    let verifier = try AppReceiptVerifier(
      bundleIDs: [ServiceScene.bundleID], environments: [.production],
      trustAnchors: [appStore.authority.trustAnchor])
    let receipt = try verifier.verify(base64: try #require(first.latestReceipt))
    #expect(receipt.receipt.creationDate == ServiceScene.start)
    #expect(receipt.receipt.purchases.map(\.transactionID) == [purchase.transactionID])
  }

  @Test("version 1 holds a hundred transactions at most, the newest first")
  func hundred() throws {
    var purchase = try appStore.buy(ServiceScene.monthly)
    for _ in 1...120 { purchase = try appStore.renew(purchase) }
    let info = try #require(try purchase.notification.versionOne?.unifiedReceipt?.latestReceiptInfo)
    #expect(info.count == 100)
    #expect(info.first?.transactionID == purchase.transactionID)
  }

  @Test("the Sandbox names no number of the app, and writes itself out")
  func sandbox() async throws {
    let (scene, service) = try await Self.make(.sandbox)
    let notification = try scene.appStore.buy(ServiceScene.monthly).notification
    let data = try service.verifier.notification(notification.signedPayload)
      .payload.notification.data
    #expect(data?.environment == .sandbox)
    #expect(data?.appAppleID == nil)
    #expect(try notification.versionOne?.environmentText == "Sandbox")
  }

  @Test("a notification shows neither secret nor token")
  func silence() throws {
    let notification = try appStore.buy(ServiceScene.monthly).notification
    var text = "\(notification)"
    dump(notification, to: &text)
    #expect(!text.contains("0123456789abcdef"))
    #expect(text.hasPrefix("TestNotification(SUBSCRIBED INITIAL_BUY, "))
  }

  // MARK: Histories

  @Test("the simulator tells each subscription with its charges and its state")
  func histories() throws {
    let monthly = try appStore.buy(ServiceScene.monthly, by: "alice")
    try appStore.buy("reader.coffee", by: "alice")
    appStore.clock.advance(by: .days(10))
    let renewal = try appStore.renew(monthly)
    let premium = try appStore.upgrade(monthly, to: ServiceScene.premium)
    let yearly = try appStore.buy(ServiceScene.yearly, by: "bob")
    try appStore.endPeriod(yearly)
    try appStore.failRenewal(yearly)
    let all = appStore.subscriptions
    #expect(all.map(\.customer) == ["alice", "bob"])
    #expect(
      all.map(\.originalTransactionID) == [
        monthly.originalTransactionID, yearly.originalTransactionID,
      ])
    #expect(all.map(\.status) == [.active, .billingRetry])
    let history = try #require(all.first?.transactions)
    #expect(
      history.map(\.transactionID) == [
        monthly.transactionID, renewal.transactionID, premium.transactionID,
      ])
    #expect(history.map(\.transactionReason) == [.purchase, .renewal, .purchase])
    // Both periods that were paid for and not over are replaced.
    #expect(history.map(\.isUpgraded) == [true, true, nil])
    #expect(all.first?.renewal.autoRenewProductID == ServiceScene.premium)
    #expect(all.last?.transactions.last?.expiresDate == ServiceScene.start + 10 * 86_400)
  }

  @Test("a period that ended with grace is in its grace period, then in billing retry")
  func grace() throws {
    let purchase = try appStore.buy(ServiceScene.monthly)
    try appStore.endPeriod(purchase)
    try appStore.failRenewal(purchase, gracePeriod: .days(3))
    #expect(appStore.subscriptions.map(\.status) == [.billingGracePeriod])
    appStore.clock.advance(by: .days(3))
    #expect(appStore.subscriptions.map(\.status) == [.billingRetry])
    try appStore.expire(purchase, for: .billingError)
    #expect(appStore.subscriptions.map(\.status) == [.expired])
  }
}
