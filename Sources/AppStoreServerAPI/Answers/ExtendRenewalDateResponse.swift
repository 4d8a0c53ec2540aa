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
  public var originalTransactionID: String?
  public var webOrderLineItemID: String?
  public var success: Bool?
  public var effectiveDate: Date?
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
