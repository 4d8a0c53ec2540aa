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
/// let subscriptions = try SubscriptionService(
///   store: try await SQLiteStore(path: "purchases.sqlite"), accounts: users,
///   products: ["reader.monthly": Plan("standard", every: .month)])
///
/// let transaction = try verifier.transaction(signedTransactionInfo)
/// let membership = try await subscriptions.link("alice", to: transaction)
/// let mayRead = try await subscriptions.membership(of: "alice")?.grantsAccess(at: Date()) ?? false
/// ```
///
/// Each request is one transaction of the store: all of its changes are committed before the call
/// returns, or none are. Any number of requests, services and processes may share a store. The host
/// checks whether the caller is authorized. Sandbox purchases are recorded, but change a membership
/// only if `LinkOptions.allowedEnvironments` contains the Sandbox.
///
/// Source: linking rules.
public struct SubscriptionService: Sendable {
  /// The store of all records.
  public let store: any SubscriptionStore
  /// The host's accounts.
  public let accounts: any AccountDirectory
  /// The client of verifyReceipt, or nil if the host accepts no receipts.
  public let appStore: VerifyReceiptClient?
  /// The products that grant a membership.
  public let products: ProductMap
  /// The caches of receipts before the database, in the order in which they are read.
  public let receiptCaches: [any ReceiptStore]
  /// The settings of the policy.
  public var options: LinkOptions
  /// The sources of the present state of a purchase, in the order in which they are asked.
  public let sources: [any PurchaseSource]

  let now: @Sendable () -> Date
  /// Reports a problem to the host's log.
  package let report: @Sendable (ServiceIncident) -> Void

  /// Creates a service on a store that has the records of subscriptions.
  ///
  /// - Parameters:
  ///   - store: The store of all records.
  ///   - accounts: The host's accounts.
  ///   - appStore: The client of verifyReceipt, configured as `.subscriptionService` or stricter;
  ///     nil to accept no receipts. With a client, stored receipts are the last source.
  ///   - sources: Further sources of the present state of a purchase.
  ///   - products: The products that grant a membership.
  ///   - receiptCaches: The caches of receipts before the database.
  ///   - options: The settings of the policy.
  ///   - now: Returns the current time; called once for each request.
  ///   - report: Receives problems, for the host's log; by default
  ///     ``ServiceIncident/toStandardError``.
  /// - Throws: `StorageFailure.capabilityMissing` if the database has not what the service needs.
  public init<Store: PurchaseStore>(
    store: Store, accounts: any AccountDirectory, appStore: VerifyReceiptClient? = nil,
    sources: [any PurchaseSource] = [], products: ProductMap,
    receiptCaches: [any ReceiptStore] = [], options: LinkOptions = LinkOptions(),
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = ServiceIncident.toStandardError
  ) throws(StorageFailure) where Store.Records: SubscriptionRecords {
    try self.init(
      store: store.forSubscriptions, accounts: accounts, appStore: appStore, sources: sources,
      products: products, receiptCaches: receiptCaches, options: options, now: now, report: report)
  }

  /// Creates a service on a store with exactly the records that it uses.
  ///
  /// - Parameters:
  ///   - store: The store of all records.
  ///   - accounts: The host's accounts.
  ///   - appStore: The client of verifyReceipt, configured as `.subscriptionService` or stricter;
  ///     nil to accept no receipts. With a client, stored receipts are the last source.
  ///   - sources: Further sources of the present state of a purchase.
  ///   - products: The products that grant a membership.
  ///   - receiptCaches: The caches of receipts before the database.
  ///   - options: The settings of the policy.
  ///   - now: Returns the current time; called once for each request.
  ///   - report: Receives problems, for the host's log; by default
  ///     ``ServiceIncident/toStandardError``.
  /// - Throws: `StorageFailure.capabilityMissing` if the database has not what the service needs.
  public init(
    store: any SubscriptionStore, accounts: any AccountDirectory,
    appStore: VerifyReceiptClient? = nil,
    sources: [any PurchaseSource] = [], products: ProductMap,
    receiptCaches: [any ReceiptStore] = [], options: LinkOptions = LinkOptions(),
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = ServiceIncident.toStandardError
  ) throws(StorageFailure) {
    try store.require(.subscriptions)
    self.store = store
    self.accounts = accounts
    self.appStore = appStore
    self.products = products
    self.receiptCaches = receiptCaches
    self.options = options
    self.now = now
    self.report = report
    let tiers = ReceiptTiers(
      store: store.narrowed { $0 }, caches: receiptCaches, report: report)
    let stored = appStore.map {
      StoredReceiptSource(tiers: tiers, client: $0) { receipt, _ throws(SubscriptionFailure) in
        try PurchaseFacts(receipt)
      }
    }
    self.sources = sources + (stored.map { [$0] } ?? [])
  }

  var tiers: ReceiptTiers {
    ReceiptTiers(store: store.narrowed { $0 }, caches: receiptCaches, report: report)
  }
}
