public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One item that a transaction of the Advanced Commerce API is about.
///
/// Source: Apple, `advancedCommerceTransactionItem`.
public struct AdvancedCommerceTransactionItem: FieldModel {
  /// The server's identifier of the item.
  public var sku: String?
  /// The name that the customer sees.
  public var displayName: String?
  /// The description that the customer sees.
  public var description: String?
  /// The price, in thousandths of the currency unit.
  public var price: Int?
  /// The offer that was applied.
  public var offer: AdvancedCommerceOffer?
  /// What was paid back of the item.
  public var refunds: [AdvancedCommerceRefund]?
  /// When Apple took the item back.
  public var revocationDate: Date?

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
    try coder("refunds", &refunds)
    try coder("revocationDate", &revocationDate)
  }
}
