public import JSONValues

/// Why an item is refunded.
///
/// Source: Apple, `refundReason`, Advanced Commerce API.
public struct AdvancedCommerceRefundReason: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The purchase was not meant.
  public static let unintendedPurchase = AdvancedCommerceRefundReason(
    rawValue: "UNINTENDED_PURCHASE")
  /// The purchase was not delivered or does not work.
  public static let fulfillmentIssue = AdvancedCommerceRefundReason(rawValue: "FULFILLMENT_ISSUE")
  /// The purchase did not please.
  public static let unsatisfiedWithPurchase = AdvancedCommerceRefundReason(
    rawValue: "UNSATISFIED_WITH_PURCHASE")
  /// A legal reason.
  public static let legal = AdvancedCommerceRefundReason(rawValue: "LEGAL")
  /// Any other reason.
  public static let other = AdvancedCommerceRefundReason(rawValue: "OTHER")
  /// A change of the items of a subscription caused it.
  public static let modifyItemsRefund = AdvancedCommerceRefundReason(
    rawValue: "MODIFY_ITEMS_REFUND")
  /// A refused refund is to be simulated; Sandbox only.
  public static let simulateRefundDecline = AdvancedCommerceRefundReason(
    rawValue: "SIMULATE_REFUND_DECLINE")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommerceRefundReason] = [
    unintendedPurchase, fulfillmentIssue, unsatisfiedWithPurchase, legal, other, modifyItemsRefund,
    simulateRefundDecline,
  ]
}
