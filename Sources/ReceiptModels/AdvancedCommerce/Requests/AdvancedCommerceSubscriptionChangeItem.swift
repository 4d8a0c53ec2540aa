public import JSONValues

/// One item of a subscription that takes the place of another.
///
/// Source: Apple, `advancedCommerceSubscriptionModifyChangeItem`.
public struct AdvancedCommerceSubscriptionChangeItem: FieldModel {
  /// The server's identifier of the item so far, at most 128 characters.
  public var currentSKU: String = ""
  /// The server's identifier of the item, at most 128 characters.
  public var sku: String = ""
  /// The name that the customer sees, at most 30 characters.
  public var displayName: String = ""
  /// The description that the customer sees, at most 45 characters.
  public var description: String = ""
  /// The price, in thousandths of the currency unit.
  public var price: Int = 0
  /// When the change takes effect.
  public var effective = AdvancedCommerceEffective(rawValue: "")
  /// Why the item is changed.
  public var reason = AdvancedCommerceReason(rawValue: "")
  /// The offer to apply.
  public var offer: AdvancedCommerceOffer?
  /// The price for the rest of the current period, in thousandths of the currency unit.
  public var proratedPrice: Int?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// A change without an offer.
  public init(
    currentSKU: String, sku: String, displayName: String, description: String, price: Int,
    effective: AdvancedCommerceEffective, reason: AdvancedCommerceReason
  ) {
    self.currentSKU = currentSKU
    self.sku = sku
    self.displayName = displayName
    self.description = description
    self.price = price
    self.effective = effective
    self.reason = reason
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("currentSKU", &currentSKU)
    try coder.required("SKU", &sku)
    try coder.required("displayName", &displayName)
    try coder.required("description", &description)
    try coder.required("price", &price)
    try coder.required("effective", &effective)
    try coder.required("reason", &reason)
    try coder("offer", &offer)
    try coder("proratedPrice", &proratedPrice)
  }
}
