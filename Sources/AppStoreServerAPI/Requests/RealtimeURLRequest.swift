public import JSONValues
package import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A request to set the address that Apple sends real-time requests to.
///
/// Reading and writing check no limits; ``validate()`` does.
///
/// Source: App Store Server API rules, section 2.5.
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
}

extension RealtimeURLRequest {
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
