public import JSONValues
package import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A report of the external purchases of one token.
///
/// Apple takes the whole report or nothing of it. Reading and writing check no limits;
/// ``validate()`` does.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseReport: CheckedRequest {
  /// The identifier of the report, which stays the same when it is sent again.
  public var requestIdentifier: UUID = .zero
  public var externalPurchaseID: String = ""
  public var status = ExternalPurchaseReportStatus(rawValue: "")
  /// The line items, exactly if the status is line item; not empty.
  public var lineItems: [ExternalPurchaseLineItem]?
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a report without line items.
  public init(
    requestIdentifier: UUID, externalPurchaseID: String, status: ExternalPurchaseReportStatus
  ) {
    self.requestIdentifier = requestIdentifier
    self.externalPurchaseID = externalPurchaseID
    self.status = status
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("requestIdentifier", &requestIdentifier)
    try coder.required("externalPurchaseId", &externalPurchaseID)
    try coder.required("status", &status)
    try coder("lineItems", &lineItems)
  }
}

extension ExternalPurchaseReport {
  /// Whether the token is one of the sandbox, so that the report belongs there.
  public var isSandbox: Bool { externalPurchaseID.utf8.starts(with: "SANDBOX".utf8) }

  /// Checks the documented limits.
  public func validate() throws(InvalidRequest) {
    try RequestCheck.notEmpty(externalPurchaseID, "externalPurchaseId")
    try RequestCheck.known(status, "status")
    guard status == .lineItem else {
      guard lineItems == nil else {
        throw InvalidRequest("lineItems", .notAllowed(with: "status"))
      }
      return
    }
    guard let lineItems else { throw InvalidRequest("lineItems", .missing) }
    try RequestCheck.notEmpty(lineItems, "lineItems")
    for (index, item) in lineItems.enumerated() { try item.check("lineItems[\(index)].") }
  }
}
