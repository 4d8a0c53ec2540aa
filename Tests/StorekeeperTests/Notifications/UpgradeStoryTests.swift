import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

/// A real story of the Sandbox, of October 2025 (contract on signed data, section 7.4).
private struct StoryLine: Sendable {
  var type: NotificationType
  var subtype: NotificationSubtype?
  /// Seconds after 2025-10-06T05:16:00Z.
  var signed: Double
  var transactionID: String
  var product: String
  var purchase: Double
  var expiry: Double
  var next: String
  var isOn = true
  var intent: ExpirationIntent?

  static let all: [StoryLine] = [
    .init(
      type: .subscribed, subtype: .resubscribe, signed: 25, transactionID: "2000001898",
      product: "quarterly", purchase: 18, expiry: 558, next: "quarterly"),
    .month(.didChangeRenewalPref, .upgrade, signed: 39),
    .month(.didChangeRenewalStatus, .autoRenewDisabled, signed: 61, isOn: false),
    .month(.didChangeRenewalPref, .downgrade, signed: 78, next: "quarterly"),
    .month(.didChangeRenewalPref, nil, signed: 106),
    .month(.didChangeRenewalStatus, .autoRenewDisabled, signed: 116, isOn: false),
    .month(.expired, .voluntary, signed: 225, isOn: false, intent: .customerCancelled),
  ]

  private static func month(
    _ type: NotificationType, _ subtype: NotificationSubtype?, signed: Double,
    next: String = "monthly", isOn: Bool = true, intent: ExpirationIntent? = nil
  ) -> StoryLine {
    StoryLine(
      type: type, subtype: subtype, signed: signed, transactionID: "2000001928",
      product: "monthly", purchase: 30, expiry: 210, next: next, isOn: isOn, intent: intent)
  }
}

private let start = Date(timeIntervalSince1970: 1_759_727_760)  // 2025-10-06T05:16:00Z

/// A service that hears the story.
private struct StoryScene {
  static let authority = try? TestAuthority()
  static let signed: [String] = (try? StoryLine.all.enumerated().map(sign)) ?? []

  let scene: ServiceScene
  let notifications: NotificationService

  init() async throws {
    let appStore = try AppStoreSimulator(
      bundleID: ServiceScene.bundleID, environment: .sandbox
    ) {
      $0.authority = ServiceScene.authority
      $0.start = start
    }
    appStore.clock.advance(by: .seconds(300))
    let products = ProductMap([
      "quarterly": Plan(tier: .standard, cycle: .year),
      "monthly": Plan(tier: .standard, cycle: .month),
    ])
    var options = LinkOptions()
    options.allowedEnvironments = [.production, .sandbox]
    scene = try await ServiceScene(appStore: appStore, options: options, products: products)
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: ServiceScene.bundleID, appAppleID: 1)],
      environments: [.production, .sandbox],
      trustAnchors: [(try Self.authority ?? TestAuthority()).trustAnchor], now: { appStore.now })
    notifications = try NotificationService(
      scene.service.context.with(verifier: verifier), subscriptions: scene.service)
  }

  func subscription() async throws -> Subscription {
    try await scene.service.subscription("2000001000")
  }

  private static func sign(_ index: Int, _ line: StoryLine) throws -> String {
    let authority = try Self.authority ?? TestAuthority()
    var transaction = Transaction()
    transaction.bundleID = ServiceScene.bundleID
    transaction.environment = .sandbox
    transaction.transactionID = line.transactionID
    transaction.originalTransactionID = "2000001000"
    transaction.productID = line.product
    transaction.subscriptionGroupIdentifier = "21000001"
    transaction.type = .autoRenewableSubscription
    transaction.transactionReason = .purchase
    transaction.purchaseDate = start + line.purchase
    transaction.expiresDate = start + line.expiry
    transaction.signedDate = start + line.signed
    var renewal = RenewalInfo()
    renewal.environment = .sandbox
    renewal.originalTransactionID = "2000001000"
    renewal.productID = line.product
    renewal.autoRenewProductID = line.next
    renewal.autoRenewStatus = line.isOn ? .on : .off
    renewal.expirationIntent = line.intent
    renewal.signedDate = start + line.signed
    var data = NotificationData()
    data.environment = .sandbox
    data.bundleID = ServiceScene.bundleID
    data.signedTransactionInfo = try authority.sign(transaction)
    data.signedRenewalInfo = try authority.sign(renewal)
    var notification = ServerNotification()
    notification.notificationType = line.type
    notification.subtype = line.subtype
    notification.notificationUUID = "00000000-0000-4000-8000-00000000000\(index + 1)"
    notification.version = "2.0"
    notification.signedDate = start + line.signed
    notification.data = data
    return try authority.sign(notification)
  }
}

@Suite("The real story of an upgrade, told by notifications of version 2")
struct UpgradeStoryTests {
  @Test("after its second line has the month, until 05:19:30", .onEveryStore)
  func secondLine() async throws {
    let scene = try await StoryScene()
    for token in StoryScene.signed.prefix(2) {
      try await scene.notifications.receive(signedPayload: token)
    }
    let subscription = try await scene.subscription()
    #expect(subscription.productID == "monthly")
    #expect(subscription.expiresDate == start + 210)
    #expect(subscription.autoRenewal)
  }

  @Test("ends the same way in any order, with lines that come twice", .onEveryStore)
  func anyOrder() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededChance(seed: seed)
    #expect(StoryScene.signed.count == 7)
    let orders =
      [Array(0..<7), (0..<7).reversed()]
      + (0..<12).map { _ in
        (0..<7).shuffled(using: &random) + (0..<7).shuffled(using: &random).prefix(3)
      }
    for order in orders {
      let scene = try await StoryScene()
      for index in order {
        try await scene.notifications.receive(signedPayload: StoryScene.signed[index])
      }
      let subscription = try await scene.subscription()
      #expect(subscription.lastTransactionID == "2000001928", "seed \(seed), order \(order)")
      #expect(subscription.productID == "monthly", "seed \(seed), order \(order)")
      #expect(subscription.expiresDate == start + 210, "seed \(seed), order \(order)")
      #expect(!subscription.autoRenewal, "seed \(seed), order \(order)")
    }
  }
}
