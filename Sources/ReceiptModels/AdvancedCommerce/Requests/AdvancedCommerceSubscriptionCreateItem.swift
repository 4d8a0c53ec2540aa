public import JSONValues

/// An item of a new subscription.
///
/// Source: Apple, `advancedCommerceSubscriptionCreateItem`.
public struct AdvancedCommerceSubscriptionCreateItem: FieldModel {
  /// The server's identifier of the item, at most 128 characters.
  public var sku: String = ""
  /// The name that customers see, at most 30 characters.
  public var displayName: String = ""
  /// The description that customers see, at most 45 characters.
  public var description: String = ""
  /// The price, in thousandths of the currency unit.
  public var price: Int = 0
  public var offer: AdvancedCommerceOffer?
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates an item without an offer.
  public init(sku: String, displayName: String, description: String, price: Int) {
    self.sku = sku
    self.displayName = displayName
    self.description = description
    self.price = price
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("SKU", &sku)
    try coder.required("displayName", &displayName)
    try coder.required("description", &description)
    try coder.required("price", &price)
    try coder("offer", &offer)
  }
}

/// An item to add to a subscription.
///
/// Source: Apple, `advancedCommerceSubscriptionModifyAddItem`.
public struct AdvancedCommerceSubscriptionAddItem: FieldModel {
  /// The server's identifier of the item, at most 128 characters.
  public var sku: String = ""
  /// The name that customers see, at most 30 characters.
  public var displayName: String = ""
  /// The description that customers see, at most 45 characters.
  public var description: String = ""
  /// The price, in thousandths of the currency unit.
  public var price: Int = 0
  public var offer: AdvancedCommerceOffer?
  /// The price for the rest of the current period, in thousandths of the currency unit.
  public var proratedPrice: Int?
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates an item without an offer.
  public init(sku: String, displayName: String, description: String, price: Int) {
    self.sku = sku
    self.displayName = displayName
    self.description = description
    self.price = price
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("SKU", &sku)
    try coder.required("displayName", &displayName)
    try coder.required("description", &description)
    try coder.required("price", &price)
    try coder("offer", &offer)
    try coder("proratedPrice", &proratedPrice)
  }
}
