/// The way to a product, which a client is told; nothing is paid or stored by it.
///
/// Source: entitlement rules, section 5.4.
public enum PurchaseRoute: Hashable, Sendable {
  /// The client buys the product in the App Store.
  case storePurchase
  /// The client asks to acquire the product, which costs nothing.
  case acquire
  /// The product can't be had now.
  case refused(Refusal)

  /// The reason why a product can't be had.
  @nonexhaustive
  public enum Refusal: String, Error, Hashable, Sendable, CaseIterable {
    case unknownProduct = "unknown_product"
    /// Subscriptions and consumable products for subscribers only can't be had at all.
    case neverSold = "never_sold"
    /// The product is for subscribers, and the user has no active subscription.
    case notSubscriber = "not_subscriber"
    /// The product is for subscribers, and the user's subscription does not unlock it.
    case notUnlocked = "not_unlocked"
  }
}

extension Entitlements {
  /// Returns the way to a product.
  public func purchaseRoute(of productID: String) -> PurchaseRoute {
    guard let product = catalog[productID] else { return .refused(.unknownProduct) }
    guard product.isUnlockable else {
      return product.isSubscribersOnly ? .refused(.neverSold) : .storePurchase
    }
    if isUnlocked(product) { return .acquire }
    guard product.isSubscribersOnly else { return .storePurchase }
    return .refused(isSubscriber ? .notUnlocked : .notSubscriber)
  }
}

/// The products that a subscription unlocks, of those in an app's catalogue.
///
/// Source: entitlement rules, section 5.2.
struct Unlocking {
  /// The entries of the subscription; nil for everything.
  let rule: UnlockRule?

  /// Whether a product is unlocked; subscriptions and consumable products never are.
  func unlocks(_ product: CatalogProduct) -> Bool {
    product.isUnlockable && (rule?.unlocks(product.identifier) ?? true)
  }
}

extension ProductCatalog {
  /// Returns what a subscription unlocks; one that is not listed unlocks everything.
  func unlocking(by productID: String) -> Unlocking {
    Unlocking(rule: self[productID]?.unlocks)
  }
}
