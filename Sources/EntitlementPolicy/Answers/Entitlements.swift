internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The products that a user may use in an app at a moment.
///
/// ```swift
/// let entitlements = Entitlements(of: holdings, catalog: catalog, at: now)
/// entitlements.allowedProducts        // ["com.example.draw.brushes"]
/// ```
///
/// All lists of products have each product once, in ascending order of its bytes. Source:
/// entitlement rules, sections 5 and 6.
public struct Entitlements: Sendable {
  public let bundleID: String
  /// The moment for which this is true.
  public let date: Date
  /// The subscription that counts, active or not; nil if the user has none.
  public let subscription: SubscriptionStanding?
  /// The products that the user bought in an environment that counts, whether they are listed or not.
  public let purchasedProducts: [String]
  /// The products that the user acquired through a subscription, whether they count now or not.
  public let acquiredProducts: [String]
  /// The validation of the app; nil if there was none.
  public let validation: AppValidation?
  /// Whether the state of ``subscription``, or of any purchase of the app, could not be learned.
  public let isStale: Bool
  /// Whether ``subscription``, or every subscription of the app, is inactive because its state could not be
  /// learned for too long.
  public let isSuspended: Bool
  public let catalog: ProductCatalog

  /// Whether ``subscription`` is active at the date.
  public let isSubscriber: Bool
  public let allowedProducts: [String]
  /// The items of ``subscription`` that unlock something now.
  private let items: [UnlockingItem]
  private let purchases: [PurchasedProduct]
  private let environments: CountedEnvironments

  /// Decides what a user may use.
  public init(
    of holdings: Holdings, catalog: ProductCatalog, options: EntitlementOptions = .standard,
    at date: Date
  ) {
    bundleID = holdings.purchases.bundleID
    self.date = date
    self.catalog = catalog
    let standings = holdings.standings(at: date, options: options)
    let chosen = standings.counting(in: bundleID, at: date)
    subscription = chosen
    isSubscriber = chosen?.isActive(at: date) ?? false
    purchases = holdings.purchases.products
    environments = options.environments
    purchasedProducts = holdings.purchases.productIDs(in: options.environments)
    acquiredProducts = holdings.acquired.map(\.productID).uniqueInOrderOfBytes
    validation = holdings.validation(of: bundleID)
    isStale =
      validation?.firstFailureDate != nil || chosen?.subscription.firstFailureDate != nil
    // While one subscription of the app is confirmed, the app is not suspended because of another.
    let isAppSuspended =
      validation?.isSuspended(at: date, options: options) == true
      && holdings.purchases.subscriptions.allSatisfy {
        $0.isSuspended(at: date, options: options)
      }
    isSuspended = chosen?.isSuspended == true || isAppSuspended
    guard let chosen, isSubscriber else {
      allowedProducts = purchasedProducts
      items = []
      return
    }
    var items: [UnlockingItem] = []
    for item in standings
    where item.subscription.isOfSamePurchase(as: chosen.subscription) && item.isActive(at: date) {
      // What is not listed unlocks everything where it is what the user subscribed to, and nothing beside that.
      let id = item.subscription.productID
      guard catalog[id] != nil || id.isSameText(as: chosen.subscription.productID) else { continue }
      items.append(UnlockingItem(standing: item, unlocking: catalog.unlocking(by: id)))
    }
    self.items = items
    allowedProducts = purchasedProducts.merged(
      with: acquiredProducts.filter { id in
        catalog[id].map { product in items.contains { $0.unlocking.unlocks(product) } } ?? false
      })
  }

  /// The bought products that are not in the catalogue.
  public var unknownProducts: [String] { purchasedProducts.filter { catalog[$0] == nil } }

  /// Whether the subscription that counts is not in the catalogue, so that it unlocks everything.
  ///
  /// This is so for a subscription of another app, and otherwise shows that the list lacks a product.
  public var isSubscriptionUnlisted: Bool {
    subscription.map { catalog[$0.subscription.productID] == nil } ?? false
  }

  /// Returns whether an active subscription unlocks a product.
  func isUnlocked(_ product: CatalogProduct) -> Bool {
    items.contains { $0.unlocking.unlocks(product) }
  }

  /// Returns the items of the active subscription that unlock a product.
  func standings(unlocking id: String) -> [SubscriptionStanding] {
    guard let product = catalog[id] else { return [] }
    return items.filter { $0.unlocking.unlocks(product) }.map(\.standing)
  }

  /// The purchases behind ``purchasedProducts``, in the same order.
  var countedPurchases: [PurchasedProduct] {
    purchases.filter { environments.count($0.environment, for: nil) }
  }
}

/// An active item of a subscription, with what it unlocks.
private struct UnlockingItem {
  let standing: SubscriptionStanding
  let unlocking: Unlocking
}

extension Holdings {
  /// Returns the standings of all subscriptions that may count.
  fileprivate func standings(
    at date: Date, options: EntitlementOptions
  ) -> [SubscriptionStanding] {
    var candidates = purchases.subscriptions
    if let multiApp = options.multiApp {
      for app in bundled
      where multiApp.bundledApplicationIDs.contains(where: { $0.isSameText(as: app.bundleID) })
        && !app.bundleID.isSameText(as: purchases.bundleID)
      {
        candidates += app.subscriptions.filter { multiApp.marks($0.productID) }
      }
    }
    return candidates.standings(at: date, options: options)
  }
}

extension [SubscriptionCandidate] {
  fileprivate func standings(
    at date: Date, options: EntitlementOptions
  ) -> [SubscriptionStanding] {
    map { candidate in
      SubscriptionStanding(
        candidate, isSuspended: candidate.isSuspended(at: date, options: options),
        options: options)
    }
  }
}

extension [SubscriptionStanding] {
  /// Returns the one that counts.
  fileprivate func counting(in bundleID: String, at date: Date) -> SubscriptionStanding? {
    self.min { one, other in
      SubscriptionRank(one, in: bundleID, at: date)
        < SubscriptionRank(other, in: bundleID, at: date)
    }
  }
}

/// Whether a user subscribes to an app, for another app or service that asks.
///
/// Neither a marker nor a list of products matters. The asker sees from ``validatedDate`` how old the
/// answer is. Source: entitlement rules, section 6.3.
public struct SubscriberAnswer: Hashable, Sendable {
  public let subscription: SubscriptionStanding?
  public let isSubscriber: Bool
  public let validatedDate: Date?

  /// Creates an answer.
  public init(
    of purchases: AppPurchases, validation: AppValidation?,
    options: EntitlementOptions = .standard, at date: Date
  ) {
    subscription = purchases.subscriptions.standings(at: date, options: options)
      .counting(in: purchases.bundleID, at: date)
    isSubscriber = subscription?.isActive(at: date) ?? false
    validatedDate = validation?.validatedDate
  }
}
