public import JSONValues

/// An in-app request to modify a subscription.
///
/// Reading and writing check no limits; ``validate()`` does.
///
/// Source: Apple, `SubscriptionModifyInAppRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionModifyInAppRequest: AdvancedCommerceInAppRequest,
  FieldModel
{
  public static let operation: AdvancedCommerceOperation = .modifySubscription

  /// The operation of the request, which differs only if read from JSON that says so.
  public private(set) var operation: AdvancedCommerceOperation = Self.operation
  /// The version of the request format, which differs only if read from JSON that says so.
  public private(set) var version = "1"
  public var requestInfo = AdvancedCommerceRequestInfo()
  public var transactionID: String = ""
  /// Whether the billing dates of the subscription stay the same.
  public var retainBillingCycle: Bool = false
  /// The items to add; not empty.
  public var addItems: [AdvancedCommerceSubscriptionAddItem]?
  /// The items to change; not empty.
  public var changeItems: [AdvancedCommerceSubscriptionChangeItem]?
  /// The items to remove; not empty.
  public var removeItems: [AdvancedCommerceItemReference]?
  public var periodChange: AdvancedCommercePeriodChange?
  public var descriptors: AdvancedCommerceDescriptorsChange?
  /// The ISO 4217 code of the currency of all prices.
  public var currency: String?
  public var taxCode: String?
  /// The three-letter code of the storefront's country.
  public var storefront: String?
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a request without changes.
  public init(
    requestInfo: AdvancedCommerceRequestInfo, transactionID: String, retainBillingCycle: Bool
  ) {
    self.requestInfo = requestInfo
    self.transactionID = transactionID
    self.retainBillingCycle = retainBillingCycle
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.preset("operation", &operation)
    try coder.preset("version", &version)
    try coder.required("requestInfo", &requestInfo)
    try coder.required("transactionId", &transactionID)
    try coder.required("retainBillingCycle", &retainBillingCycle)
    try coder("addItems", &addItems)
    try coder("changeItems", &changeItems)
    try coder("removeItems", &removeItems)
    try coder("periodChange", &periodChange)
    try coder("descriptors", &descriptors)
    try coder("currency", &currency)
    try coder("taxCode", &taxCode)
    try coder("storefront", &storefront)
  }
}
