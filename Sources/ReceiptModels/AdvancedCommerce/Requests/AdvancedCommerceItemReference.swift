public import JSONValues

/// An item of a subscription, named to be removed or reactivated.
///
/// Source: Apple, `advancedCommerceSubscriptionModifyRemoveItem` and
/// `advancedCommerceSubscriptionReactivateItem`.
public struct AdvancedCommerceItemReference: FieldModel {
  /// The server's identifier of the item, at most 128 characters.
  public var sku: String = ""

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// The item with this identifier.
  public init(sku: String) {
    self.sku = sku
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("SKU", &sku)
  }
}
