import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// A host with the app of the acceptance matrix and a bundled one, and an App Store that sells their
/// products (entitlement rules, section 11).
struct DrawScene: Sendable {
  static let draw = "com.example.draw"
  static let paint = "com.example.paint"
  static let multiApp = "com.example.paint.multiApp.monthly"
  static let list = """
    [
      {"identifier": "com.example.draw.brushes", "productType": "nonConsumable",
       "isSubscribersOnly": true},
      {"identifier": "com.example.draw.frames", "productType": "nonConsumable"},
      {"identifier": "com.example.draw.frames.gold", "productType": "nonConsumable",
       "isSubscribersOnly": true},
      {"identifier": "com.example.draw.paper", "productType": "nonConsumable"},
      {"identifier": "com.example.draw.coins", "productType": "consumable"},
      {"identifier": "com.example.draw.full.monthly", "productType": "renewableSubscription",
       "discountedProducts": ["com.example.draw.full25.monthly"]},
      {"identifier": "com.example.draw.lite.monthly", "productType": "renewableSubscription",
       "unlocks": ["com.example.draw.f*", "com.example.draw.paper"]},
      {"identifier": "com.example.draw.season", "productType": "nonRenewingSubscription"}
    ]
    """

  /// The parts of the host that a test changes.
  struct Setup {
    var environment = AppStoreEnvironment.production
    var accounts: any AccountDirectory = UnlistedAccounts()
    /// Whether Apple is asked about receipts; if not, they are verified here.
    var asksAboutReceipts = true
    /// Whether the App Store Server API is a source.
    var hasServerAPI = false
    var environments = CountedEnvironments.all
    var periodicValidation = true
    /// The durations of non-renewing subscriptions.
    var durations: [String: Duration] = [:]
  }

  let store: any PurchaseStore
  let appStore: AppStoreSimulator
  /// The App Store of the bundled app, with the same clock.
  let paintStore: AppStoreSimulator
  let verifier: SignedDataVerifier
  let service: EntitlementService
  let notifications: NotificationService
  let incidents: Incidents

  init(_ change: (inout Setup) -> Void = { _ in }) async throws {
    var setup = Setup()
    change(&setup)
    let incidents = Incidents()
    let month = TestProduct.Kind.autoRenewable(period: .days(30), group: "20000009")
    let appStore = try AppStoreSimulator(
      bundleID: Self.draw, environment: setup.environment,
      products: [
        TestProduct(Self.id("brushes"), .nonConsumable),
        TestProduct(Self.id("frames"), .nonConsumable),
        TestProduct(Self.id("paper"), .nonConsumable), TestProduct(Self.id("coins"), .consumable),
        TestProduct(Self.id("full.monthly"), month), TestProduct(Self.id("lite.monthly"), month),
        TestProduct(Self.id("full25.monthly"), month), TestProduct(Self.id("season"), .nonRenewing),
        TestProduct(
          Self.id("full.yearly"), .autoRenewable(period: .days(365), group: "20000009")),
      ]
    ) {
      $0.authority = ServiceScene.authority
      $0.start = ServiceScene.start
    }
    let paintStore = try AppStoreSimulator(
      bundleID: Self.paint, environment: setup.environment,
      products: [
        TestProduct(Self.multiApp, month), TestProduct("com.example.paint.pro.monthly", month),
      ], appAppleID: 987_654_321
    ) {
      $0.authority = appStore.authority
      $0.signedDataAuthority = appStore.signedDataAuthority
      $0.clock = appStore.clock
      $0.start = ServiceScene.start
      $0.lastTransactionID = 2_000_000_800_000_000
    }
    let verifier = try SignedDataVerifier(
      apps: [
        App(bundleID: Self.draw, appAppleID: appStore.appAppleID),
        App(bundleID: Self.paint, appAppleID: paintStore.appAppleID),
      ], environments: [.production, .sandbox],
      trustAnchors: [appStore.signedDataAuthority.trustAnchor],
      now: { appStore.now })
    let options = try EntitlementOptions(
      environments: setup.environments, durations: SubscriptionDurations(setup.durations),
      multiApp: MultiAppSubscriptions(
        bundledApplicationIDs: [Self.draw, Self.paint], marker: ".multiApp."),
      periodicValidation: setup.periodicValidation)
    let apps = [
      EntitledApp(
        bundleID: Self.draw, catalog: try ProductCatalog(json: Array(Self.list.utf8)),
        options: options),
      EntitledApp(
        bundleID: Self.paint, catalog: try ProductCatalog(json: Array("[]".utf8)),
        options: options),
    ]
    let store = try await StoreScope.emptyStore()
    service = try EntitlementService(
      PurchaseContext(
        store: store, accounts: setup.accounts, verifier: verifier,
        sources: setup.hasServerAPI
          ? [try ServerScene.client(of: appStore, appStore, verifier)] : [], now: { appStore.now },
        report: { incidents.add($0) }),
      appStore: setup.asksAboutReceipts ? try Self.client(of: appStore) : nil,
      receipts: try AppReceiptVerifier(
        bundleIDs: [Self.draw, Self.paint], environments: [.production, .sandbox],
        trustAnchors: [appStore.authority.trustAnchor], now: { appStore.now }), chance: { 0.5 },
      apps: { EntitledApps(apps) })
    notifications = try NotificationService(
      service.context, entitlements: service)
    self.store = store
    self.appStore = appStore
    self.paintStore = paintStore
    self.verifier = verifier
    self.incidents = incidents
  }

  private static func client(of appStore: AppStoreSimulator) throws -> VerifyReceiptClient {
    var configuration = VerifyReceiptClient.Configuration.entitlementService
    configuration.retries.attempts = 1
    configuration.clock = appStore.clock
    configuration.now = { appStore.now }
    return try VerifyReceiptClient(
      transport: appStore, bundleIDs: [draw, paint], sharedSecret: appStore.sharedSecret,
      configuration: configuration)
  }

  /// The identifier of a product of the app by its short name.
  static func id(_ name: String) -> String { "\(draw).\(name)" }
  static func ids(_ names: String...) -> [String] { names.map(id) }

  // MARK: Calls

  /// Buys a product, and sends what the device signed for it.
  @discardableResult
  func buy(
    _ name: String, by user: AccountID = "u-1", on device: String? = nil
  ) async throws -> TestPurchase {
    let purchase = try appStore.buy(Self.id(name), by: device ?? user.rawValue)
    try await send(purchase.signedTransactionInfo, by: user)
    return purchase
  }

  @discardableResult
  func send(
    _ tokens: String..., by user: AccountID? = "u-1", in bundleID: String = draw
  ) async throws -> ValidationAnswer {
    try await service.validate(
      UploadedEvidence(signedTransactions: tokens), for: user, in: bundleID)
  }

  /// Sends the newest receipt of a customer.
  @discardableResult
  func sendReceipt(
    of customer: String = "u-1", by user: AccountID? = "u-1"
  ) async throws -> ValidationAnswer {
    try await service.validate(
      UploadedEvidence(receipt: try appStore.receipt(of: customer)), for: user, in: Self.draw)
  }

  func entitlements(of user: AccountID = "u-1") async throws -> Entitlements {
    try await service.products(of: user, in: Self.draw)
  }

  func allowed(of user: AccountID = "u-1") async throws -> [String] {
    try await entitlements(of: user).allowedProducts
  }

  func receive(_ notification: TestNotification) async throws {
    try await notifications.receive(signedPayload: notification.signedPayload)
  }

  // MARK: Records

  func conflicts(about purchase: TestPurchase) async throws -> [AssociationConflict] {
    try await store.read { records in
      try await records.associations.conflicts(about: purchase.originalTransactionID)
    }
  }

  func association(of purchase: TestPurchase) async throws -> PurchaseAssociation? {
    let environment = appStore.environment
    return try await store.read { records in
      try await records.associations.find(
        [purchase.originalTransactionID], environment: environment
      ).first
    }
  }

  func validation(of user: AccountID = "u-1") async throws -> AppValidation? {
    try await store.read { try await $0.validations.find(user, bundleID: Self.draw) }
  }
}

/// The failure about entitlements that a call throws; nil for another error or none.
func entitlementFailure<Result>(
  _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> EntitlementFailure? {
  do {
    _ = try await body()
    return nil
  } catch let failure as EntitlementFailure {
    return failure
  }
}
