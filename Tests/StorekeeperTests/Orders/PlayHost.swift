import Foundation
import StoreSimulators
import Storekeeper

/// A host whose memberships and entitlements rest on purchases of a simulated Play store.
struct PlayHost: Sendable {
  static let bundleID = "com.example.snips"
  static let products = ProductMap([
    "basic_monthly": Plan(tier: .standard, cycle: .month),
    "pro_monthly": Plan(tier: .premium, cycle: .month),
  ])
  static let list = """
    [
      {"identifier": "basic_monthly", "productType": "renewableSubscription"},
      {"identifier": "pro_monthly", "productType": "renewableSubscription",
       "unlocks": ["com.example.snips.*"]},
      {"identifier": "com.example.snips.charts", "productType": "nonConsumable"},
      {"identifier": "gold_theme", "productType": "nonConsumable"}
    ]
    """

  let scene: PlayScene
  let services: Services

  /// The services on one store.
  struct Services: Sendable {
    let common: any PurchaseStore
    let source: PlayPurchaseSource
    let subscriptions: SubscriptionService
    let entitlements: EntitlementService
    let orders: OrderService
  }

  init(
    accounts: any AccountDirectory = PlayAccounts(), options: LinkOptions = LinkOptions()
  ) async throws {
    let scene = try await PlayScene()
    self.scene = scene
    services = try await StoreScope.emptyPlayHost(
      PlayHostParts(scene: scene, accounts: accounts, options: options))
    let levels = try SubscriptionLevels([OrderScene.pro, OrderScene.basic])
    try await services.orders.replaceLevels(with: levels)
  }

  var play: PlayStoreSimulator { scene.play }

  /// Sells a subscription that is acknowledged.
  func sell(_ product: String, _ terms: PlayTerms = PlayTerms()) throws -> TestPlayPurchase {
    try play.acknowledge(play.subscribe(product, terms))
  }

  /// The identifier that stands for the token of a purchase.
  func id(of purchase: TestPlayPurchase) -> String {
    "google:" + scene.key(of: purchase).identifier
  }

  func stored(
    _ purchase: TestPlayPurchase, in environment: AppStoreEnvironment = .production
  ) async throws -> [PurchaseRecord] {
    let id = id(of: purchase)
    return try await services.common.read { records in
      try await records.purchases.transactions(of: [id], environment: environment)
    }
  }

  func facts(of purchase: TestPlayPurchase) async throws -> PurchaseFacts {
    try await services.source.facts(ofSubscription: purchase.purchaseToken)
  }

  /// Uploads purchases for a user's entitlements.
  func validate(_ purchases: TestPlayPurchase..., for userID: AccountID) async throws {
    try await services.entitlements.validate(
      UploadedEvidence(purchaseTokens: purchases.map(\.purchaseToken)), for: userID,
      in: Self.bundleID)
  }

  /// Orders with a purchase.
  @discardableResult
  func order(_ purchase: TestPlayPurchase, for userID: AccountID) async throws -> UserSubscription {
    try await services.orders.order(
      SubscriptionOrder(userID: userID, vendor: .google, receiptData: purchase.purchaseToken))
  }

  /// Pushes everything that has happened, and works on it.
  func push() async throws {
    let notifications = try PlayNotificationService(
      services.orders.context, play: scene.client, tokens: scene.notifications.tokens,
      orders: services.orders)
    let attempts = try await play.deliverPushes(by: PushReceiver(notifications: notifications))
    guard attempts.allSatisfy(\.isAcknowledged) else { throw PushesRefused() }
  }

  struct PushesRefused: Error {}

  /// The product of a user's active subscription; nil if there is none.
  func subscribed(_ userID: AccountID) async throws -> String? {
    let answer = try await services.entitlements.products(of: userID, in: Self.bundleID)
    return answer.isSubscriber ? answer.subscription?.subscription.productID : nil
  }

  /// The products that a user bought.
  func purchased(_ userID: AccountID) async throws -> [String] {
    try await services.entitlements.products(of: userID, in: Self.bundleID).purchasedProducts
  }
}

/// Users whose marks at Google are texts of their own.
struct PlayAccounts: AccountDirectory {
  static let mark = "the mark of "

  func account(_ id: AccountID) -> Account? {
    ["alice", "bob"].contains(id.rawValue) ? Account(id: id) : nil
  }

  func account(markedBy mark: String) -> Account? {
    mark.hasPrefix(Self.mark)
      ? account(AccountID(stored: String(mark.dropFirst(Self.mark.count)))) : nil
  }
}

/// The parts of a ``PlayHost`` from which its services are made, once there is a store.
struct PlayHostParts: Sendable {
  let scene: PlayScene
  let accounts: any AccountDirectory
  let options: LinkOptions

  func services(on store: any PurchaseStore) throws -> PlayHost.Services {
    let play = scene.play
    let source = PlayPurchaseSource(scene.client, store: store, now: { play.now })
    let subscriptions = try SubscriptionService(
      PurchaseContext(
        store: store, accounts: accounts, sources: [source], now: { play.now },
        report: { [incidents = scene.orders.incidents] in incidents.add($0) }),
      products: PlayHost.products, options: options)
    let app = EntitledApp(
      bundleID: PlayHost.bundleID,
      catalog: try ProductCatalog(json: Array(PlayHost.list.utf8)), googlePlay: scene.client)
    let entitlements = try EntitlementService(
      subscriptions.context, subscriptions: subscriptions, apps: { EntitledApps([app]) })
    return PlayHost.Services(
      common: store, source: source, subscriptions: subscriptions,
      entitlements: entitlements,
      orders: try OrderService(
        entitlements.context, vendors: [GoogleVendor(scene.client)], entitlements: entitlements))
  }
}
