public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A refund of one item of the Advanced Commerce API.
///
/// Source: Apple, `advancedCommerceRefund`.
public struct AdvancedCommerceRefund: FieldModel {
  /// What was paid back, in thousandths of the currency unit.
  public var refundAmount: Int?
  /// When it was paid back.
  public var refundDate: Date?
  /// Why it was paid back.
  public var refundReason: AdvancedCommerceRefundReason?
  /// How much of the item was paid back.
  public var refundType: AdvancedCommerceRefundType?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty value, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("refundAmount", &refundAmount)
    try coder("refundDate", &refundDate)
    try coder("refundReason", &refundReason)
    try coder("refundType", &refundType)
  }
}
