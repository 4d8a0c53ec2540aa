public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The commitment to several billing periods, as of one transaction.
///
/// Source: Apple, `JWSTransactionDecodedPayload.commitmentInfo`.
public struct TransactionCommitmentInfo: FieldModel {
  public var billingPeriodNumber: Int?
  /// The number of billing periods in the commitment.
  public var totalBillingPeriods: Int?
  /// The end of the commitment.
  public var commitmentExpiresDate: Date?
  /// The price of the whole commitment, in thousandths of the currency unit.
  public var commitmentPrice: Int?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("billingPeriodNumber", &billingPeriodNumber)
    try coder("totalBillingPeriods", &totalBillingPeriods)
    try coder("commitmentExpiresDate", &commitmentExpiresDate)
    try coder("commitmentPrice", &commitmentPrice)
  }
}

/// The renewal of a commitment to several billing periods.
///
/// Source: Apple, `JWSRenewalInfoDecodedPayload.commitmentInfo`.
public struct RenewalCommitmentInfo: FieldModel {
  /// The product that will renew when the commitment ends.
  public var commitmentAutoRenewProductID: String?
  /// Whether a new commitment will follow.
  public var commitmentAutoRenewStatus: AutoRenewStatus?
  /// The billing plan of the new commitment.
  public var commitmentRenewalBillingPlanType: BillingPlanType?
  /// The start of the new commitment.
  public var commitmentRenewalDate: Date?
  /// The price of the new commitment, in thousandths of the currency unit.
  public var commitmentRenewalPrice: Int?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("commitmentAutoRenewProductId", &commitmentAutoRenewProductID)
    try coder("commitmentAutoRenewStatus", &commitmentAutoRenewStatus)
    try coder("commitmentRenewalBillingPlanType", &commitmentRenewalBillingPlanType)
    try coder("commitmentRenewalDate", &commitmentRenewalDate)
    try coder("commitmentRenewalPrice", &commitmentRenewalPrice)
  }
}
