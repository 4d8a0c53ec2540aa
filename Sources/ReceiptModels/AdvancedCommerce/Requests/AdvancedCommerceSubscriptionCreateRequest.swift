public import JSONValues

/// An in-app request for a new subscription.
///
/// Reading and writing check no limits; ``validate()`` does.
///
/// Source: Apple, `SubscriptionCreateRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionCreateRequest: AdvancedCommerceInAppRequest, FieldModel {
  public static let operation: AdvancedCommerceOperation = .createSubscription

  /// The operation of the request, which differs only if read from JSON that says so.
  public private(set) var operation: AdvancedCommerceOperation = Self.operation
  /// The version of the request format, which differs only if read from JSON that says so.
  public private(set) var version = "1"
  public var requestInfo = AdvancedCommerceRequestInfo()
  /// The ISO 4217 code of the currency of all prices.
  public var currency: String = ""
  public var descriptors = AdvancedCommerceDescriptors()
  /// The items of the subscription, at least one.
  public var items: [AdvancedCommerceSubscriptionCreateItem] = []
  public var period = AdvancedCommercePeriod(rawValue: "")
  public var taxCode: String = ""
  /// A transaction of the subscription that this one replaces.
  public var previousTransactionID: String?
  /// The three-letter code of the storefront's country.
  public var storefront: String?
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a request without a previous transaction and a storefront.
  public init(
    requestInfo: AdvancedCommerceRequestInfo, currency: String,
    descriptors: AdvancedCommerceDescriptors, items: [AdvancedCommerceSubscriptionCreateItem],
    period: AdvancedCommercePeriod, taxCode: String
  ) {
    self.requestInfo = requestInfo
    self.currency = currency
    self.descriptors = descriptors
    self.items = items
    self.period = period
    self.taxCode = taxCode
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.preset("operation", &operation)
    try coder.preset("version", &version)
    try coder.required("requestInfo", &requestInfo)
    try coder.required("currency", &currency)
    try coder.required("descriptors", &descriptors)
    try coder.required("items", &items)
    try coder.required("period", &period)
    try coder.required("taxCode", &taxCode)
    try coder("previousTransactionId", &previousTransactionID)
    try coder("storefront", &storefront)
  }
}
