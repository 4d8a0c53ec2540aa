import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting

/// A host that lost its database, beside the copy that it made of it before: what the copy is told of ends where the
/// backup was made, and everything else is told to the lost one alone.
///
/// Both stores sell subscriptions and one-time products, and the App Store packs of credits.
struct RebuildScene: Sendable {
  static let pack = "com.example.reader.pack"
  static let big = "com.example.reader.big"
  static let users = (0..<8).map { AccountID(stored: "user-\($0)") }
  static let list = """
    [
      {"identifier": "reader.monthly", "productType": "renewableSubscription"},
      {"identifier": "reader.yearly", "productType": "renewableSubscription"},
      {"identifier": "reader.premium", "productType": "renewableSubscription"},
      {"identifier": "reader.lifetime", "productType": "nonConsumable"},
      {"identifier": "basic_monthly", "productType": "renewableSubscription"},
      {"identifier": "gold_theme", "productType": "nonConsumable"}
    ]
    """

  let appStore: AppStoreSimulator
  let play: PlayStoreSimulator
  let verifier: SignedDataVerifier
  let lost: RebuildHost
  let copy: RebuildHost

  init() async throws {
    let clock = ManualClock()
    let appStore = try AppStoreSimulator(
      bundleID: ServiceScene.bundleID,
      products: TestProduct.samples + [
        TestProduct(Self.pack, .consumable), TestProduct(Self.big, .consumable),
      ]
    ) {
      $0.authority = ServiceScene.authority
      $0.start = ServiceScene.start
      $0.clock = clock
    }
    var pushes = PlayPushConfiguration()
    (pushes.url, pushes.email) = (PlayScene.audience, PlayScene.email)
    let play = try PlayStoreSimulator(
      packageName: ServiceScene.bundleID,
      products: [
        PlayProduct(
          "basic_monthly",
          .subscription([
            PlayBasePlan("monthly", period: .days(30), price: PlayPrice(units: 4))
          ])), PlayProduct("gold_theme", .oneTime),
      ]
    ) {
      $0.serviceAccount = PlayScene.account
      $0.pushKey = PlayScene.pushKey
      $0.pushes = pushes
      $0.start = ServiceScene.start
      $0.clock = clock
    }
    // A test lets the customers have what nobody acknowledges.
    play.settings.acknowledgementPeriod = .days(1000)
    verifier = try SignedDataVerifier(
      apps: [App(bundleID: appStore.bundleID, appAppleID: appStore.appAppleID)],
      environments: [.production, .sandbox],
      trustAnchors: [appStore.authority.trustAnchor, appStore.signedDataAuthority.trustAnchor],
      now: { appStore.now })
    self.appStore = appStore
    self.play = play
    lost = try await RebuildHost(
      appStore, play, verifier, on: try await StoreScope.emptyStore())
    copy = try await RebuildHost(
      appStore, play, verifier, on: try await StoreScope.emptyStore())
  }

  var both: [RebuildHost] { [lost, copy] }

  func pass(_ duration: Duration) { appStore.clock.advance(by: duration) }

  func token(of user: AccountID) -> UUID? { RebuildAccounts().appAccountToken(of: user) }

  func terms(of user: AccountID) -> PlayTerms {
    PlayTerms(obfuscatedAccountID: token(of: user)?.uuidString)
  }

  /// Everything that Google has told since the last time, which hosts are told.
  func push(to hosts: [RebuildHost], after number: Int) async throws -> Int {
    let notifications = play.notifications(after: number)
    for host in hosts {
      for notification in notifications {
        let answer = try await PushReceiver(notifications: host.playNotifications)
          .send(play.push(notification))
        guard answer.status == .noContent else { throw PlayHost.PushesRefused() }
      }
    }
    return notifications.last?.number ?? number
  }

  func tell(_ notification: TestNotification, _ hosts: [RebuildHost]) async throws {
    for host in hosts {
      try await host.notifications.receive(signedPayload: notification.signedPayload)
    }
  }
}

/// The services of a host on one store.
struct RebuildHost: Sendable {
  let store: any PurchaseStore
  let client: AppStoreServerClient
  let playClient: GooglePlayClient
  let subscriptions: SubscriptionService
  let credits: CreditService
  let entitlements: EntitlementService
  let orders: OrderService
  let notifications: NotificationService
  let playNotifications: PlayNotificationService

  init(
    _ appStore: AppStoreSimulator, _ play: PlayStoreSimulator, _ verifier: SignedDataVerifier,
    on store: any PurchaseStore
  ) async throws {
    self.store = store
    client = try ServerScene.client(of: appStore, appStore, verifier)
    playClient = try PlayScene.client(of: play, play, packageName: ServiceScene.bundleID)
    let google = PlayPurchaseSource(playClient, store: store, now: { play.now })
    let shop = PurchaseContext(
      store: store, accounts: RebuildAccounts(), verifier: verifier, sources: [client, google],
      now: { appStore.now }, report: { _ in })
    let products = ProductMap([
      ServiceScene.monthly: Plan(tier: .standard, cycle: .month),
      ServiceScene.yearly: Plan(tier: .standard, cycle: .year),
      ServiceScene.premium: Plan(tier: .premium, cycle: .year),
      "basic_monthly": Plan(tier: .standard, cycle: .month),
    ])
    subscriptions = try SubscriptionService(
      shop, products: products, appStore: try ServiceScene.client(of: appStore))
    credits = try CreditService(
      shop,
      products: try CreditProducts([
        CreditProduct(code: "pack", appStoreProductID: RebuildScene.pack, credits: 100),
        CreditProduct(code: "big", appStoreProductID: RebuildScene.big, credits: 500),
      ]))
    let app = EntitledApp(
      bundleID: appStore.bundleID,
      catalog: try ProductCatalog(json: Array(RebuildScene.list.utf8)),
      options: try EntitlementOptions(grace: .zero), googlePlay: playClient)
    entitlements = try EntitlementService(
      shop, subscriptions: subscriptions, appStore: try ServiceScene.client(of: appStore),
      apps: { EntitledApps([app]) })
    orders = try OrderService(
      shop,
      vendors: [
        AppleVendor(
          receipts: try ServiceScene.client(of: appStore), verifier: verifier,
          appStores: [client]), GoogleVendor(playClient),
      ], entitlements: entitlements)
    notifications = try NotificationService(
      shop, subscriptions: subscriptions, credits: credits, entitlements: entitlements,
      orders: orders)
    playNotifications = try PlayNotificationService(
      shop, play: playClient,
      tokens: try PushTokenVerifier(
        configuration: .init(audience: PlayScene.audience, email: PlayScene.email),
        transport: play, now: { play.now }), orders: orders)
    try await orders.replaceLevels(
      with: SubscriptionLevels([
        SubscriptionLevel(
          name: "Basic", description: "Basic", quota: 1, fee: "1",
          appleProductID: ServiceScene.monthly, googleProductID: "basic_monthly"),
        SubscriptionLevel(
          name: "Plus", description: "Plus", quota: 2, fee: "2",
          appleProductID: ServiceScene.yearly),
        SubscriptionLevel(
          name: "Pro", description: "Pro", quota: 3, fee: "3",
          appleProductID: ServiceScene.premium),
      ]))
  }

  /// A rebuild in batches of a few purchases, whose writes pass through `store` if it is given.
  func rebuild(
    _ appStore: AppStoreSimulator, on store: (any PurchaseStore)? = nil,
    asking client: AppStoreServerClient? = nil
  ) throws -> Rebuild {
    func moved(_ context: PurchaseContext) -> PurchaseContext {
      var context = context
      context.store = store ?? context.store
      return context
    }
    let shop = moved(notifications.context)
    let subscriptions = try SubscriptionService(
      shop, products: self.subscriptions.products, appStore: self.subscriptions.appStore)
    let credits = try CreditService(shop, products: self.credits.products)
    let entitlements = try EntitlementService(
      shop, subscriptions: subscriptions, appStore: self.entitlements.appStore,
      apps: { [apps = self.entitlements.apps] in apps })
    let orders = try OrderService(
      shop, vendors: self.orders.vendors, entitlements: entitlements)
    let apple = NotificationRecovery(
      notifications: try NotificationService(
        shop, subscriptions: subscriptions, credits: credits, entitlements: entitlements,
        orders: orders), appStore: client ?? self.client)
    let google = VoidedPurchaseRecovery(
      try PlayNotificationService(shop, play: playClient, tokens: nil, orders: orders),
      clock: appStore.clock)
    var rebuild = Rebuild(shop, apple: [apple], google: google, clock: ContinuousClock())
    rebuild.batchSize = 3
    rebuild.concurrency = 2
    return rebuild
  }

  // MARK: What users do

  func claim(_ purchase: TestPurchase, for user: AccountID) async throws {
    let code = purchase.productID == RebuildScene.pack ? "pack" : "big"
    _ = try await credits.grant(
      GrantClaim(
        userID: user, productCode: code, appStoreProductID: purchase.productID,
        transactionID: purchase.transactionID),
      signedTransactionInfo: purchase.signedTransactionInfo)
  }

  func spend(_ amount: Int, of user: AccountID, event: String) async throws {
    try await credits.book(
      LedgerBooking(
        userID: user, eventID: event, changeType: .init(rawValue: "spending"),
        subjectType: "render", subjectID: event, amount: -amount))
  }
}

/// Users of whom each has an app account token.
struct RebuildAccounts: AccountDirectory {
  func account(_ id: AccountID) -> Account? {
    RebuildScene.users.contains(id) ? Account(id: id) : nil
  }

  var hasAppAccountTokens: Bool { true }

  func account(appAccountToken token: UUID) -> Account? {
    RebuildScene.users.first { appAccountToken(of: $0) == token }.map { Account(id: $0) }
  }

  func appAccountToken(of id: AccountID) -> UUID? {
    RebuildScene.users.firstIndex(of: id).flatMap {
      UUID(uuidString: "00000000-0000-4000-8000-00000000000\($0)")
    }
  }
}
