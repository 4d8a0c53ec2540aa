public import ReceiptModels

/// The status of a subscription at a payment provider other than Apple.
///
/// Source: linking rules, section 1.3.
public struct ProviderStatus: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let active = Self(rawValue: "active")
  public static let canceled = Self(rawValue: "canceled")
  /// The first payment is pending.
  public static let incomplete = Self(rawValue: "incomplete")
  /// The first payment was never made.
  public static let incompleteExpired = Self(rawValue: "incomplete_expired")
  /// A renewal is not paid yet.
  public static let pastDue = Self(rawValue: "past_due")
  public static let trialing = Self(rawValue: "trialing")
  /// A renewal was not paid.
  public static let unpaid = Self(rawValue: "unpaid")

  public static let allCases: [Self] = [
    active, canceled, incomplete, incompleteExpired, pastDue, trialing, unpaid,
  ]
}
