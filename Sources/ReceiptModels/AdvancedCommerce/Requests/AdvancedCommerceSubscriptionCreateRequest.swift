public import JSONValues

/// A request of the app for a new subscription.
///
/// Limits are checked by ``validate()``, neither when reading nor when writing.
///
/// Source: Apple, `SubscriptionCreateRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionCreateRequest: AdvancedCommerceInAppRequest, FieldModel {
  /// What requests of this type ask for.
  public static let operation: AdvancedCommerceOperation = .createSubscription

  /// What the request asks for; another value comes only from JSON that says so.
  public private(set) var operation: AdvancedCommerceOperation = Self.operation
  /// The version of the request's form; another value comes only from JSON that says so.
  public private(set) var version = "1"
  /// How the request is identified.
  public var requestInfo = AdvancedCommerceRequestInfo()
  /// The currency of all prices, by its ISO 4217 code.
  public var currency: String = ""
  /// The name and the description of the subscription.
  public var descriptors = AdvancedCommerceDescriptors()
  /// What is subscribed to, at least one item.
  public var items: [AdvancedCommerceSubscriptionCreateItem] = []
  /// The length of a subscription period.
  public var period = AdvancedCommercePeriod(rawValue: "")
  /// The tax category.
  public var taxCode: String = ""
  /// A transaction of the subscription that this one takes the place of.
  public var previousTransactionID: String?
  /// The country of the store, by its three-letter code.
  public var storefront: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// A request without a previous transaction and a storefront.
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
