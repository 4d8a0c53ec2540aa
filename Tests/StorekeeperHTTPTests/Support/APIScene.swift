import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperHTTP
import StorekeeperTesting

/// The API on a store in memory, with a simulated App Store as Apple.
struct APIScene: Sendable {
  static let bundleID = "com.example.reader"
  static let monthly = "reader.monthly"
  static let premium = "reader.premium"
  static let products = ProductMap([
    monthly: Plan(tier: .standard, cycle: .month),
    premium: Plan(tier: .premium, cycle: .year),
  ])
  static let token = "token-of-an-app"
  static let authority = try? TestAuthority.forReceipts()
  static let start = Date(timeIntervalSince1970: 1_700_000_000)  // 2023-11-14T22:13:20Z
  /// The first charge of the simulated App Store.
  static let firstID = "300000000000001"

  let store: any PurchaseStore
  let accounts: InMemoryAccountDirectory
  let appStore: AppStoreSimulator
  let transport: TappedTransport
  let reports = Reports()
  let api: SubscriptionAPI

  init(
    store: any PurchaseStore = InMemoryPurchaseStore(),
    environment: AppStoreEnvironment = .production, options: LinkOptions = LinkOptions(),
    products: ProductMap = Self.products, bundleIDs: Set<String> = [bundleID],
    receiptCaches: [any ReceiptStore] = [], authenticator: (any Authenticator)? = nil,
    takesNotifications: Bool = true, retentionMessages: RetentionMessageService? = nil,
    bodyLimit: Int = 1 << 20,
    transport: (any HTTPTransport)? = nil, clock: any Clock<Duration> = ContinuousClock(),
    telemetry: (any Telemetry)? = nil, trustsTraceFlags: Bool = false
  ) throws {
    let appStore = try AppStoreSimulator(
      bundleID: Self.bundleID, environment: environment
    ) {
      $0.authority = Self.authority
      $0.start = Self.start
    }
    let accounts = InMemoryAccountDirectory()
    for id in ["alice", "bob"] { accounts.add(Account(id: AccountID(stored: id))) }
    accounts.add(Account(secondID: "wx-carol"))
    let transport = TappedTransport(base: transport ?? appStore)
    var configuration = VerifyReceiptClient.Configuration.subscriptionService
    configuration.retries.attempts = 1
    configuration.clock = appStore.clock
    configuration.now = { appStore.now }
    var shop = PurchaseContext(store: store, accounts: accounts, now: { appStore.now })
    shop.telemetry = telemetry
    let service = try SubscriptionService(
      shop, products: products,
      appStore: try VerifyReceiptClient(
        transport: transport, bundleIDs: bundleIDs, sharedSecret: appStore.sharedSecret,
        configuration: configuration),
      receiptCaches: receiptCaches, options: options)
    self.store = store
    self.accounts = accounts
    self.appStore = appStore
    self.transport = transport
    let entry = BearerTokens.Entry(
      name: "ios-app", digest: try BearerTokens.digest(of: Self.token))
    var apiOptions = APIOptions()
    apiOptions.observer = reports
    apiOptions.clock = clock
    apiOptions.trustsTraceFlags = trustsTraceFlags
    var api = SubscriptionAPI(
      service,
      notifications: takesNotifications
        ? try Self.notifications(of: appStore, for: service) : nil,
      retentionMessages: retentionMessages,
      authenticator: authenticator ?? BearerTokens([entry]), options: apiOptions)
    api.bodyLimit = bodyLimit
    self.api = api
  }

  // MARK: Asking

  /// Sends a request to a mount, with the token of an app unless another or none is given.
  func send(
    _ method: HTTPRequestMethod, _ path: String, _ body: String = "", on mount: String = "/api/v1",
    token: String? = Self.token, headers: KeyValuePairs<HTTPHeaderName, String> = [:]
  ) async throws -> HTTPResponseMessage {
    var fields = HTTPHeaders()
    if let token { try fields.append("Bearer \(token)", for: .authorization) }
    for (name, value) in headers { try fields.append(value, for: name) }
    return await api.respond(
      to: HTTPRequestMessage(
        method: method, url: mount + path, headers: fields, body: Array(body.utf8)))
  }

  // MARK: State

  /// Buys, verifies and keeps; gives the purchase.
  func bought(
    _ product: String = monthly, by customer: String = "customer"
  ) async throws -> TestPurchase {
    let purchase = try appStore.buy(product, by: customer)
    _ = try await api.subscriptions.verify(receipt: purchase.receipt)
    return purchase
  }

  /// Stores a subscription with the id that the next purchase will have, for the Sandbox.
  func storeForSandbox() async throws {
    let subscription = Subscription(
      environment: .sandbox, originalTransactionID: Self.firstID, lastTransactionID: Self.firstID,
      productID: Self.monthly, purchaseDate: Self.start, expiresDate: Self.start,
      tier: .standard, cycle: .month, autoRenewal: false)
    try await store.write { records in
      try await records.storedSubscriptions.save(subscription, asOf: Self.start, now: Self.start)
    }
  }

  /// Gives an account a membership that Alipay was paid for.
  func payByAlipay(_ account: String, until day: String) async throws {
    var membership = Membership(account: Account(id: AccountID(stored: account)))
    membership.tier = .standard
    membership.cycle = .year
    membership.payMethod = .alipay
    membership.expireDate = CalendarDay(day)
    let row = membership
    try await store.write { records in _ = try await records.memberships.insert(row) }
  }

  func membership(of primaryID: String) async throws -> Membership? {
    let account = Account(id: AccountID(stored: primaryID))
    return try await store.read { records in
      try await records.memberships.find(account: account, appleSubscriptionIDs: []).first
    }
  }
}

extension HTTPHeaderName {
  static let allow: HTTPHeaderName = "Allow"
  static let acceptEncoding: HTTPHeaderName = "Accept-Encoding"
  static let authenticate: HTTPHeaderName = "WWW-Authenticate"
  static let contentEncoding: HTTPHeaderName = "Content-Encoding"
  static let entityTag: HTTPHeaderName = "ETag"
  static let ifNoneMatch: HTTPHeaderName = "If-None-Match"
  static let primaryID: HTTPHeaderName = "X-Ftc-Id"
  static let pragma: HTTPHeaderName = "Pragma"
  static let requestID: HTTPHeaderName = "X-Request-Id"
  static let secondID: HTTPHeaderName = "X-Union-Id"
  static let userID: HTTPHeaderName = "X-User-Id"
}
