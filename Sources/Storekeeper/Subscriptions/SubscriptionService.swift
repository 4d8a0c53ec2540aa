public import LinkPolicy
public import PurchaseStorage
public import ReceiptModels
public import ReceiptVerifier

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Verifies receipts, keeps what Apple says, and decides which account has which subscription.
///
/// ```swift
/// let subscriptions = SubscriptionService(
///   store: try await SQLiteStore(path: "purchases.sqlite"), accounts: accounts,
///   appStore: client, products: products)
/// let subscription = try await subscriptions.subscription(receipt: text)
/// let membership = try await subscriptions.link(
///   account: "748bc0c8-f778-4616-8dff-7f4a8f4dd411", to: subscription.originalTransactionID)
/// ```
///
/// Every request is one transaction of the store: all that follows from it is kept before it
/// returns, or nothing is. Any number of requests, services and processes may share a store. Who may
/// ask is for the host to check. Purchases of the Sandbox are kept; whether they may change a
/// membership, `LinkOptions.allowedEnvironments` says.
///
/// Source: contract on linking.
public struct SubscriptionService: Sendable {
  /// Where everything is kept.
  public let store: any SubscriptionStore
  /// The host's accounts.
  public let accounts: any AccountDirectory
  /// What asks Apple.
  public let appStore: VerifyReceiptClient
  /// Which products are memberships.
  public let products: ProductMap
  /// Caches of receipts before the database, in the order in which they are asked.
  public let receiptCaches: [any ReceiptStore]
  /// The settings of the policy; its contract is chosen by the method that is called.
  public let options: LinkOptions

  let now: @Sendable () -> Date
  let report: @Sendable (ServiceIncident) -> Void

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - store: A store with the records of subscriptions.
  ///   - accounts: The host's accounts.
  ///   - appStore: The client of the App Store, configured as `.subscriptionService` or stricter.
  ///   - products: The products that are memberships.
  ///   - receiptCaches: Caches of receipts before the database.
  ///   - options: The settings of the policy.
  ///   - now: The time of day; asked once a request.
  ///   - report: Receives transient failures that fail no request; for logs.
  public init<Store: PurchaseStore>(
    store: Store, accounts: any AccountDirectory, appStore: VerifyReceiptClient,
    products: ProductMap, receiptCaches: [any ReceiptStore] = [],
    options: LinkOptions = LinkOptions(), now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = { _ in }
  ) where Store.Records: SubscriptionRecords {
    self.init(
      store: store.forSubscriptions, accounts: accounts, appStore: appStore, products: products,
      receiptCaches: receiptCaches, options: options, now: now, report: report)
  }

  /// Creates a service on a store of exactly the records that it uses.
  ///
  /// - Parameters:
  ///   - store: Where everything is kept.
  ///   - accounts: The host's accounts.
  ///   - appStore: What asks Apple, configured as `.subscriptionService` or stricter.
  ///   - products: Which products are memberships.
  ///   - receiptCaches: Caches of receipts before the database.
  ///   - options: The settings of the policy.
  ///   - now: The time of day; asked once a request.
  ///   - report: What to do with trouble that fails no request; for logs.
  public init(
    store: any SubscriptionStore, accounts: any AccountDirectory, appStore: VerifyReceiptClient,
    products: ProductMap, receiptCaches: [any ReceiptStore] = [],
    options: LinkOptions = LinkOptions(), now: @escaping @Sendable () -> Date = { Date() },
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
  }

  func options(under contract: LinkContract) -> LinkOptions {
    var options = options
    options.contract = contract
    return options
  }
}

/// Trouble that fails no request, for the host's log.
///
/// No receipt and no identifier is in it, but for the errors, whose words are those of the host's
/// caches and handlers.
public enum ServiceIncident: Error, Sendable {
  /// A cache of receipts could not be read.
  case receiptCacheUnreadable(any Error)
  /// A cache of receipts could not be written; the stale entry was removed, if that went well.
  case receiptCacheUnwritable(any Error)
  /// The receipt of a cache was refused as malformed or not authentic, and another one is stored behind
  /// it: the cache's was removed, the other one is asked about.
  case receiptCacheRefused
  /// A message could not be delivered, and will be tried again.
  case deliveryFailed(any Error)
  /// A notification of version 2 is authentic, but not as the models have it: the path of the field.
  /// It was kept, and waits for ``NotificationService/decodeKept(limit:)`` of a later version.
  case notificationNotDecoded(String)
  /// A refresh failed and will be tried again, for this short reason.
  case refreshFailed(String)
  /// A stored membership has a value in this field that nobody knows: it is kept as it is, counts as
  /// valid where it is the last day, and clients are told null.
  case unknownValue(Membership.Field)
}
