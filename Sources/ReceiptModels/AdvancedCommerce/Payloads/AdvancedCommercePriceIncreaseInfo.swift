public import JSONValues

/// A higher price that was announced for an item.
///
/// Source: Apple, `advancedCommercePriceIncreaseInfo`.
public struct AdvancedCommercePriceIncreaseInfo: FieldModel {
  /// The identifiers of the items that depend on this one.
  public var dependentSKUs: [String]?
  /// The higher price, in thousandths of the currency unit.
  public var price: Int?
  /// How far the price increase has come.
  public var status: AdvancedCommercePriceIncreaseStatus?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty value, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("dependentSKUs", &dependentSKUs)
    try coder("price", &price)
    try coder("status", &status)
  }
}
