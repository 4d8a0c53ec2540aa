import InMemoryStorage
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import StoreSimulators
import Storekeeper

/// The page `receiving-notifications.md`, whose code is run.
struct ReceivingNotificationsPage: Page {
  let shop: PurchaseContext
  let subscriptions: SubscriptionService?
  let credits: CreditService? = nil
  let entitlements: EntitlementService? = nil
  let orders: OrderService? = nil
  let notifications: NotificationService
  let body: [UInt8]

  static func run() async throws {
    let reader = try SimulatedAppStore("com.example.reader")
    let shop = PurchaseContext(
      store: InMemoryPurchaseStore(), accounts: UnlistedAccounts(), verifier: try reader.verifier)
    let subscriptions = try SubscriptionService(
      shop, products: ["reader.monthly": Plan("standard", every: .month)])
    let purchase = try reader.appStore.buy("reader.monthly")
    let page = ReceivingNotificationsPage(
      shop: shop, subscriptions: subscriptions,
      notifications: try NotificationService(shop, subscriptions: subscriptions),
      body: try purchase.notification.body)
    try await page.whichCallToMake()
    try await page.whatFollowsANotification()
    let stored = try await subscriptions.subscription(purchase.originalTransactionID)
    expect(stored.productID == "reader.monthly")
  }
}
