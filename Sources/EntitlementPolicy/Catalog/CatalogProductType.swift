/// The type of a product in a product list.
///
/// The raw values are the words of the list, which are not Apple's.
///
/// Source: entitlement rules, section 1.
public enum CatalogProductType: String, Hashable, Sendable, CaseIterable {
  case nonConsumable
  case consumable
  case renewableSubscription
  /// A subscription for a period that Apple does not know.
  case nonRenewingSubscription

  public var isSubscription: Bool {
    switch self {
    case .renewableSubscription, .nonRenewingSubscription: true
    case .nonConsumable, .consumable: false
    }
  }

  /// Whether a subscription can unlock products of this type, which are neither subscriptions nor consumable.
  ///
  /// Source: entitlement rules, section 5.2.
  public var isUnlockable: Bool { self == .nonConsumable }
}
