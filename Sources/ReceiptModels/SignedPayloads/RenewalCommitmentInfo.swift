public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The renewal of a commitment to several billing periods.
///
/// Source: Apple, `JWSRenewalInfoDecodedPayload.commitmentInfo`.
public struct RenewalCommitmentInfo: FieldModel {
  /// The product that will renew when the commitment ends.
  public var commitmentAutoRenewProductID: String?
  /// Whether a new commitment will follow.
  public var commitmentAutoRenewStatus: AutoRenewStatus?
  /// How the new commitment is billed.
  public var commitmentRenewalBillingPlanType: BillingPlanType?
  /// When the new commitment begins.
  public var commitmentRenewalDate: Date?
  /// The price of the new commitment, in thousandths of the currency unit.
  public var commitmentRenewalPrice: Int?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty value, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("commitmentAutoRenewProductId", &commitmentAutoRenewProductID)
    try coder("commitmentAutoRenewStatus", &commitmentAutoRenewStatus)
    try coder("commitmentRenewalBillingPlanType", &commitmentRenewalBillingPlanType)
    try coder("commitmentRenewalDate", &commitmentRenewalDate)
    try coder("commitmentRenewalPrice", &commitmentRenewalPrice)
  }
}
