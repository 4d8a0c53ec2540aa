public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The result of extending one subscription.
///
/// Nothing in it is signed.
///
/// Source: Apple, `ExtendRenewalDateResponse`.
public struct ExtendRenewalDateResponse: FieldModel {
  /// The identifier of the first charge.
  public var originalTransactionID: String?
  /// The identifier of the purchase event.
  public var webOrderLineItemID: String?
  /// Whether the subscription was extended.
  public var success: Bool?
  /// The new date of expiry.
  public var effectiveDate: Date?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("originalTransactionId", &originalTransactionID)
    try coder("webOrderLineItemId", &webOrderLineItemID)
    try coder("success", &success)
    try coder("effectiveDate", &effectiveDate)
  }
}
