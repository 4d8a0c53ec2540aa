public import JSONValues
public import ReceiptModels

/// A request to switch off the renewal of a subscription.
///
/// Reading and writing check no limits; ``validate()`` does.
///
/// Source: Apple, `SubscriptionCancelRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionCancelRequest: CheckedRequest {
  /// The identification of the request.
  public var requestInfo = AdvancedCommerceRequestInfo()
  /// The three-letter code of the storefront's country.
  public var storefront: String?

  /// Members that this version does not know.
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
}

extension AdvancedCommerceSubscriptionCancelRequest {
  /// Checks the documented limits.
  ///
  /// - Throws: ``InvalidRequest`` for the first limit that is exceeded.
  public func validate() throws(InvalidRequest) {
    try RequestCheck.country(storefront, "storefront")
  }
}
