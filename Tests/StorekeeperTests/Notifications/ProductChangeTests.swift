import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

/// The way on which the service hears what happened.
enum Channel: CaseIterable, Sendable {
  /// Notifications of version 2 alone.
  case notifications
  /// Answers of verifyReceipt alone.
  case verifyReceipt
  /// One after the other.
  case mixed
}

/// A subscription of a linked account that changes its product, told on one of the channels.
private final class ChangeScene {
  static let premiumMonthly = "reader.premium.monthly"
  static let sold =
    TestProduct.samples + [
      TestProduct(premiumMonthly, .autoRenewable(period: .days(30), group: "20000001"))
    ]
  static let products = ProductMap([
    ServiceScene.monthly: Plan(tier: .standard, cycle: .month),
    ServiceScene.yearly: Plan(tier: .standard, cycle: .year),
    ServiceScene.premium: Plan(tier: .premium, cycle: .year),
    premiumMonthly: Plan(tier: .premium, cycle: .month),
  ])

  let scene: ServiceScene
  let notifications: NotificationService
  private let channel: Channel
  private var told = 0

  var appStore: AppStoreSimulator { scene.appStore }

  init(_ channel: Channel) async throws {
    let appStore = try AppStoreSimulator(bundleID: ServiceScene.bundleID, products: Self.sold) {
      $0.authority = ServiceScene.authority
      $0.start = ServiceScene.start
    }
    scene = try await ServiceScene(appStore: appStore, products: Self.products)
    self.channel = channel
    notifications = try NotificationService(
      scene.service.context.with(
        verifier: try SignedDataVerifier(
          apps: [App(bundleID: ServiceScene.bundleID, appAppleID: 1_234_567_890)],
          environments: [.production], trustAnchors: [appStore.signedDataAuthority.trustAnchor],
          now: { appStore.now })), subscriptions: scene.service)
  }

  func tell(_ notification: TestNotification) async throws {
    told += 1
    if channel == .notifications || channel == .mixed && told % 2 == 1 {
      try await notifications.receive(signedPayload: notification.signedPayload)
    } else {
      try await scene.verify()
    }
  }

  /// Buys a product, and links it to alice.
  func buy(_ product: String) async throws -> TestPurchase {
    let purchase = try appStore.buy(product)
    try await tell(purchase.notification)
    _ = try await scene.service.link("alice", to: purchase.originalTransactionID)
    return purchase
  }

  func upgrade(_ purchase: TestPurchase, to product: String) async throws -> TestPurchase {
    let upgrade = try appStore.upgrade(purchase, to: product)
    try await tell(upgrade.notification)
    return upgrade
  }

  /// Whether the membership is this one, until the day that many days after the start.
  func expectMembership(
    _ tier: Tier, _ cycle: BillingCycle, days: Double, renews: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let membership = try #require(
      try await scene.membership(of: "alice"), sourceLocation: sourceLocation)
    #expect(membership.tier == tier, sourceLocation: sourceLocation)
    #expect(membership.cycle == cycle, sourceLocation: sourceLocation)
    #expect(
      membership.expireDate == CalendarDay(ServiceScene.start + days * 86_400),
      sourceLocation: sourceLocation)
    #expect(membership.autoRenew == renews, sourceLocation: sourceLocation)
  }
}

@Suite("A change of the product", .onEveryStore)
struct ProductChangeTests {
  @Test("to a better one counts at once", arguments: Channel.allCases)
  func upgrade(channel: Channel) async throws {
    let scene = try await ChangeScene(channel)
    let yearly = try await scene.buy(ServiceScene.yearly)
    scene.appStore.clock.advance(by: .days(10))
    _ = try await scene.upgrade(yearly, to: ServiceScene.premium)
    try await scene.expectMembership(.premium, .year, days: 375, renews: true)
  }

  @Test("that is refunded does not bring the old period back", arguments: Channel.allCases)
  func refunded(channel: Channel) async throws {
    let scene = try await ChangeScene(channel)
    let yearly = try await scene.buy(ServiceScene.yearly)
    scene.appStore.clock.advance(by: .days(10))
    let premium = try await scene.upgrade(yearly, to: ServiceScene.premium)
    scene.appStore.clock.advance(by: .days(1))
    try await scene.tell(try scene.appStore.refund(premium))
    try await scene.expectMembership(.premium, .year, days: 11, renews: false)
  }

  @Test("to another length ends with the new period, and is refreshed", arguments: Channel.allCases)
  func shorter(channel: Channel) async throws {
    let scene = try await ChangeScene(channel)
    let yearly = try await scene.buy(ServiceScene.yearly)
    scene.appStore.clock.advance(by: .days(10))
    let premium = try await scene.upgrade(yearly, to: ChangeScene.premiumMonthly)
    try await scene.expectMembership(.premium, .month, days: 40, renews: true)

    // The refresh job looks at what ends soon and renews by itself.
    scene.appStore.clock.advance(by: .days(28))
    let now = scene.scene.now
    let due = try await scene.scene.store.write { records in
      try await records.refreshes.lease(
        RefreshLeaseRequest(
          now: now, horizon: now + 3 * 86_400, oldest: now - 60 * 86_400, limit: 10,
          token: "test", until: now + 600))
    }
    #expect(due.map(\.originalTransactionID) == [yearly.originalTransactionID])

    try await scene.tell(try scene.appStore.setAutoRenew(.off, of: premium))
    scene.appStore.clock.advance(by: .days(3))
    try await scene.tell(try scene.appStore.expire(premium, for: .customerCancelled))
    try await scene.expectMembership(.premium, .month, days: 40, renews: false)
  }

  @Test("to a lesser one waits for the renewal", arguments: Channel.allCases)
  func downgrade(channel: Channel) async throws {
    let scene = try await ChangeScene(channel)
    let premium = try await scene.buy(ChangeScene.premiumMonthly)
    scene.appStore.clock.advance(by: .days(10))
    try await scene.tell(
      try scene.appStore.downgrade(premium, to: ServiceScene.monthly))
    try await scene.expectMembership(.premium, .month, days: 30, renews: true)
    scene.appStore.clock.advance(by: .days(20))
    try await scene.tell(try scene.appStore.renew(premium).notification)
    try await scene.expectMembership(.standard, .month, days: 60, renews: true)
  }

  @Test("leaves a renewal that begins at the expiry alone", arguments: Channel.allCases)
  func renewal(channel: Channel) async throws {
    let scene = try await ChangeScene(channel)
    let monthly = try await scene.buy(ServiceScene.monthly)
    scene.appStore.clock.advance(by: .days(29))
    let renewed = try scene.appStore.renew(monthly)
    try await scene.tell(renewed.notification)
    try await scene.expectMembership(.standard, .month, days: 60, renews: true)
    // Of the renewal alone the money is given back: the first month stays.
    try await scene.tell(try scene.appStore.refund(renewed))
    try await scene.expectMembership(.standard, .month, days: 30, renews: false)
  }

  @Test("is told by the new transaction alone, without a flag anywhere")
  func words() async throws {
    let scene = try await ChangeScene(.notifications)
    let yearly = try await scene.buy(ServiceScene.yearly)
    scene.appStore.clock.advance(by: .days(10))
    let premium = try scene.appStore.upgrade(yearly, to: ServiceScene.premium)
    #expect(premium.notification.transaction.transactionID == premium.transactionID)
    #expect(premium.notification.transaction.isUpgraded == nil)
    // Also where the old charge is named for another reason.
    let refund = try scene.appStore.refund(yearly)
    #expect(refund.transaction.transactionID == yearly.transactionID)
    #expect(refund.transaction.isUpgraded == nil)
    // An answer of verifyReceipt does have the flag.
    let answer = try await #require(scene.scene.service.appStore).verify(base64: yearly.receipt)
    #expect(
      answer.response.latestReceiptInfo?.map { $0.isUpgraded == true } == [false, true])
  }
}
