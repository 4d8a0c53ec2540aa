public import JSONValues
package import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A request to set the account of a purchase.
///
/// Source: Apple, `UpdateAppAccountTokenRequest`.
public struct UpdateAppAccountTokenRequest: CheckedRequest {
  public var appAccountToken: UUID = .zero
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a request.
  public init(appAccountToken: UUID) {
    self.appAccountToken = appAccountToken
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("appAccountToken", &appAccountToken)
  }
}

extension UpdateAppAccountTokenRequest {
  /// Checks nothing, because every UUID is accepted.
  public func validate() throws(InvalidRequest) {}
}
