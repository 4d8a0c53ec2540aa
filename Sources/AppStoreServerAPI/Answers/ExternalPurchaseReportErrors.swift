public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The errors of a report of external purchases, of which nothing was taken.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseReportErrors: FieldModel {
  public var errors: [ExternalPurchaseReportError]?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("errors", &errors)
  }
}

/// An error of a report of external purchases.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseReportError: FieldModel {
  /// The code, a small number that means something else than the codes of the other APIs.
  public var errorCode: Int?
  public var errorMessage: String?
  public var fieldName: String?
  public var lineItemID: String?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("errorCode", &errorCode)
    try coder("errorMessage", &errorMessage)
    try coder("fieldName", &fieldName)
    try coder("lineItemId", &lineItemID)
  }
}

/// The acceptance of a report of external purchases.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseReportResponse: FieldModel {
  /// The identifier of the report, as in the request.
  ///
  /// Text that is not a UUID leaves this nil and is kept in ``additionalMembers``.
  public var requestIdentifier: UUID?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("requestIdentifier", &requestIdentifier)
  }
}
