public import JSONValues

/// A request of the app for a change of a subscription.
///
/// Limits are checked by ``validate()``, neither when reading nor when writing.
///
/// Source: Apple, `SubscriptionModifyInAppRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionModifyInAppRequest: AdvancedCommerceInAppRequest,
  FieldModel
{
  /// What requests of this type ask for.
  public static let operation: AdvancedCommerceOperation = .modifySubscription

  /// What the request asks for; another value comes only from JSON that says so.
  public private(set) var operation: AdvancedCommerceOperation = Self.operation
  /// The version of the request's form; another value comes only from JSON that says so.
  public private(set) var version = "1"
  /// How the request is identified.
  public var requestInfo = AdvancedCommerceRequestInfo()
  /// A transaction of the subscription.
  public var transactionID: String = ""
  /// Whether the subscription is billed on the same days as before.
  public var retainBillingCycle: Bool = false
  /// The items to add; if given, at least one.
  public var addItems: [AdvancedCommerceSubscriptionAddItem]?
  /// The items to change; if given, at least one.
  public var changeItems: [AdvancedCommerceSubscriptionChangeItem]?
  /// The items to remove; if given, at least one.
  public var removeItems: [AdvancedCommerceItemReference]?
  /// A new period length.
  public var periodChange: AdvancedCommercePeriodChange?
  /// New texts.
  public var descriptors: AdvancedCommerceDescriptorsChange?
  /// The currency of all prices, by its ISO 4217 code.
  public var currency: String?
  /// The tax category.
  public var taxCode: String?
  /// The country of the store, by its three-letter code.
  public var storefront: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// A request that changes nothing yet.
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
