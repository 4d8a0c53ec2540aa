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
  /// Which billing period of the commitment this is, from 1 to 12.
  public var billingPeriodNumber: Int?
  /// How many billing periods the commitment has.
  public var totalBillingPeriods: Int?
  /// When the commitment ends.
  public var commitmentExpiresDate: Date?
  /// The price of the whole commitment, in thousandths of the currency unit.
  public var commitmentPrice: Int?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty value, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("billingPeriodNumber", &billingPeriodNumber)
    try coder("totalBillingPeriods", &totalBillingPeriods)
    try coder("commitmentExpiresDate", &commitmentExpiresDate)
    try coder("commitmentPrice", &commitmentPrice)
  }
}
