public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How a request of the Advanced Commerce API is identified.
///
/// Source: Apple, `advancedCommerceRequestInfo`.
public struct AdvancedCommerceRequestInfo: FieldModel {
  /// The identifier that the server gives the request.
  public var requestReferenceID: UUID = .zero
  /// The account of the customer in the app.
  ///
  /// A text that is no UUID leaves this nil and is among the ``additionalMembers``.
  public var appAccountToken: UUID?
  /// The token of the renewal info that the request builds on.
  public var consistencyToken: String?

  /// Members that this version does not know, and an account token that is no UUID.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// A request info with the identifier of the request.
  public init(requestReferenceID: UUID) {
    self.requestReferenceID = requestReferenceID
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("requestReferenceId", &requestReferenceID)
    try coder.lenient("appAccountToken", &appAccountToken)
    try coder("consistencyToken", &consistencyToken)
  }
}
