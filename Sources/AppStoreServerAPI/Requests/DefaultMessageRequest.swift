public import JSONValues
package import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A request to show a message by default for a product in a language.
///
/// Source: App Store Server API rules, section 2.5.
public struct DefaultMessageRequest: CheckedRequest {
  /// The identifier of the message, which was uploaded before.
  public var messageIdentifier: UUID = .zero
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a request.
  public init(messageIdentifier: UUID) {
    self.messageIdentifier = messageIdentifier
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("messageIdentifier", &messageIdentifier)
  }
}

extension DefaultMessageRequest {
  /// Checks nothing, because every UUID is accepted.
  public func validate() throws(InvalidRequest) {}
}
