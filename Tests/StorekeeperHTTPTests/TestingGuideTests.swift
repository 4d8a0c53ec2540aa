import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperHTTP
import Testing

/// The code of `Documentation/guides/testing-your-code.md` and of `Documentation/reference/two-contracts.md`.
@Suite("The guide to testing one's own code")
struct TestingGuideTests {
  private let products = ProductMap([
    "reader.monthly": Plan(tier: .standard, cycle: .month)
  ])

  @Test("an App Store in the process, and endpoints without a socket")
  func endpoints() async throws {
    let accounts = InMemoryAccountDirectory()
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    let appStore = try AppStoreSimulator(bundleID: "com.example.reader") { $0.start = start }
    var configuration = VerifyReceiptClient.Configuration.subscriptionService
    configuration.clock = appStore.clock
    configuration.now = { appStore.now }
    let client = try VerifyReceiptClient(
      transport: appStore, bundleIDs: ["com.example.reader"], sharedSecret: appStore.sharedSecret,
      configuration: configuration)
    let subscriptions = try SubscriptionService(
      PurchaseContext(store: InMemoryPurchaseStore(), accounts: accounts, now: { appStore.now }),
      products: products, appStore: client)

    let purchase = try appStore.buy("reader.monthly", by: "a customer")
    let subscription = try await subscriptions.subscription(receipt: purchase.receipt)
    #expect(subscription.expiresDate == start + 30 * 86_400)

    let tokens = BearerTokens([
      .init(name: "test", digest: try BearerTokens.digest(of: "a-long-random-text"))
    ])
    let id = subscription.originalTransactionID
    let headers: HTTPHeaders = [.authorization: "Bearer a-long-random-text"]
    let api = SubscriptionAPI(subscriptions, authenticator: tokens)
    let answer = await api.respond(
      to: HTTPRequestMessage(method: .get, url: "/api/v1/apple/subs/\(id)", headers: headers))
    #expect(answer.status == .ok)
    let body = try JSONValue(parsing: answer.body)
    #expect(body["lastTransactionId"] == .string(subscription.lastTransactionID))

    let older = SubscriptionAPI(
      subscriptions, authenticator: tokens,
      mounts: [Mount("/api/v1"), Mount("/legacy", contract: .legacy)])
    let unknown = await older.respond(
      to: HTTPRequestMessage(method: .get, url: "/legacy/apple/subs/\(id)", headers: headers))
    #expect(unknown.status == .notFound)
  }
}
