import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperTesting

/// A host with memberships, entitlements and orders on one store, whose products a simulated App Store sells.
struct AppleHost: Sendable {
  static let list = """
    [
      {"identifier": "reader.monthly", "productType": "renewableSubscription"},
      {"identifier": "reader.yearly", "productType": "renewableSubscription"},
      {"identifier": "reader.premium", "productType": "renewableSubscription"}
    ]
    """
  static let basic = level("Basic", ServiceScene.monthly)
  static let plus = level("Plus", ServiceScene.yearly)
  static let pro = level("Pro", ServiceScene.premium)

  private static func level(_ name: String, _ product: String) -> SubscriptionLevel {
    SubscriptionLevel(
      name: name, description: name, quota: 2, fee: "4.99", appleProductID: product)
  }

  let appStore: AppStoreSimulator
  let verifier: SignedDataVerifier
  let services: Services

  /// The services on one store.
  struct Services: Sendable {
    let subscriptions: SubscriptionService
    let entitlements: EntitlementService
    let orders: OrderService
    let notifications: NotificationService
  }

  // `asks` tells whether the App Store Server API is a source; all capabilities have the rules of `transfer`.
  init(asks: Bool = true, transfer: TransferOptions = .never) async throws {
    let appStore = try AppStoreSimulator(bundleID: ServiceScene.bundleID) {
      $0.authority = ServiceScene.authority
      $0.start = ServiceScene.start
    }
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: appStore.bundleID, appAppleID: appStore.appAppleID)],
      environments: [.production, .sandbox],
      trustAnchors: [appStore.authority.trustAnchor, appStore.signedDataAuthority.trustAnchor],
      now: { appStore.now })
    self.appStore = appStore
    self.verifier = verifier
    services = try await StoreScope.emptyAppleHost(
      AppleHostParts(
        appStore: appStore, verifier: verifier,
        client: asks ? try ServerScene.client(of: appStore, appStore, verifier) : nil,
        transfer: transfer))
    try await services.orders.replaceLevels(
      with: SubscriptionLevels([Self.basic, Self.plus, Self.pro]))
  }

  func order(_ purchase: TestPurchase, by userID: AccountID = "alice") async throws
    -> UserSubscription
  {
    try await order(purchase.signedTransactionInfo, by: userID)
  }

  func order(_ evidence: String, by userID: AccountID = "alice") async throws -> UserSubscription {
    try await services.orders.order(
      SubscriptionOrder(userID: userID, vendor: .apple, receiptData: evidence))
  }

  func tell(_ notification: TestNotification) async throws {
    try await services.notifications.receive(signedPayload: notification.signedPayload)
  }

  /// The product of a user's active subscription among entitlements; nil if there is none.
  func subscribed(_ userID: AccountID = "alice") async throws -> String? {
    let answer = try await services.entitlements.products(
      of: userID, in: ServiceScene.bundleID)
    return answer.isSubscriber ? answer.subscription?.subscription.productID : nil
  }
}

/// The parts of an ``AppleHost`` from which its services are made, once there is a store.
struct AppleHostParts: Sendable {
  let appStore: AppStoreSimulator
  let verifier: SignedDataVerifier
  let client: AppStoreServerClient?
  let transfer: TransferOptions

  func services(on store: any PurchaseStore) throws -> AppleHost.Services {
    let appStore = appStore
    let accounts = InMemoryAccountDirectory()
    for id in ["alice", "bob"] + (0..<10).map({ "user-\($0)" }) {
      accounts.add(Account(id: AccountID(stored: id)))
    }
    let receipts = try ServiceScene.client(of: appStore)
    let sources = client.map { [$0] } ?? []
    var linkOptions = LinkOptions()
    linkOptions.transfer = transfer
    let subscriptions = try SubscriptionService(
      PurchaseContext(store: store, accounts: accounts, sources: sources, now: { appStore.now }),
      products: ServiceScene.products, appStore: receipts, options: linkOptions)
    var options = try EntitlementOptions(grace: .zero)
    options.transfer = transfer
    let app = EntitledApp(
      bundleID: appStore.bundleID, catalog: try ProductCatalog(json: Array(AppleHost.list.utf8)),
      options: options)
    let entitlements = try EntitlementService(
      subscriptions.context.with(verifier: verifier),
      subscriptions: subscriptions, appStore: receipts, apps: { EntitledApps([app]) })
    var orderOptions = OrderOptions()
    orderOptions.transfer = transfer
    let orders = try OrderService(
      entitlements.context,
      vendors: [AppleVendor(receipts: receipts, verifier: verifier, appStores: sources)],
      entitlements: entitlements, options: orderOptions)
    return AppleHost.Services(
      subscriptions: subscriptions, entitlements: entitlements, orders: orders,
      notifications: try NotificationService(orders.context, orders: orders))
  }
}
