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
