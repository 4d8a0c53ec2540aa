import AppStoreServerAPI
import EntitlementPolicy
import OrderPolicy
import Foundation
import GooglePlayVerifier
import InMemoryStorage
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import SQLiteStorage
import StorekeeperHTTP
import StoreSimulators
import Storekeeper

/// The page `two-stores-one-order.md`, whose code is run.
struct TwoStoresOneOrderPage: Page {
  let path = "purchases.sqlite"
  let file: URL
  let levels: SubscriptionLevels
  let accounts: any AccountDirectory = InMemoryAccountDirectory([Account(id: "alice")])
  let store: SQLiteStore
  let orders: OrderService
  let notifications: PlayNotificationService
  let play: GooglePlayClient
  let catalog: ProductCatalog
  let mailer: any OutboxHandler = Mailer()
  let userID: AccountID = "alice"
  var purchaseToken: String
  let source: PlayPurchaseSource
  let subscriptions: SubscriptionService
  let entitlements: EntitlementService

  static func run() async throws {
    try await inNewFolder {
      let playStore = try SimulatedPlayStore("com.example.snips", subscriptions: ["basic_monthly"])
      let purchase = try playStore.play.subscribe("basic_monthly", by: "alice")
      let page = try await TwoStoresOneOrderPage(playStore, purchase.purchaseToken)
      try await page.nameTheLevels()
      try await page.createTheService2()
      try await page.takeAnOrder()
      expect(try await page.orders.subscriptionForProfile(of: "alice")?.level.name == "Basic")
      try await page.checkItAtALogin()
      try await page.deliverWhatGoogleWaitsFor()
      expect(try playStore.play.purchase(page.purchaseToken).isAcknowledged)
      try await page.followRefundsThatNoNotificationToldOf()
      try await page.mountTheRoutes2()
      try await page.letMembershipsAndEntitlementsRestOnGooglesPurchases()
      try await page.letMembershipsAndEntitlementsRestOnGooglesPurchases2()
      try await page.store.close()
    }
  }

  private init(_ playStore: SimulatedPlayStore, _ purchaseToken: String) async throws {
    self.purchaseToken = purchaseToken
    file = try GuideProgram.file(
      "levels.json",
      """
      [
        {"name": "Basic", "description": "Two portfolios", "portfolioLimit": 2, "fee": 4.99,
          "appleProductId": "com.example.snips.basic", "googleProductId": "basic_monthly"},
        {"name": "Pro", "description": "Ten portfolios", "portfolioLimit": 10, "fee": 9.99,
          "appleProductId": "com.example.snips.pro", "googleProductId": null}
      ]
      """)
    levels = try SubscriptionLevels(json: Array(Data(contentsOf: file)))
    let play = try playStore.client
    let store = try await SQLiteStore(
      path: "host.sqlite", capabilities: [.subscriptions, .entitlements, .orders])
    let catalog = try ProductCatalog(json: Array("[]".utf8))
    let source = PlayPurchaseSource(play, store: store)
    let shop = PurchaseContext(store: store, accounts: accounts, sources: [source])
    let subscriptions = try SubscriptionService(
      shop, products: ["basic_monthly": Plan("standard", every: .month)])
    let app = EntitledApp(bundleID: "com.example.snips", catalog: catalog, googlePlay: play)
    entitlements = try EntitlementService(shop, apps: [app], subscriptions: subscriptions)
    orders = try OrderService(shop, vendors: [GoogleVendor(play)])
    notifications = try PlayNotificationService(shop, play: play, tokens: nil, orders: orders)
    (self.play, self.store, self.catalog) = (play, store, catalog)
    (self.source, self.subscriptions) = (source, subscriptions)
  }
}
