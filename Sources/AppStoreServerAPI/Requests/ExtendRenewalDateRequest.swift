public import JSONValues
package import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A request to extend one subscription.
///
/// Reading and writing check no limits; ``validate()`` does. Source: Apple,
/// `ExtendRenewalDateRequest`.
public struct ExtendRenewalDateRequest: CheckedRequest {
  /// The number of days, 1 to 90.
  public var extendByDays: Int = 0
  public var extendReasonCode = ExtendReasonCode(rawValue: 0)
  /// The identifier of the request, assigned by the server; at most 128 UTF-16 units.
  public var requestIdentifier: String = ""
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a request.
  public init(extendByDays: Int, extendReasonCode: ExtendReasonCode, requestIdentifier: String) {
    self.extendByDays = extendByDays
    self.extendReasonCode = extendReasonCode
    self.requestIdentifier = requestIdentifier
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("extendByDays", &extendByDays)
    try coder.required("extendReasonCode", &extendReasonCode)
    try coder.required("requestIdentifier", &requestIdentifier)
  }

  /// Checks the documented limits.
  public func validate() throws(InvalidRequest) {
    try RequestCheck.range(extendByDays, 1...90, "extendByDays")
    try RequestCheck.known(extendReasonCode, "extendReasonCode")
    try RequestCheck.notEmpty(requestIdentifier, "requestIdentifier")
    try RequestCheck.length(requestIdentifier, atMost: 128, "requestIdentifier")
  }
}

/// A request to extend all subscriptions to a product.
///
/// Reading and writing check no limits; ``validate()`` does. Source: Apple,
/// `MassExtendRenewalDateRequest`.
public struct MassExtendRenewalDateRequest: CheckedRequest {
  /// The identifier of the job; the same one never starts a second job.
  public var requestIdentifier: UUID = .zero
  /// The number of days, 1 to 90.
  public var extendByDays: Int = 0
  public var extendReasonCode = ExtendReasonCode(rawValue: 0)
  public var productID: String = ""
  /// The three-letter codes of the storefronts, or nil for all; not empty.
  public var storefrontCountryCodes: [String]?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a request for all storefronts.
  public init(
    requestIdentifier: UUID, extendByDays: Int, extendReasonCode: ExtendReasonCode,
    productID: String
  ) {
    self.requestIdentifier = requestIdentifier
    self.extendByDays = extendByDays
    self.extendReasonCode = extendReasonCode
    self.productID = productID
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("requestIdentifier", &requestIdentifier)
    try coder.required("extendByDays", &extendByDays)
    try coder.required("extendReasonCode", &extendReasonCode)
    try coder.required("productId", &productID)
    try coder("storefrontCountryCodes", &storefrontCountryCodes)
  }

  /// Checks the documented limits.
  public func validate() throws(InvalidRequest) {
    try RequestCheck.range(extendByDays, 1...90, "extendByDays")
    try RequestCheck.known(extendReasonCode, "extendReasonCode")
    _ = try RequestPart.pathPart(productID, field: "productId")
    guard let storefrontCountryCodes else { return }
    try RequestCheck.notEmpty(storefrontCountryCodes, "storefrontCountryCodes")
    for (index, code) in storefrontCountryCodes.enumerated() {
      try RequestCheck.country(code, "storefrontCountryCodes[\(index)]")
    }
  }
}
