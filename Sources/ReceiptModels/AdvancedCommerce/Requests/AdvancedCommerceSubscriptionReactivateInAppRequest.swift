public import JSONValues

/// An in-app request to reactivate a cancelled subscription.
///
/// Reading and writing check no limits; ``validate()`` does.
///
/// Source: Apple, `SubscriptionReactivateInAppRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionReactivateInAppRequest: AdvancedCommerceInAppRequest,
  FieldModel
{
  public static let operation: AdvancedCommerceOperation = .reactivateSubscription

  /// The operation of the request, which differs only if read from JSON that says so.
  public private(set) var operation: AdvancedCommerceOperation = Self.operation
  /// The version of the request format, which differs only if read from JSON that says so.
  public private(set) var version = "1"
  public var requestInfo = AdvancedCommerceRequestInfo()
  public var transactionID: String = ""
  /// The items to reactivate; not empty.
  public var items: [AdvancedCommerceItemReference]?
  /// The three-letter code of the storefront's country.
  public var storefront: String?
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a request for the whole subscription.
  public init(requestInfo: AdvancedCommerceRequestInfo, transactionID: String) {
    self.requestInfo = requestInfo
    self.transactionID = transactionID
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.preset("operation", &operation)
    try coder.preset("version", &version)
    try coder.required("requestInfo", &requestInfo)
    try coder.required("transactionId", &transactionID)
    try coder("items", &items)
    try coder("storefront", &storefront)
  }
}
