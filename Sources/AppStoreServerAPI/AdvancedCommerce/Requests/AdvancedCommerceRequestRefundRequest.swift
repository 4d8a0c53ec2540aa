public import JSONValues
public import ReceiptModels

/// A request to refund items of a transaction.
///
/// Reading and writing check no limits; ``validate()`` does. Source: Apple, `RequestRefundRequest`,
/// Advanced Commerce API.
public struct AdvancedCommerceRequestRefundRequest: CheckedRequest {
  public var requestInfo = AdvancedCommerceRequestInfo()
  /// The items; not empty.
  public var items: [AdvancedCommerceRequestRefundItem] = []
  /// Whether Apple asks for consumption data before it decides.
  public var refundRiskingPreference: Bool = false
  /// The ISO 4217 code of the currency of all prices.
  public var currency: String?
  /// The three-letter code of the storefront's country.
  public var storefront: String?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a request.
  public init(
    requestInfo: AdvancedCommerceRequestInfo, items: [AdvancedCommerceRequestRefundItem],
    refundRiskingPreference: Bool
  ) {
    self.requestInfo = requestInfo
    self.items = items
    self.refundRiskingPreference = refundRiskingPreference
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("requestInfo", &requestInfo)
    try coder.required("items", &items)
    try coder.required("refundRiskingPreference", &refundRiskingPreference)
    try coder("currency", &currency)
    try coder("storefront", &storefront)
  }
}

/// An item to be refunded.
///
/// Source: Apple, `RequestRefundItem`, Advanced Commerce API.
public struct AdvancedCommerceRequestRefundItem: FieldModel {
  /// The server's identifier of the item, at most 128 characters.
  public var sku: String = ""
  public var refundReason = AdvancedCommerceRefundReason(rawValue: "")
  public var refundType = AdvancedCommerceRefundType(rawValue: "")
  /// Whether the customer loses the item.
  public var revoke: Bool = false
  /// The amount, in thousandths of the currency unit, exactly if the extent is custom.
  public var refundAmount: Int?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates an item without an amount.
  public init(
    sku: String, refundReason: AdvancedCommerceRefundReason, refundType: AdvancedCommerceRefundType,
    revoke: Bool
  ) {
    self.sku = sku
    self.refundReason = refundReason
    self.refundType = refundType
    self.revoke = revoke
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("SKU", &sku)
    try coder.required("refundReason", &refundReason)
    try coder.required("refundType", &refundType)
    try coder.required("revoke", &revoke)
    try coder("refundAmount", &refundAmount)
  }
}

extension AdvancedCommerceRequestRefundRequest {
  /// Checks the documented limits.
  public func validate() throws(InvalidRequest) {
    try AdvancedCommerceCheck.list(items, "items") { item, path throws(InvalidRequest) in
      try item.check(path)
    }
    try RequestCheck.currency(currency, "currency")
    try RequestCheck.country(storefront, "storefront")
  }
}

extension AdvancedCommerceRequestRefundItem {
  func check(_ path: String) throws(InvalidRequest) {
    try AdvancedCommerceCheck.sku(sku, path + "SKU")
    try RequestCheck.known(refundReason, path + "refundReason")
    try RequestCheck.known(refundType, path + "refundType")
    if let refundAmount {
      guard refundType == .custom else {
        throw InvalidRequest(path + "refundAmount", .notAllowed(with: path + "refundType"))
      }
      try AdvancedCommerceCheck.amount(refundAmount, path + "refundAmount")
    } else if refundType == .custom {
      throw InvalidRequest(path + "refundAmount", .missing)
    }
  }
}
