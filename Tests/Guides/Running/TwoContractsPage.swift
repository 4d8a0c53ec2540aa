import InMemoryStorage
import JWSVerifier
import PurchaseStorage
import Storekeeper
import StorekeeperHTTP

/// The page `two-contracts.md`, whose code is run.
struct TwoContractsPage: Page {
  let subscriptions: SubscriptionService
  let notifications: NotificationService
  let tokens = BearerTokens([])

  static func run() async throws {
    let shop = PurchaseContext(
      store: InMemoryPurchaseStore(), accounts: UnlistedAccounts(),
      verifier: try SimulatedAppStore("com.example.reader").verifier)
    let subscriptions = try SubscriptionService(shop, products: [:])
    let page = TwoContractsPage(
      subscriptions: subscriptions,
      notifications: try NotificationService(shop, subscriptions: subscriptions))
    try await page.theTwoHTTPContracts()
  }
}
