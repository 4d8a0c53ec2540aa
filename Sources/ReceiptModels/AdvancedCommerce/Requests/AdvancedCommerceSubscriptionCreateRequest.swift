public import JSONValues

/// An in-app request for a new subscription.
///
/// Reading and writing check no limits; ``validate()`` does. Source: Apple,
/// `SubscriptionCreateRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionCreateRequest: AdvancedCommerceInAppRequest, FieldModel {
  public static let operation: AdvancedCommerceOperation = .createSubscription

  public private(set) var operation: AdvancedCommerceOperation = Self.operation
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
    try coder.form(&operation, &version)
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

/// An item of a new subscription.
///
/// Source: Apple, `advancedCommerceSubscriptionCreateItem`.
public struct AdvancedCommerceSubscriptionCreateItem: FieldModel {
  /// The server's identifier of the item, at most 128 characters.
  public var sku: String = ""
  /// The name that customers see, at most 30 characters.
  public var displayName: String = ""
  /// The description that customers see, at most 45 characters.
  public var description: String = ""
  /// The price, in thousandths of the currency unit.
  public var price: Int = 0
  public var offer: AdvancedCommerceOffer?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates an item without an offer.
  public init(sku: String, displayName: String, description: String, price: Int) {
    self.sku = sku
    self.displayName = displayName
    self.description = description
    self.price = price
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("SKU", &sku)
    try coder.required("displayName", &displayName)
    try coder.required("description", &description)
    try coder.required("price", &price)
    try coder("offer", &offer)
  }
}

/// An item to add to a subscription.
///
/// Source: Apple, `advancedCommerceSubscriptionModifyAddItem`.
public struct AdvancedCommerceSubscriptionAddItem: FieldModel {
  /// The server's identifier of the item, at most 128 characters.
  public var sku: String = ""
  /// The name that customers see, at most 30 characters.
  public var displayName: String = ""
  /// The description that customers see, at most 45 characters.
  public var description: String = ""
  /// The price, in thousandths of the currency unit.
  public var price: Int = 0
  public var offer: AdvancedCommerceOffer?
  /// The price for the rest of the current period, in thousandths of the currency unit.
  public var proratedPrice: Int?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates an item without an offer.
  public init(sku: String, displayName: String, description: String, price: Int) {
    self.sku = sku
    self.displayName = displayName
    self.description = description
    self.price = price
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("SKU", &sku)
    try coder.required("displayName", &displayName)
    try coder.required("description", &description)
    try coder.required("price", &price)
    try coder("offer", &offer)
    try coder("proratedPrice", &proratedPrice)
  }
}
