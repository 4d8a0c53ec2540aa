package import JSONValues

/// A product of an expanded product list.
///
/// A discount is a product of its own: a copy of its full-price product under another identifier.
/// Source: entitlement rules, sections 1 and 2.
public struct CatalogProduct: Hashable, Sendable {
  /// The store's identifier, 1 to 255 bytes without white space and control characters.
  public var identifier: String { uniqueIdentifier.text }
  public let type: CatalogProductType
  /// Whether the product is obtained only through a subscription that unlocks it, and never sold.
  public let isSubscribersOnly: Bool
  /// The identifiers of the discounts of this product, or nil if the list names none.
  ///
  /// Ignored repeats are left out, so ``discountOf`` of each is this product.
  public var discountedProducts: [String]? { discounts?.map(\.text) }
  /// The identifier of the full-price product, or nil for a product that is no discount.
  public var discountOf: String? { fullPrice?.text }
  /// The place of the extra content, or nil if there is none.
  public let content: ContentDescriptor?
  /// The rule for what the subscription unlocks, or nil for everything that can be unlocked.
  ///
  /// Nil for products that are no subscriptions, too, for which it has no meaning.
  public let unlocks: UnlockRule?

  /// The identifier, compared byte by byte.
  package let uniqueIdentifier: UniqueText
  /// The identifiers of the discounts, compared byte by byte.
  let discounts: [UniqueText]?
  /// The full-price product, compared byte by byte.
  let fullPrice: UniqueText?

  public var isSubscription: Bool { type.isSubscription }
  /// Whether a subscription can unlock the product, which is neither a subscription nor consumable.
  public var isUnlockable: Bool { type.isUnlockable }

  /// Creates a product, without checks.
  package init(
    identifier: UniqueText, type: CatalogProductType, isSubscribersOnly: Bool = false,
    discounts: [UniqueText]? = nil, fullPrice: UniqueText? = nil,
    content: ContentDescriptor? = nil, unlocks: UnlockRule? = nil
  ) {
    uniqueIdentifier = identifier
    self.type = type
    self.isSubscribersOnly = isSubscribersOnly
    self.discounts = discounts
    self.fullPrice = fullPrice
    self.content = content
    self.unlocks = unlocks
  }
}

/// The type of a product in a product list.
///
/// The raw values are the words of the list, which are not Apple's. Source: entitlement rules,
/// section 1.
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
