public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The additional information of the Advanced Commerce API in a transaction.
///
/// Money is in thousandths of the currency unit.
///
/// Source: Apple, `advancedCommerceTransactionInfo`.
public struct AdvancedCommerceTransactionInfo: FieldModel {
  public var descriptors: AdvancedCommerceDescriptors?
  public var items: [AdvancedCommerceTransactionItem]?
  public var period: AdvancedCommercePeriod?
  /// The identifier of the request, assigned by the server.
  public var requestReferenceID: String?
  public var taxCode: String?
  /// The tax rate, as decimal text.
  public var taxRate: String?
  /// The tax that Apple estimates, in thousandths of the currency unit.
  public var estimatedTax: Int?
  /// The price without tax, in thousandths of the currency unit.
  public var taxExclusivePrice: Int?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
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

/// An item of a transaction, in the Advanced Commerce API.
///
/// Source: Apple, `advancedCommerceTransactionItem`.
public struct AdvancedCommerceTransactionItem: FieldModel {
  /// The server's identifier of the item.
  public var sku: String?
  /// The name that customers see.
  public var displayName: String?
  /// The description that customers see.
  public var description: String?
  /// The price, in thousandths of the currency unit.
  public var price: Int?
  public var offer: AdvancedCommerceOffer?
  public var refunds: [AdvancedCommerceRefund]?
  public var revocationDate: Date?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("SKU", &sku)
    try coder("displayName", &displayName)
    try coder("description", &description)
    try coder("price", &price)
    try coder("offer", &offer)
    try coder("refunds", &refunds)
    try coder("revocationDate", &revocationDate)
  }
}
