internal import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The products and subscriptions that a user bought in one app, derived from Apple's transactions.
///
/// Source: entitlement rules, sections 4, 5.1 and 5.3.
public struct AppPurchases: Hashable, Sendable {
  public let bundleID: String
  /// The purchased products, each once in an environment, in ascending order of their bytes.
  ///
  /// These are the non-consumable products, and the non-renewing subscriptions without a duration, with a
  /// purchase that was not revoked.
  public let products: [PurchasedProduct]
  /// The subscriptions, one for each original transaction and environment, at Google Play one for each item of a
  /// purchase; non-renewing ones are one for each product and environment.
  public let subscriptions: [SubscriptionCandidate]

  /// Creates the purchases of an app.
  public init(
    bundleID: String, products: [PurchasedProduct], subscriptions: [SubscriptionCandidate] = []
  ) {
    self.bundleID = bundleID
    self.products = products.uniqueInOrder
    self.subscriptions = subscriptions
  }

  /// Creates the purchases of an app, whose products were bought in Production.
  public init(
    bundleID: String, productIDs: [String] = [], subscriptions: [SubscriptionCandidate] = []
  ) {
    self.init(
      bundleID: bundleID, products: productIDs.map { PurchasedProduct(productID: $0) },
      subscriptions: subscriptions)
  }

  /// Creates the purchases that follow from stored transactions, in any order.
  ///
  /// An auto-renewable subscription without a readable expiry is left out. Where Apple does not name the
  /// type of a product, as in an answer of verifyReceipt, a duration shows that it is a non-renewing
  /// subscription, and otherwise the catalogue tells; a product that is not in it counts as non-consumable.
  /// `transactions` are the user's in this app, each with its environment. `catalog` is nil if the products of
  /// the app are not known. `unanswered` are purchases whose present state could not be learned.
  ///
  /// Source: linking rules, section 4.7, for the charge of a subscription that counts.
  public init(
    bundleID: String, transactions: [PurchaseRecord], renewals: [RenewalRecord] = [],
    catalog: ProductCatalog? = nil, durations: SubscriptionDurations = SubscriptionDurations(),
    unanswered: [UnansweredPurchase] = []
  ) {
    let failures = FirstFailures(unanswered)
    var products: [PurchasedProduct] = []
    var periods: [PurchaseRecord] = []
    var terms: [PurchaseRecord] = []
    for record in transactions {
      switch record.kind(in: catalog, durations) {
      // One without a readable end may still supersede another.
      case .renewable, .unreadable: periods.append(record)
      case .nonRenewing where durations[record.productID] != nil: terms.append(record)
      case .permanent, .nonRenewing:
        guard !record.isCancelled, let environment = record.environment else { continue }
        products.append(PurchasedProduct(productID: record.productID, environment: environment))
      case .consumable: break
      }
    }
    let histories =
      periods.isEmpty
      ? [] : PurchaseHistory.histories(of: periods, renewals: renewals, knowledge: .remote)
    var subscriptions: [SubscriptionCandidate] = []
    func add(_ charges: [PurchaseRecord], of history: PurchaseHistory) {
      let item = SubscriptionCandidate(charges, of: history, in: bundleID, failures: failures)
      if let item { subscriptions.append(item) }
    }
    for history in histories {
      if history.latest.vendor == .google {
        for charges in history.items { add(charges, of: history) }
      } else {
        add(history.transactions, of: history)
      }
    }
    subscriptions += SubscriptionCandidate.chains(
      of: terms, lasting: durations, in: bundleID, failures: failures)
    self.init(bundleID: bundleID, products: products, subscriptions: subscriptions)
  }
}

/// The dates since which the states of purchases could not be learned.
private struct FirstFailures {
  private struct Key: Hashable {
    let originalTransactionID: String
    let environment: AppStoreEnvironment?
  }

  private let dates: [Key: Date]

  init(_ unanswered: [UnansweredPurchase]) {
    dates = Dictionary(
      unanswered.map {
        (
          Key(originalTransactionID: $0.originalTransactionID, environment: $0.environment),
          $0.firstFailureDate
        )
      }, uniquingKeysWith: min)
  }

  subscript(id: String, environment: AppStoreEnvironment?) -> Date? {
    dates.isEmpty ? nil : dates[Key(originalTransactionID: id, environment: environment)]
  }

  /// The date since which nothing of a chain is known; nil if the state of one of its links is.
  func date(of chain: [PurchaseRecord]) -> Date? {
    var latest: Date?
    for record in chain {
      guard let date = self[record.originalTransactionID, record.environment] else { return nil }
      latest = max(latest ?? date, date)
    }
    return latest
  }
}

extension AppPurchases {
  /// The purchased products of all environments, each once, in ascending order of their bytes.
  public var productIDs: [String] { products.productIDs }

  /// Returns the purchased products that count, each once, in ascending order of their bytes.
  func productIDs(in environments: CountedEnvironments) -> [String] {
    products.filter { environments.count($0.environment, for: nil) }.productIDs
  }
}

/// The part that a transaction plays for entitlements.
private enum PurchaseKind {
  case renewable, nonRenewing, permanent, consumable
  /// A subscription without a readable expiry.
  case unreadable
}

extension PurchaseRecord {
  fileprivate func kind(
    in catalog: ProductCatalog?, _ durations: SubscriptionDurations
  ) -> PurchaseKind {
    if expiresDate?.readable != nil { return .renewable }
    if hasUnreadableExpiry { return .unreadable }
    switch productType {
    case .consumable?: return .consumable
    case .nonRenewingSubscription?: return .nonRenewing
    case .autoRenewableSubscription?: return .unreadable
    case .nonConsumable?: return .permanent
    default: break
    }
    if durations[productID] != nil { return .nonRenewing }
    switch catalog?[productID]?.type {
    case .consumable?: return .consumable
    case .nonRenewingSubscription?: return .nonRenewing
    case .renewableSubscription?: return .unreadable
    case .nonConsumable?, nil: return .permanent
    }
  }
}

extension PurchaseHistory {
  /// The charges of each product, which renew and end together at Google Play, where one token stands for all items of a
  /// purchase.
  fileprivate var items: [[PurchaseRecord]] {
    Dictionary(grouping: transactions) { UniqueText($0.productID) }
      .sorted { $0.key < $1.key }.map(\.value)
  }
}

extension SubscriptionCandidate {
  /// Creates the candidate of charges in a history, or nil if only upgraded ones are known.
  fileprivate init?(
    _ charges: [PurchaseRecord], of history: PurchaseHistory, in bundleID: String,
    failures: FirstFailures
  ) {
    let periods = PaidPeriods(charges) { $0.expiresDate?.readable }
    guard let period = periods.kept ?? periods.cancelled, let environment = history.environment
    else { return nil }
    let record = period.record
    self.init(
      bundleID: bundleID, productID: record.productID, environment: environment,
      originalTransactionID: history.originalTransactionID,
      lastPurchaseDate: record.start(before: period.end), expiresDate: period.end,
      gracePeriodExpiresDate: history.gracePeriodEnd(after: periods),
      cancellationDate: period.standing == .cancelled
        ? record.cancellation(before: period.end) : nil,
      // After a refund of the newest charge nothing renews, so that no grace follows the older one.
      isRenewable: periods.newest?.standing != .cancelled,
      firstFailureDate: failures[history.originalTransactionID, environment])
  }

  /// Returns the candidates of non-renewing subscriptions, one for each product and environment.
  ///
  /// Each purchase begins at its date, or at the end of the one before if that is later. Revoked purchases
  /// count only if no other is left.
  fileprivate static func chains(
    of records: [PurchaseRecord], lasting durations: SubscriptionDurations, in bundleID: String,
    failures: FirstFailures
  ) -> [SubscriptionCandidate] {
    var groups: [ChainKey: [PurchaseRecord]] = [:]
    for record in records { groups[ChainKey(record), default: []].append(record) }
    return groups.values.compactMap { group in
      let kept = group.filter { !$0.isCancelled }
      let chain = (kept.isEmpty ? group : kept).map { ($0.start(before: .distantPast), $0) }
        .sorted { one, other in
          one.0 == other.0
            ? TransactionIDs.areInOrder(one.1.transactionID, other.1.transactionID)
            : one.0 < other.0
        }
      guard let first = chain.first, let last = chain.last, let environment = first.1.environment,
        let duration = durations[first.1.productID]
      else { return nil }
      let end = chain.reduce(Date.distantPast) { end, link in
        max(end, link.0) + duration.timeInterval
      }
      return SubscriptionCandidate(
        bundleID: bundleID, productID: first.1.productID, environment: environment,
        originalTransactionID: first.1.originalTransactionID, lastPurchaseDate: last.0,
        expiresDate: end,
        cancellationDate: kept.isEmpty ? chain.map { $0.1.cancellation(before: end) }.max() : nil,
        isRenewable: false, firstFailureDate: failures.date(of: chain.map(\.1)))
    }
  }
}

/// The product and the environment of a chain of non-renewing subscriptions.
private struct ChainKey: Hashable {
  let product: UniqueText
  let environment: AppStoreEnvironment?

  init(_ record: PurchaseRecord) {
    product = UniqueText(record.productID)
    environment = record.environment
  }
}

extension PurchaseRecord {
  /// Returns the date of the cancellation, or that of the purchase if it is unreadable.
  fileprivate func cancellation(before end: Date) -> Date {
    cancellationDate?.readable ?? start(before: end)
  }
}
