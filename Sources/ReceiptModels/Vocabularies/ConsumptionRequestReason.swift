public import JSONValues

/// Why a customer asks for a refund.
///
/// Source: Apple, `consumptionRequestReason`.
public struct ConsumptionRequestReason: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The purchase was not meant.
  public static let unintendedPurchase = ConsumptionRequestReason(rawValue: "UNINTENDED_PURCHASE")
  /// The purchase was not delivered or does not work.
  public static let fulfillmentIssue = ConsumptionRequestReason(rawValue: "FULFILLMENT_ISSUE")
  /// The purchase did not please.
  public static let unsatisfiedWithPurchase = ConsumptionRequestReason(
    rawValue: "UNSATISFIED_WITH_PURCHASE")
  /// A legal reason.
  public static let legal = ConsumptionRequestReason(rawValue: "LEGAL")
  /// Any other reason.
  public static let other = ConsumptionRequestReason(rawValue: "OTHER")

  /// The values that Apple documents.
  public static let allCases: [ConsumptionRequestReason] = [
    unintendedPurchase, fulfillmentIssue, unsatisfiedWithPurchase, legal, other,
  ]
}
