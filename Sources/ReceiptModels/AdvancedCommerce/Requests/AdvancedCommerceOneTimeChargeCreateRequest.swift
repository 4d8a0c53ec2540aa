public import JSONValues

/// An in-app request for a one-time charge.
///
/// Reading and writing check no limits; ``validate()`` does. Source: Apple,
/// `OneTimeChargeCreateRequest`, Advanced Commerce API.
public struct AdvancedCommerceOneTimeChargeCreateRequest: AdvancedCommerceInAppRequest, FieldModel {
  public static let operation: AdvancedCommerceOperation = .createOneTimeCharge

  public private(set) var operation: AdvancedCommerceOperation = Self.operation
  public private(set) var version = "1"
  public var requestInfo = AdvancedCommerceRequestInfo()
  /// The ISO 4217 code of the currency of all prices.
  public var currency: String = ""
  public var item = AdvancedCommerceOneTimeChargeItem()
  public var taxCode: String = ""
  public var storefront: String?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a request without a storefront.
  public init(
    requestInfo: AdvancedCommerceRequestInfo, currency: String,
    item: AdvancedCommerceOneTimeChargeItem, taxCode: String
  ) {
    self.requestInfo = requestInfo
    self.currency = currency
    self.item = item
    self.taxCode = taxCode
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.form(&operation, &version)
    try coder.required("requestInfo", &requestInfo)
    try coder.required("currency", &currency)
    try coder.required("item", &item)
    try coder.required("taxCode", &taxCode)
    try coder("storefront", &storefront)
  }
}

/// The item of a one-time charge.
///
/// Source: Apple, `advancedCommerceOneTimeChargeItem`.
public struct AdvancedCommerceOneTimeChargeItem: FieldModel {
  /// The server's identifier of the item, at most 128 characters.
  public var sku: String = ""
  /// The name that customers see, at most 30 characters.
  public var displayName: String = ""
  /// The description that customers see, at most 45 characters.
  public var description: String = ""
  /// The price, in thousandths of the currency unit.
  public var price: Int = 0
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates an item.
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
  }
}
