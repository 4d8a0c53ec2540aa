public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A refund of an item, in the Advanced Commerce API.
///
/// Source: Apple, `advancedCommerceRefund`.
public struct AdvancedCommerceRefund: FieldModel {
  /// The refunded amount, in thousandths of the currency unit.
  public var refundAmount: Int?
  public var refundDate: Date?
  public var refundReason: AdvancedCommerceRefundReason?
  /// The extent of the refund.
  public var refundType: AdvancedCommerceRefundType?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("refundAmount", &refundAmount)
    try coder("refundDate", &refundDate)
    try coder("refundReason", &refundReason)
    try coder("refundType", &refundType)
  }
}

/// The extent of a refund.
///
/// Source: Apple, `refundType`, Advanced Commerce API.
public struct AdvancedCommerceRefundType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The whole price.
  public static let full = AdvancedCommerceRefundType(rawValue: "FULL")
  /// The part of the price for the unused time.
  public static let prorated = AdvancedCommerceRefundType(rawValue: "PRORATED")
  /// The amount in the request.
  public static let custom = AdvancedCommerceRefundType(rawValue: "CUSTOM")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommerceRefundType] = [
    full, prorated, custom,
  ]
}

/// The reason for a refund of an item.
///
/// Source: Apple, `refundReason`, Advanced Commerce API.
public struct AdvancedCommerceRefundReason: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The purchase was unintended.
  public static let unintendedPurchase = AdvancedCommerceRefundReason(
    rawValue: "UNINTENDED_PURCHASE")
  /// The purchase was not delivered or does not work.
  public static let fulfillmentIssue = AdvancedCommerceRefundReason(rawValue: "FULFILLMENT_ISSUE")
  /// The customer was not satisfied.
  public static let unsatisfiedWithPurchase = AdvancedCommerceRefundReason(
    rawValue: "UNSATISFIED_WITH_PURCHASE")
  public static let legal = AdvancedCommerceRefundReason(rawValue: "LEGAL")
  /// Any other reason.
  public static let other = AdvancedCommerceRefundReason(rawValue: "OTHER")
  /// The items of a subscription were changed.
  public static let modifyItemsRefund = AdvancedCommerceRefundReason(
    rawValue: "MODIFY_ITEMS_REFUND")
  /// A declined refund is simulated; only in the sandbox.
  public static let simulateRefundDecline = AdvancedCommerceRefundReason(
    rawValue: "SIMULATE_REFUND_DECLINE")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommerceRefundReason] = [
    unintendedPurchase, fulfillmentIssue, unsatisfiedWithPurchase, legal, other, modifyItemsRefund,
    simulateRefundDecline,
  ]
}
