public import JSONValues

/// What an in-app request of the Advanced Commerce API asks for.
///
/// Source: Apple, `operation`, Advanced Commerce API.
public struct AdvancedCommerceOperation: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A purchase that does not renew.
  public static let createOneTimeCharge = AdvancedCommerceOperation(
    rawValue: "CREATE_ONE_TIME_CHARGE")
  /// A new subscription.
  public static let createSubscription = AdvancedCommerceOperation(rawValue: "CREATE_SUBSCRIPTION")
  /// A change of a subscription.
  public static let modifySubscription = AdvancedCommerceOperation(rawValue: "MODIFY_SUBSCRIPTION")
  /// The renewal of a subscription that was cancelled.
  public static let reactivateSubscription = AdvancedCommerceOperation(
    rawValue: "REACTIVATE_SUBSCRIPTION")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommerceOperation] = [
    createOneTimeCharge, createSubscription, modifySubscription, reactivateSubscription,
  ]
}
