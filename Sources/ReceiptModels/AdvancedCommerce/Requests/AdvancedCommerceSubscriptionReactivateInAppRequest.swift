public import JSONValues

/// A request of the app to renew a cancelled subscription after all.
///
/// Limits are checked by ``validate()``, neither when reading nor when writing.
///
/// Source: Apple, `SubscriptionReactivateInAppRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionReactivateInAppRequest: AdvancedCommerceInAppRequest,
  FieldModel
{
  /// What requests of this type ask for.
  public static let operation: AdvancedCommerceOperation = .reactivateSubscription

  /// What the request asks for; another value comes only from JSON that says so.
  public private(set) var operation: AdvancedCommerceOperation = Self.operation
  /// The version of the request's form; another value comes only from JSON that says so.
  public private(set) var version = "1"
  /// How the request is identified.
  public var requestInfo = AdvancedCommerceRequestInfo()
  /// A transaction of the subscription.
  public var transactionID: String = ""
  /// The items to renew; if given, at least one.
  public var items: [AdvancedCommerceItemReference]?
  /// The country of the store, by its three-letter code.
  public var storefront: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// A request for the whole subscription.
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
