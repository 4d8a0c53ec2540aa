public import JSONValues

/// What the Advanced Commerce API adds to a transaction.
///
/// Money is in thousandths of the currency unit.
///
/// Source: Apple, `advancedCommerceTransactionInfo`.
public struct AdvancedCommerceTransactionInfo: FieldModel {
  /// The name and the description of the subscription.
  public var descriptors: AdvancedCommerceDescriptors?
  /// What was bought.
  public var items: [AdvancedCommerceTransactionItem]?
  /// The length of a subscription period.
  public var period: AdvancedCommercePeriod?
  /// The identifier that the server gave the request.
  public var requestReferenceID: String?
  /// The tax category.
  public var taxCode: String?
  /// The tax rate, a decimal number as text.
  public var taxRate: String?
  /// The tax as Apple estimates it, in thousandths of the currency unit.
  public var estimatedTax: Int?
  /// The price without tax, in thousandths of the currency unit.
  public var taxExclusivePrice: Int?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty value, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("descriptors", &descriptors)
    try coder("items", &items)
    try coder("period", &period)
    try coder("requestReferenceId", &requestReferenceID)
    try coder("taxCode", &taxCode)
    try coder("taxRate", &taxRate)
    try coder("estimatedTax", &estimatedTax)
    try coder("taxExclusivePrice", &taxExclusivePrice)
  }
}
