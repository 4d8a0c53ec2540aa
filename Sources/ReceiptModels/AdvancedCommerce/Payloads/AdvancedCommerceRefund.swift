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
  public var refundType: AdvancedCommerceRefundType?
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
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let full = Self(rawValue: "FULL")
  /// The part of the price for the unused time.
  public static let prorated = Self(rawValue: "PRORATED")
  public static let custom = Self(rawValue: "CUSTOM")

  public static let allCases: [Self] = [full, prorated, custom]
}

/// The reason for a refund of an item.
///
/// Source: Apple, `refundReason`, Advanced Commerce API.
public struct AdvancedCommerceRefundReason: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let unintendedPurchase = Self(rawValue: "UNINTENDED_PURCHASE")
  /// The purchase was not delivered or does not work.
  public static let fulfillmentIssue = Self(rawValue: "FULFILLMENT_ISSUE")
  public static let unsatisfiedWithPurchase = Self(rawValue: "UNSATISFIED_WITH_PURCHASE")
  public static let legal = Self(rawValue: "LEGAL")
  public static let other = Self(rawValue: "OTHER")
  public static let modifyItemsRefund = Self(rawValue: "MODIFY_ITEMS_REFUND")
  /// A declined refund is simulated; only in the sandbox.
  public static let simulateRefundDecline = Self(rawValue: "SIMULATE_REFUND_DECLINE")

  public static let allCases: [Self] = [
    unintendedPurchase, fulfillmentIssue, unsatisfiedWithPurchase, legal, other, modifyItemsRefund,
    simulateRefundDecline,
  ]
}
