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
    let subscriptions = try SubscriptionService(
      PurchaseContext(store: InMemoryPurchaseStore(), accounts: InMemoryAccountDirectory()),
      products: [:])
    let page = TwoContractsPage(
      subscriptions: subscriptions,
      notifications: try NotificationService(
        subscriptions.context.with(verifier: try SimulatedAppStore("com.example.reader").verifier),
        subscriptions: subscriptions))
    try await page.theTwoHTTPContracts()
  }
}
