import Foundation
import HTTPMessages
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperTesting

/// A service on an empty store, with a simulated App Store that sells the newspaper.
struct ServiceScene: Sendable {
  static let bundleID = "com.example.reader"
  static let monthly = "reader.monthly"
  static let yearly = "reader.yearly"
  static let premium = "reader.premium"
  static let products = ProductMap([
    monthly: Plan(tier: .standard, cycle: .month),
    yearly: Plan(tier: .standard, cycle: .year),
    premium: Plan(tier: .premium, cycle: .year),
  ])
  static let authority = try? TestAuthority.forReceipts()
  static let start = Date(timeIntervalSince1970: 1_700_000_000)  // 2023-11-14T22:13:20Z

  let store: any PurchaseStore
  let accounts: InMemoryAccountDirectory
  let appStore: AppStoreSimulator
  let service: SubscriptionService

  init(
    store: (any PurchaseStore)? = nil, appStore: AppStoreSimulator? = nil,
    environment: AppStoreEnvironment = .production, options: LinkOptions = LinkOptions(),
    receiptCaches: [any ReceiptStore] = [], products: ProductMap = Self.products,
    report: @escaping @Sendable (ServiceIncident) -> Void = { _ in }
  ) async throws {
    let store = if let store { store } else { try await StoreScope.emptyStore() }
    let appStore =
      try appStore
      ?? AppStoreSimulator(bundleID: Self.bundleID, environment: environment) {
        $0.authority = Self.authority
        $0.start = Self.start
      }
    let accounts = InMemoryAccountDirectory()
    for id in ["alice", "bob", "carol"] { accounts.add(Account(id: AccountID(stored: id))) }
    self.store = store
    self.accounts = accounts
    self.appStore = appStore
    service = try SubscriptionService(
      PurchaseContext(store: store, accounts: accounts, now: { appStore.now }, report: report),
      products: products, appStore: try Self.client(of: appStore), receiptCaches: receiptCaches,
      options: options)
  }

  /// A service on the same store that asks another App Store.
  func service(
    asking other: AppStoreSimulator, options: LinkOptions = LinkOptions(),
    products: ProductMap = Self.products
  ) throws -> SubscriptionService {
    try SubscriptionService(
      PurchaseContext(store: store, accounts: accounts, now: { other.now }), products: products,
      appStore: try Self.client(of: other), options: options)
  }

  static func client(
    of appStore: AppStoreSimulator, through transport: (any HTTPTransport)? = nil
  ) throws -> VerifyReceiptClient {
    var configuration = VerifyReceiptClient.Configuration.subscriptionService
    configuration.retries.attempts = 1
    configuration.clock = appStore.clock
    configuration.now = { appStore.now }
    return try VerifyReceiptClient(
      transport: transport ?? appStore, bundleIDs: [bundleID], sharedSecret: appStore.sharedSecret,
      configuration: configuration)
  }

  var now: Date { appStore.now }

  /// Buys, verifies and keeps; gives the purchase.
  func bought(
    _ product: String = monthly, by customer: String = "customer"
  ) async throws -> TestPurchase {
    let purchase = try appStore.buy(product, by: customer)
    _ = try await service.verify(receipt: purchase.receipt)
    return purchase
  }

  /// Buys, verifies, keeps and links with alice; gives the purchase.
  func linked(_ product: String = monthly) async throws -> TestPurchase {
    let purchase = try await bought(product)
    _ = try await service.link("alice", to: purchase.originalTransactionID)
    return purchase
  }

  /// Sends the newest receipt of a customer, as an app does.
  func verify(_ customer: String = "customer") async throws {
    _ = try await service.verify(receipt: appStore.receipt(of: customer))
  }

  func membership(of primaryID: String) async throws -> Membership? {
    let account = Account(id: AccountID(stored: primaryID))
    return try await store.read { records in
      try await records.memberships.find(account: account, appleSubscriptionIDs: []).first
    }
  }

  func history(of id: String) async throws -> [MembershipEvent] {
    try await store.read { records in
      try await records.memberships.history(of: .subscription(id), limit: 100)
    }
  }

  /// The messages in the outbox, oldest first; they are leased for a second of the scene's time.
  func messages() async throws -> [OutboxMessage] {
    let now = now
    return try await store.write { records in
      try await records.outbox.lease(
        limit: 100, now: now, until: now, token: "test"
      ).map(\.message)
    }
  }
}

/// What a call throws, if it throws a failure of the service.
func failure(
  _ body: nonisolated(nonsending) () async throws -> Void
) async throws -> SubscriptionFailure? {
  do {
    try await body()
    return nil
  } catch let failure as SubscriptionFailure {
    return failure
  }
}

extension Membership {
  /// As a snapshot has it, which has an id of its own.
  var copy: Membership {
    var copy = self
    copy.id = nil
    return copy
  }
}
