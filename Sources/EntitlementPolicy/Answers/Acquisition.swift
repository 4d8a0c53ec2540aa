internal import JSONValues

/// The decision about a request to acquire products through a subscription.
///
/// Source: entitlement rules, section 5.4.
public enum Acquisition: Hashable, Sendable {
  /// These products are to be stored as acquired through a subscription; there may be none.
  case acquire([String], via: String)
  case alreadyHeld
  case refused(Refusal)

  /// The reason why a product can't be acquired.
  @nonexhaustive
  public enum Refusal: String, Error, Hashable, Sendable, CaseIterable {
    case unknownProduct = "unknown_product"
    /// Subscriptions and consumable products are never acquired.
    case notAcquirable = "not_acquirable"
    case notSubscriber = "not_subscriber"
    case notUnlocked = "not_unlocked"
  }
}

extension Entitlements {
  /// Decides about a request to acquire a product.
  public func acquisition(of productID: String) -> Acquisition {
    guard let product = catalog[productID] else { return .refused(.unknownProduct) }
    guard product.isUnlockable else { return .refused(.notAcquirable) }
    guard !has(productID) else { return .alreadyHeld }
    guard isSubscriber, let subscription else { return .refused(.notSubscriber) }
    guard isUnlocked(product) else { return .refused(.notUnlocked) }
    return .acquire([productID], via: subscription.subscription.productID)
  }

  /// Decides about a request to acquire every product that the subscription unlocks.
  ///
  /// Products that the user bought are acquired too; those acquired before are not named again.
  public func acquisitionOfAll() -> Acquisition {
    guard isSubscriber, let subscription else { return .refused(.notSubscriber) }
    let acquired = Set(acquiredProducts.map(UniqueText.init))
    let products = catalog.products.lazy.filter(isUnlocked).map(\.identifier)
      .filter { !acquired.contains(UniqueText($0)) }
    return .acquire(
      Array(products).uniqueInOrderOfBytes, via: subscription.subscription.productID)
  }

  private func has(_ productID: String) -> Bool {
    acquiredProducts.hasText(productID) || purchasedProducts.hasText(productID)
  }
}

extension [String] {
  fileprivate func hasText(_ text: String) -> Bool {
    contains { $0.isSameText(as: text) }
  }
}
