internal import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A statement of the products that a user may use in an app, for a device without a network.
///
/// ```swift
/// let statement = try EntitlementStatement(of: entitlements, for: "u-1", fitting: 610)
/// statement.json.serialized  // {"ask":1777389780,"aud":"com.example.draw",…}
/// ```
///
/// It says the same as the ``Entitlements``, at their moment; whoever signs its ``json`` vouches for it. While it
/// counts, all that it lists counts: it is over before anything in it ends. Nothing takes it back. A refund ends what
/// it lists no later than ``endDate``. Source: entitlement rules, section 10.1.
public struct EntitlementStatement: Hashable, Sendable {
  /// A product that the statement lists.
  public struct Product: Hashable, Sendable {
    public let productID: String
    /// The end, in whole seconds rounded down; nil for a product that was bought for good.
    public let endDate: Date?
  }

  public let userID: AccountID
  public let bundleID: String
  /// The environments in which the products that it lists were bought, in ascending order of their bytes; none for a
  /// statement that lists nothing.
  public let environments: [AppStoreEnvironment]
  /// The active subscription; nil if there is none, or if not even that fitted.
  public let subscription: Product?
  /// The allowed products, in ascending order of their bytes.
  public let products: [Product]
  /// Whether everything that the user may use fitted.
  public let isComplete: Bool
  /// The moment of the statement, by the clock of the server.
  public let madeDate: Date
  /// The end of the statement, in whole seconds rounded down: its life, the earliest of the ends that it lists, or the
  /// moment from which the subscription is suspended if nobody learns its state.
  public let endDate: Date
  /// The moment from which a device that has a network asks again, in whole seconds rounded down.
  public let refreshDate: Date

  /// Creates the statement of what a user may use, with as much of it as fits: the subscription first, then the
  /// products in their order, up to the first that does not fit.
  ///
  /// - Parameters:
  ///   - entitlements: The answer of the rules, whose moment is that of the statement.
  ///   - userID: The user; that the answer is about this user is *not* checked.
  ///   - limit: The maximum number of bytes of the JSON form.
  ///   - options: The life of the statement.
  /// - Throws: ``StatementFailure/tooLarge`` if not even an empty one fits.
  public init(
    of entitlements: Entitlements, for userID: AccountID, fitting limit: Int,
    options: StatementOptions = .standard
  ) throws(StatementFailure) {
    let items = entitlements.listed
    var best: EntitlementStatement?
    for count in 0...items.count {
      let statement = EntitlementStatement(
        listing: items.prefix(count), isComplete: count == items.count, of: entitlements,
        for: userID, options: options)
      guard statement.json.serialized.count <= limit else { break }
      best = statement
    }
    guard let best else { throw .tooLarge }
    self = best
  }

  private init(
    listing items: ArraySlice<ListedItem>, isComplete: Bool, of entitlements: Entitlements,
    for userID: AccountID, options: StatementOptions
  ) {
    self.userID = userID
    bundleID = entitlements.bundleID
    self.isComplete = isComplete
    environments = Set(items.map { UniqueText($0.environment.rawValue) }).sorted()
      .map { AppStoreEnvironment(rawValue: $0.text) }
    subscription = items.first { $0.isSubscription }?.product
    products = items.filter { !$0.isSubscription }.map(\.product)
    madeDate = entitlements.date
    // All that has an end rests on the subscription that counts.
    let suspension =
      items.contains { $0.product.endDate != nil } ? entitlements.subscription?.suspensionDate : nil
    let end = (items.compactMap(\.product.endDate) + [suspension].compactMap(\.self))
      .reduce(madeDate + options.life.timeInterval, min)
    endDate = end.wholeSeconds
    refreshDate = min(madeDate + options.refresh.timeInterval, end).wholeSeconds
  }
}

/// A reason why there is no statement.
@nonexhaustive
public enum StatementFailure: Error, Hashable, Sendable {
  /// The identifiers of the user and the app leave no room for anything else.
  case tooLarge
}

/// A subscription or a product to be listed.
private struct ListedItem {
  let isSubscription: Bool
  let product: EntitlementStatement.Product
  let environment: AppStoreEnvironment
}

extension Entitlements {
  /// The subscription, if it is active, and the allowed products.
  fileprivate var listed: [ListedItem] {
    var items: [ListedItem] = []
    if isSubscriber, let subscription {
      items.append(
        ListedItem(
          isSubscription: true,
          product: .init(
            productID: subscription.subscription.productID,
            endDate: subscription.accessEndDate.wholeSeconds),
          environment: subscription.subscription.environment))
    }
    return items
      + allowances.map { allowance in
        ListedItem(
          isSubscription: false,
          product: .init(
            productID: allowance.productID, endDate: allowance.endDate?.wholeSeconds),
          environment: allowance.environment)
      }
  }
}

extension Date {
  /// The date without the fraction of its second, which is no later.
  fileprivate var wholeSeconds: Date {
    Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down))
  }
}
