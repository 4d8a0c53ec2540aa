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
  public var totalBillingPeriods: Int?
  public var commitmentExpiresDate: Date?
  /// The price of the whole commitment, in thousandths of the currency unit.
  public var commitmentPrice: Int?
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
  public var commitmentAutoRenewProductID: String?
  public var commitmentAutoRenewStatus: AutoRenewStatus?
  public var commitmentRenewalBillingPlanType: BillingPlanType?
  public var commitmentRenewalDate: Date?
  /// The price of the new commitment, in thousandths of the currency unit.
  public var commitmentRenewalPrice: Int?
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
