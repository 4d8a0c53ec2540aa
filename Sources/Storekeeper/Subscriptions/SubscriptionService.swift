public import LinkPolicy
public import PurchaseStorage
public import ReceiptModels
public import ReceiptVerifier

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A service that records subscriptions and decides which account owns each of them.
///
/// ```swift
/// let subscriptions = SubscriptionService(
///   store: try await SQLiteStore(path: "purchases.sqlite"), accounts: users,
///   products: ["reader.monthly": Plan("standard", every: .month)])
///
/// let transaction = try verifier.transaction(signedTransactionInfo)
/// let membership = try await subscriptions.link("alice", to: transaction)
/// let mayRead = try await subscriptions.membership(of: "alice")?.isValid(at: Date()) ?? false
/// ```
///
/// Every request is one transaction of the store: everything that follows from it is kept before the
/// call returns, or nothing is. Any number of requests, services and processes may share a store.
/// Whether the caller may ask is for the host to check. Purchases of the Sandbox are kept; they change
/// a membership only if `LinkOptions.allowedEnvironments` has the Sandbox.
///
/// Source: linking rules.
public struct SubscriptionService: Sendable {
  /// The store of everything that is kept.
  public let store: any SubscriptionStore
  /// The host's accounts.
  public let accounts: any AccountDirectory
  /// The client of verifyReceipt, or nil if the host takes no receipts.
  public let appStore: VerifyReceiptClient?
  /// The products that grant a membership.
  public let products: ProductMap
  /// The caches of receipts before the database, in the order in which they are asked.
  public let receiptCaches: [any ReceiptStore]
  /// The settings of the policy.
  public var options: LinkOptions
  /// The sources that can tell the present state of a purchase, in the order in which they are asked.
  public let sources: [any PurchaseSource]

  let now: @Sendable () -> Date
  /// Reports a problem to the host's log.
  package let report: @Sendable (ServiceIncident) -> Void

  /// Creates a service on a store that has the records of subscriptions.
  ///
  /// - Parameters:
  ///   - store: The store of everything that is kept.
  ///   - accounts: The host's accounts.
  ///   - appStore: The client of verifyReceipt, configured as `.subscriptionService` or stricter; nil
  ///     to take no receipts. With a client, stored receipts are the last source.
  ///   - sources: Further sources of the present state of a purchase.
  ///   - products: The products that grant a membership.
  ///   - receiptCaches: The caches of receipts before the database.
  ///   - options: The settings of the policy.
  ///   - now: The present moment; asked once for each request.
  ///   - report: A function that writes problems to the host's log.
  public init<Store: PurchaseStore>(
    store: Store, accounts: any AccountDirectory, appStore: VerifyReceiptClient? = nil,
    sources: [any PurchaseSource] = [], products: ProductMap,
    receiptCaches: [any ReceiptStore] = [], options: LinkOptions = LinkOptions(),
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = { _ in }
  ) where Store.Records: SubscriptionRecords {
    self.init(
      store: store.forSubscriptions, accounts: accounts, appStore: appStore, sources: sources,
      products: products, receiptCaches: receiptCaches, options: options, now: now, report: report)
  }

  /// Creates a service on a store of exactly the records that it uses.
  ///
  /// - Parameters:
  ///   - store: The store of everything that is kept.
  ///   - accounts: The host's accounts.
  ///   - appStore: The client of verifyReceipt, configured as `.subscriptionService` or stricter; nil
  ///     to take no receipts. With a client, stored receipts are the last source.
  ///   - sources: Further sources of the present state of a purchase.
  ///   - products: The products that grant a membership.
  ///   - receiptCaches: The caches of receipts before the database.
  ///   - options: The settings of the policy.
  ///   - now: The present moment; asked once for each request.
  ///   - report: A function that writes problems to the host's log.
  public init(
    store: any SubscriptionStore, accounts: any AccountDirectory,
    appStore: VerifyReceiptClient? = nil,
    sources: [any PurchaseSource] = [], products: ProductMap,
    receiptCaches: [any ReceiptStore] = [], options: LinkOptions = LinkOptions(),
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = { _ in }
  ) {
    self.store = store
    self.accounts = accounts
    self.appStore = appStore
    self.products = products
    self.receiptCaches = receiptCaches
    self.options = options
    self.now = now
    self.report = report
    let tiers = ReceiptTiers(store: store, caches: receiptCaches, report: report)
    self.sources =
      sources + (appStore.map { [StoredReceiptSource(tiers: tiers, client: $0)] } ?? [])
  }

  var tiers: ReceiptTiers { ReceiptTiers(store: store, caches: receiptCaches, report: report) }
}
