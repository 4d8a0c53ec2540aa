public import JSONValues

/// An in-app request to modify a subscription.
///
/// Reading and writing check no limits; ``validate()`` does. Source: Apple,
/// `SubscriptionModifyInAppRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionModifyInAppRequest: AdvancedCommerceInAppRequest,
  FieldModel
{
  public static let operation: AdvancedCommerceOperation = .modifySubscription

  public private(set) var operation: AdvancedCommerceOperation = Self.operation
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
    try coder.form(&operation, &version)
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

/// A change of one item of a subscription to another.
///
/// Source: Apple, `advancedCommerceSubscriptionModifyChangeItem`.
public struct AdvancedCommerceSubscriptionChangeItem: FieldModel {
  /// The server's identifier of the present item, at most 128 characters.
  public var currentSKU: String = ""
  /// The server's identifier of the item, at most 128 characters.
  public var sku: String = ""
  /// The name that customers see, at most 30 characters.
  public var displayName: String = ""
  /// The description that customers see, at most 45 characters.
  public var description: String = ""
  /// The price, in thousandths of the currency unit.
  public var price: Int = 0
  public var effective = AdvancedCommerceEffective(rawValue: "")
  public var reason = AdvancedCommerceReason(rawValue: "")
  public var offer: AdvancedCommerceOffer?
  /// The price for the rest of the current period, in thousandths of the currency unit.
  public var proratedPrice: Int?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a change without an offer.
  public init(
    currentSKU: String, sku: String, displayName: String, description: String, price: Int,
    effective: AdvancedCommerceEffective, reason: AdvancedCommerceReason
  ) {
    self.currentSKU = currentSKU
    self.sku = sku
    self.displayName = displayName
    self.description = description
    self.price = price
    self.effective = effective
    self.reason = reason
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("currentSKU", &currentSKU)
    try coder.required("SKU", &sku)
    try coder.required("displayName", &displayName)
    try coder.required("description", &description)
    try coder.required("price", &price)
    try coder.required("effective", &effective)
    try coder.required("reason", &reason)
    try coder("offer", &offer)
    try coder("proratedPrice", &proratedPrice)
  }
}

/// The reason for the change of an item.
///
/// Source: Apple, `reason` of a change, Advanced Commerce API.
public struct AdvancedCommerceReason: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let upgrade = Self(rawValue: "UPGRADE")
  public static let downgrade = Self(rawValue: "DOWNGRADE")
  public static let applyOffer = Self(rawValue: "APPLY_OFFER")

  public static let allCases: [Self] = [upgrade, downgrade, applyOffer]
}

/// A reference to an item of a subscription, to remove or reactivate it.
///
/// Source: Apple, `advancedCommerceSubscriptionModifyRemoveItem` and
/// `advancedCommerceSubscriptionReactivateItem`.
public struct AdvancedCommerceItemReference: FieldModel {
  /// The server's identifier of the item, at most 128 characters.
  public var sku: String = ""
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a reference.
  public init(sku: String) {
    self.sku = sku
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("SKU", &sku)
  }
}

/// An in-app request to reactivate a cancelled subscription.
///
/// Reading and writing check no limits; ``validate()`` does. Source: Apple,
/// `SubscriptionReactivateInAppRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionReactivateInAppRequest: AdvancedCommerceInAppRequest,
  FieldModel
{
  public static let operation: AdvancedCommerceOperation = .reactivateSubscription

  public private(set) var operation: AdvancedCommerceOperation = Self.operation
  public private(set) var version = "1"
  public var requestInfo = AdvancedCommerceRequestInfo()
  public var transactionID: String = ""
  /// The items to reactivate; not empty.
  public var items: [AdvancedCommerceItemReference]?
  public var storefront: String?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a request for the whole subscription.
  public init(requestInfo: AdvancedCommerceRequestInfo, transactionID: String) {
    self.requestInfo = requestInfo
    self.transactionID = transactionID
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.form(&operation, &version)
    try coder.required("requestInfo", &requestInfo)
    try coder.required("transactionId", &transactionID)
    try coder("items", &items)
    try coder("storefront", &storefront)
  }
}
