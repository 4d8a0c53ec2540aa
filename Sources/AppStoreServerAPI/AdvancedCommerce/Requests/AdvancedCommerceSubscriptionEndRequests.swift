public import JSONValues
public import ReceiptModels

/// A request to switch off the renewal of a subscription.
///
/// Reading and writing check no limits; ``validate()`` does. Source: Apple,
/// `SubscriptionCancelRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionCancelRequest: CheckedRequest {
  public var requestInfo = AdvancedCommerceRequestInfo()
  /// The three-letter code of the storefront's country.
  public var storefront: String?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a request.
  public init(requestInfo: AdvancedCommerceRequestInfo) {
    self.requestInfo = requestInfo
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("requestInfo", &requestInfo)
    try coder("storefront", &storefront)
  }

  /// Checks the documented limits.
  public func validate() throws(InvalidRequest) {
    try RequestCheck.country(storefront, "storefront")
  }
}

/// A request to end a subscription immediately and refund it.
///
/// Reading and writing check no limits; ``validate()`` does. Source: Apple,
/// `SubscriptionRevokeRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionRevokeRequest: CheckedRequest {
  public var requestInfo = AdvancedCommerceRequestInfo()
  public var refundReason = AdvancedCommerceRefundReason(rawValue: "")
  /// The extent of the refund, full or prorated.
  public var refundType = AdvancedCommerceRefundType(rawValue: "")
  /// Whether Apple asks for consumption data before it decides.
  public var refundRiskingPreference: Bool = false
  /// The three-letter code of the storefront's country.
  public var storefront: String?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a request.
  public init(
    requestInfo: AdvancedCommerceRequestInfo, refundReason: AdvancedCommerceRefundReason,
    refundType: AdvancedCommerceRefundType, refundRiskingPreference: Bool
  ) {
    self.requestInfo = requestInfo
    self.refundReason = refundReason
    self.refundType = refundType
    self.refundRiskingPreference = refundRiskingPreference
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("requestInfo", &requestInfo)
    try coder.required("refundReason", &refundReason)
    try coder.required("refundType", &refundType)
    try coder.required("refundRiskingPreference", &refundRiskingPreference)
    try coder("storefront", &storefront)
  }

  /// Checks the documented limits.
  public func validate() throws(InvalidRequest) {
    try RequestCheck.known(refundReason, "refundReason")
    guard refundType == .full || refundType == .prorated else {
      throw InvalidRequest("refundType", .notAccepted)
    }
    try RequestCheck.country(storefront, "storefront")
  }
}
