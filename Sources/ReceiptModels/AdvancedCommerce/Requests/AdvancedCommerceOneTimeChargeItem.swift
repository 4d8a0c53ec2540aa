public import JSONValues

/// The item of a one-time charge.
///
/// Source: Apple, `advancedCommerceOneTimeChargeItem`.
public struct AdvancedCommerceOneTimeChargeItem: FieldModel {
  /// The server's identifier of the item, at most 128 characters.
  public var sku: String = ""
  /// The name that customers see, at most 30 characters.
  public var displayName: String = ""
  /// The description that customers see, at most 45 characters.
  public var description: String = ""
  /// The price, in thousandths of the currency unit.
  public var price: Int = 0
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates an item.
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
  }
}
