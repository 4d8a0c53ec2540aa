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
      store: InMemoryPurchaseStore(), accounts: InMemoryAccountDirectory(), products: [:])
    let page = TwoContractsPage(
      subscriptions: subscriptions,
      notifications: NotificationService(
        subscriptions: subscriptions, verifier: try SimulatedAppStore("com.example.reader").verifier
      ))
    try await page.theTwoHTTPContracts()
  }
}
