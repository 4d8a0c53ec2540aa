/// What Stripe says of a subscription; only memberships paid by Stripe have it.
///
/// Source: contract on linking, section 1.3.
public struct StripeSubscriptionStatus: StringVocabulary, FieldValue {
  /// Stripe's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Paid.
  public static let active = StripeSubscriptionStatus(rawValue: "active")
  /// Ended.
  public static let canceled = StripeSubscriptionStatus(rawValue: "canceled")
  /// The first payment is missing.
  public static let incomplete = StripeSubscriptionStatus(rawValue: "incomplete")
  /// The first payment never came.
  public static let incompleteExpired = StripeSubscriptionStatus(rawValue: "incomplete_expired")
  /// A renewal is not paid yet.
  public static let pastDue = StripeSubscriptionStatus(rawValue: "past_due")
  /// In the trial.
  public static let trialing = StripeSubscriptionStatus(rawValue: "trialing")
  /// A renewal was not paid.
  public static let unpaid = StripeSubscriptionStatus(rawValue: "unpaid")

  /// The values of the contract.
  public static let allCases: [StripeSubscriptionStatus] = [
    active, canceled, incomplete, incompleteExpired, pastDue, trialing, unpaid,
  ]
}
