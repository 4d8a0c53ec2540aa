public import JSONValues

/// One item that a subscription of the Advanced Commerce API will renew.
///
/// Source: Apple, `advancedCommerceRenewalItem`.
public struct AdvancedCommerceRenewalItem: FieldModel {
  /// The server's identifier of the item.
  public var sku: String?
  /// The name that the customer sees.
  public var displayName: String?
  /// The description that the customer sees.
  public var description: String?
  /// The price, in thousandths of the currency unit.
  public var price: Int?
  /// The offer that will be applied.
  public var offer: AdvancedCommerceOffer?
  /// A higher price that was announced.
  public var priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty value, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("SKU", &sku)
    try coder("displayName", &displayName)
    try coder("description", &description)
    try coder("price", &price)
    try coder("offer", &offer)
    try coder("priceIncreaseInfo", &priceIncreaseInfo)
  }
}
