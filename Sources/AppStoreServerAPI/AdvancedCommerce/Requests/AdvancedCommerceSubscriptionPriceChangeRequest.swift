public import JSONValues
public import ReceiptModels

/// A request to change the prices of items of a subscription.
///
/// Reading and writing check no limits; ``validate()`` does. Source: Apple,
/// `SubscriptionPriceChangeRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionPriceChangeRequest: CheckedRequest {
  public var requestInfo = AdvancedCommerceRequestInfo()
  /// The items; not empty.
  public var items: [AdvancedCommerceSubscriptionPriceChangeItem] = []
  /// The ISO 4217 code of the currency of all prices.
  public var currency: String?
  /// The three-letter code of the storefront's country.
  public var storefront: String?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a request.
  public init(
    requestInfo: AdvancedCommerceRequestInfo, items: [AdvancedCommerceSubscriptionPriceChangeItem]
  ) {
    self.requestInfo = requestInfo
    self.items = items
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("requestInfo", &requestInfo)
    try coder.required("items", &items)
    try coder("currency", &currency)
    try coder("storefront", &storefront)
  }
}

/// A new price of an item.
///
/// Source: Apple, `SubscriptionPriceChangeItem`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionPriceChangeItem: FieldModel {
  /// The server's identifier of the item, at most 128 characters.
  public var sku: String = ""
  /// The new price, in thousandths of the currency unit.
  public var price: Int = 0
  /// The items whose renewal depends on the consent to this price.
  public var dependentSKUs: [String]?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a new price.
  public init(sku: String, price: Int) {
    self.sku = sku
    self.price = price
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("SKU", &sku)
    try coder.required("price", &price)
    try coder("dependentSKUs", &dependentSKUs)
  }
}

extension AdvancedCommerceSubscriptionPriceChangeRequest {
  /// Checks the documented limits.
  public func validate() throws(InvalidRequest) {
    try AdvancedCommerceCheck.list(items, "items") { item, path throws(InvalidRequest) in
      try AdvancedCommerceCheck.sku(item.sku, path + "SKU")
      try AdvancedCommerceCheck.amount(item.price, path + "price")
      for (index, sku) in (item.dependentSKUs ?? []).enumerated() {
        try AdvancedCommerceCheck.sku(sku, path + "dependentSKUs[\(index)]")
      }
    }
    try RequestCheck.currency(currency, "currency")
    try RequestCheck.country(storefront, "storefront")
  }
}
