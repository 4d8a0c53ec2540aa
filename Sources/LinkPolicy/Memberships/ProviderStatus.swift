public import ReceiptModels

/// The status of a subscription at a payment provider other than Apple.
///
/// Source: linking rules, section 1.3.
public struct ProviderStatus: StringVocabulary, FieldValue {
  /// The provider's text.
  public var rawValue: String
  /// Creates a status of any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The subscription is paid.
  public static let active = ProviderStatus(rawValue: "active")
  /// The subscription ended.
  public static let canceled = ProviderStatus(rawValue: "canceled")
  /// The first payment is pending.
  public static let incomplete = ProviderStatus(rawValue: "incomplete")
  /// The first payment was never made.
  public static let incompleteExpired = ProviderStatus(rawValue: "incomplete_expired")
  /// A renewal is not paid yet.
  public static let pastDue = ProviderStatus(rawValue: "past_due")
  /// The subscription is in its trial period.
  public static let trialing = ProviderStatus(rawValue: "trialing")
  /// A renewal was not paid.
  public static let unpaid = ProviderStatus(rawValue: "unpaid")

  /// The known statuses.
  public static let allCases: [ProviderStatus] = [
    active, canceled, incomplete, incompleteExpired, pastDue, trialing, unpaid,
  ]
}
