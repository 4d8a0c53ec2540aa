import Foundation
import HTTPMessages
import InMemoryStorage
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import StoreSimulators
import Storekeeper

/// The page `app-store-simulator.md`, whose Swift is run.
struct AppStoreSimulatorPage: Page {
  let notifications: NotificationService
  let appStore: AppStoreSimulator
  let purchase: TestPurchase
  let another: TestPurchase
  let server: any HTTPTransport = Receiver()

  /// A server that refuses whatever is pushed.
  private struct Receiver: HTTPTransport {
    func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
      HTTPResponseMessage(status: .unauthorized)
    }
  }

  static func run() async throws {
    let reader = try SimulatedAppStore(
      "com.example.reader", start: Date(timeIntervalSince1970: 1_700_000_000))
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: "com.example.reader", appAppleID: reader.appStore.appAppleID)],
      environments: [.production], trustAnchors: SimulatedAppStore.trustAnchors)
    let shop = PurchaseContext(
      store: InMemoryPurchaseStore(), accounts: UnlistedAccounts(), verifier: verifier)
    let subscriptions = try SubscriptionService(
      shop, products: ["reader.monthly": Plan("standard", every: .month)])
    let page = AppStoreSimulatorPage(
      notifications: try NotificationService(shop, subscriptions: subscriptions),
      appStore: reader.appStore,
      purchase: try reader.appStore.buy("reader.monthly", by: "alice"),
      another: try reader.appStore.buy("reader.monthly", by: "bob"))
    try await page.theSameInYourTests2()
    try await page.theSameInYourTests3()
  }
}
