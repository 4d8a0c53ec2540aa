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

  /// Checks nothing, because every UUID is accepted.
  public func validate() throws(InvalidRequest) {}
}

/// A request to set the address that Apple sends real-time requests to.
///
/// Reading and writing check no limits; ``validate()`` does. Source: App Store Server API rules,
/// section 2.5.
public struct RealtimeURLRequest: CheckedRequest {
  /// The address, which begins with `https://` and has at most 256 UTF-16 units.
  public var realtimeURL: String = ""
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a request.
  public init(realtimeURL: String) {
    self.realtimeURL = realtimeURL
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("realtimeURL", &realtimeURL)
  }

  /// Checks the length and that this is an address of HTTPS with a host.
  public func validate() throws(InvalidRequest) {
    try RequestCheck.notEmpty(realtimeURL, "realtimeURL")
    try RequestCheck.length(realtimeURL, atMost: 256, "realtimeURL")
    let isVisible = realtimeURL.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard isVisible, let url = URL(string: realtimeURL), url.scheme?.lowercased() == "https",
      let host = url.host(), !host.isEmpty
    else { throw InvalidRequest("realtimeURL", .notAccepted) }
  }
}

/// A request for a performance test of the server's answers to real-time requests.
///
/// Reading and writing check no limits; ``validate()`` does. Source: Apple,
/// `PerformanceTestRequest`.
public struct PerformanceTestRequest: CheckedRequest {
  /// The identifier of the first charge of a subscription in the sandbox.
  public var originalTransactionID: String = ""
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a request.
  public init(originalTransactionID: String) {
    self.originalTransactionID = originalTransactionID
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("originalTransactionId", &originalTransactionID)
  }

  /// Checks that the identifier has 1 to 64 ASCII digits.
  public func validate() throws(InvalidRequest) {
    _ = try RequestPart.transactionID(originalTransactionID, field: "originalTransactionId")
  }
}
