public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The acceptance of a report of external purchases.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseReportResponse: FieldModel {
  /// The identifier of the report, as in the request.
  ///
  /// Text that is not a UUID leaves this nil and is kept in ``additionalMembers``.
  public var requestIdentifier: UUID?

  /// Members that this version does not know, and fields whose text is not a UUID.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("requestIdentifier", &requestIdentifier)
  }
}
