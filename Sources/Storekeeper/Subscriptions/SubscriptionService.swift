public import LinkPolicy
public import PurchaseStorage
public import ReceiptModels
public import ReceiptVerifier

/// A service that records subscriptions and decides which account owns each of them.
///
/// ```swift
/// let shop = PurchaseContext(
///   store: try await SQLiteStore(path: "purchases.sqlite"), accounts: users)
/// let subscriptions = try SubscriptionService(
///   shop, products: ["reader.monthly": Plan("standard", every: .month)])
///
/// let transaction = try verifier.transaction(signedTransactionInfo)
/// let membership = try await subscriptions.link("alice", to: transaction)
/// let mayRead = try await subscriptions.membership(of: "alice")?.grantsAccess(at: Date()) ?? false
/// ```
///
/// Each request is one transaction of the store: all of its changes are committed before the call returns, or none
/// are. Any number of requests, services and processes may share a store. The host checks whether the caller is
/// authorized. Sandbox purchases are recorded, but change a membership only if `LinkOptions.allowedEnvironments`
/// contains the Sandbox. Source: linking rules.
public struct SubscriptionService: PurchaseService {
  public let context: PurchaseContext
  /// The client of verifyReceipt, or nil if the host accepts no receipts.
  public let appStore: VerifyReceiptClient?
  /// The products that grant a membership.
  public let products: ProductMap
  /// The caches of receipts before the database, in the order in which they are read.
  public let receiptCaches: [any ReceiptStore]
  public var options: LinkOptions
  /// The sources of the present state of a purchase, in the order in which they are asked: those of the
  /// context, then the stored receipts.
  public let sources: [any PurchaseSource]

  /// Creates a service.
  ///
  /// The client of verifyReceipt is configured as `.subscriptionService` or stricter; without one no receipts are
  /// accepted, and with one stored receipts are the last source.
  ///
  /// - Throws: ``ServiceFailure/capabilityMissing(_:)`` if the database has no subscriptions.
  public init(
    _ context: PurchaseContext, products: ProductMap, appStore: VerifyReceiptClient? = nil,
    receiptCaches: [any ReceiptStore] = [], options: LinkOptions = LinkOptions()
  ) throws(ServiceFailure) {
    try context.require(.subscriptions)
    self.context = context
    self.appStore = appStore
    self.products = products
    self.receiptCaches = receiptCaches
    self.options = options
    let tiers = ReceiptTiers(
      store: context.store, caches: receiptCaches, report: context.tell)
    let stored = appStore.map {
      StoredReceiptSource(
        tiers: tiers,
        evidence: EvidenceVerifier(
          appStore: $0, extent: .subscriptions, telemetry: context.telemetry))
    }
    sources = context.sources + (stored.map { [$0] } ?? [])
  }

  var tiers: ReceiptTiers {
    ReceiptTiers(store: store, caches: receiptCaches, report: context.tell)
  }
}
