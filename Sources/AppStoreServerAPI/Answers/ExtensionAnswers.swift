public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The result of extending one subscription.
///
/// Nothing in it is signed. Source: Apple, `ExtendRenewalDateResponse`.
public struct ExtendRenewalDateResponse: FieldModel {
  public var originalTransactionID: String?
  public var webOrderLineItemID: String?
  public var success: Bool?
  public var effectiveDate: Date?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("originalTransactionId", &originalTransactionID)
    try coder("webOrderLineItemId", &webOrderLineItemID)
    try coder("success", &success)
    try coder("effectiveDate", &effectiveDate)
  }
}

/// The acceptance of a job that extends all subscriptions to a product.
///
/// Source: Apple, `MassExtendRenewalDateResponse`.
public struct MassExtendRenewalDateResponse: FieldModel {
  /// The identifier of the job, as in the request.
  public var requestIdentifier: String?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("requestIdentifier", &requestIdentifier)
  }
}

/// The progress of a job that extends all subscriptions to a product.
///
/// Source: Apple, `MassExtendRenewalDateStatusResponse`.
public struct MassExtendRenewalDateStatusResponse: FieldModel {
  /// The identifier of the job, as in the request.
  public var requestIdentifier: String?
  public var complete: Bool?
  public var completeDate: Date?
  /// The number of extended subscriptions, when the job is done.
  public var succeededCount: Int?
  /// The number of subscriptions that could not be extended, when the job is done.
  public var failedCount: Int?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("requestIdentifier", &requestIdentifier)
    try coder("complete", &complete)
    try coder("completeDate", &completeDate)
    try coder("succeededCount", &succeededCount)
    try coder("failedCount", &failedCount)
  }
}
