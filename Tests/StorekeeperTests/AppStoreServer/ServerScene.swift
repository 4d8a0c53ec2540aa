import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting

/// A service that asks the App Store Server API of a simulated App Store.
struct ServerScene: Sendable {
  let scene: ServiceScene
  let client: AppStoreServerClient
  let subscriptions: SubscriptionService
  let notifications: NotificationService
  let incidents: Incidents

  init(
    environment: AppStoreEnvironment = .production, receipts: Bool = false,
    transport: (any HTTPTransport)? = nil, store: (any PurchaseStore)? = nil,
    products: ProductMap = ServiceScene.products
  ) async throws {
    let incidents = Incidents()
    let scene = try await ServiceScene(store: store, environment: environment, products: products)
    let appStore = scene.appStore
    let verifier = try scene.verifier()
    let client = try Self.client(of: appStore, transport ?? appStore, verifier)
    subscriptions = try SubscriptionService(
      PurchaseContext(
        store: scene.store, accounts: scene.accounts, sources: [client], now: { appStore.now },
        report: { incidents.add($0) }), products: products,
      appStore: receipts ? try ServiceScene.client(of: appStore) : nil)
    notifications = try NotificationService(
      subscriptions.context.with(verifier: verifier), subscriptions: subscriptions)
    self.scene = scene
    self.client = client
    self.incidents = incidents
  }

  static func client(
    of appStore: AppStoreSimulator, _ transport: any HTTPTransport, _ verifier: SignedDataVerifier
  ) throws -> AppStoreServerClient {
    let key = appStore.serverAPIKey
    var configuration = AppStoreServerClient.Configuration()
    configuration.attempts = 1
    configuration.limiter = RequestLimiter(isLimiting: false)
    configuration.now = { appStore.now }
    // A test waits for the machine, not for a store.
    configuration.timeout = .seconds(600)
    configuration.patience = .seconds(600)
    return try AppStoreServerClient(
      key: SigningKey(pem: key.pem, keyID: key.keyID), issuerID: key.issuerID,
      bundleID: appStore.bundleID, verifier: verifier, transport: transport,
      configuration: configuration)
  }

  var appStore: AppStoreSimulator { scene.appStore }

  /// The store, showing the records that all capabilities have in common.
  var store: any PurchaseStore { scene.store }

  /// Buys a product, and records its signed transaction and renewal info.
  func bought(
    _ product: String = ServiceScene.monthly, by customer: String = "customer"
  ) async throws -> TestPurchase {
    let purchase = try appStore.buy(product, by: customer)
    try await subscriptions.record(
      scene.transaction(purchase), renewalInfo: scene.renewalInfo(purchase))
    return purchase
  }

  func stored(_ purchase: TestPurchase) async throws -> Subscription {
    try await subscriptions.subscription(purchase.originalTransactionID)
  }

  /// The parts of the paths of the requests after the API's version, such as `subscriptions`.
  var calls: [String] {
    appStore.serverAPIRequests.map { request in
      String(request.target.split(separator: "?")[0].split(separator: "/").dropFirst(2).first ?? "")
    }
  }
}

/// Incidents, in the order of their reports.
final class Incidents: Sendable {
  private let incidents = Locked<[ServiceIncident]>([])

  func add(_ incident: ServiceIncident) { incidents.withLock { $0.append(incident) } }
  var all: [ServiceIncident] { incidents.withLock { $0 } }
}

/// A transport that changes the answers of another one.
struct ChangedAnswers: HTTPTransport {
  let base: any HTTPTransport
  let change: @Sendable (HTTPRequestMessage, inout HTTPResponseMessage) -> Void

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    var response = try await base.send(request)
    change(request, &response)
    return response
  }
}

/// A transport with one answer to everything.
struct FixedAnswer: HTTPTransport {
  let response: HTTPResponseMessage

  init(_ response: HTTPResponseMessage) { self.response = response }

  init(_ status: HTTPStatusCode, _ body: String = "") {
    response = HTTPResponseMessage(status: status, body: Array(body.utf8))
  }

  func send(_ request: HTTPRequestMessage) -> HTTPResponseMessage { response }
}
