internal import JSONValues
public import ReceiptModels

/// The reason for extending a subscription.
///
/// Source: Apple, `extendReasonCode`.
public struct ExtendReasonCode: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No reason is given.
  public static let undeclared = ExtendReasonCode(rawValue: 0)
  /// The customer was not satisfied.
  public static let customerSatisfaction = ExtendReasonCode(rawValue: 1)
  /// Any other reason.
  public static let other = ExtendReasonCode(rawValue: 2)
  /// The service had an issue or an outage.
  public static let serviceIssue = ExtendReasonCode(rawValue: 3)

  /// The values that Apple documents.
  public static let allCases: [ExtendReasonCode] = [
    undeclared, customerSatisfaction, other, serviceIssue,
  ]
}
