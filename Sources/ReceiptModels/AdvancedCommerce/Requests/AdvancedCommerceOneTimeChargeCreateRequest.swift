public import JSONValues

/// An in-app request for a one-time charge.
///
/// Reading and writing check no limits; ``validate()`` does.
///
/// Source: Apple, `OneTimeChargeCreateRequest`, Advanced Commerce API.
public struct AdvancedCommerceOneTimeChargeCreateRequest: AdvancedCommerceInAppRequest, FieldModel {
  public static let operation: AdvancedCommerceOperation = .createOneTimeCharge

  /// The operation of the request, which differs only if read from JSON that says so.
  public private(set) var operation: AdvancedCommerceOperation = Self.operation
  /// The version of the request format, which differs only if read from JSON that says so.
  public private(set) var version = "1"
  public var requestInfo = AdvancedCommerceRequestInfo()
  /// The ISO 4217 code of the currency of all prices.
  public var currency: String = ""
  public var item = AdvancedCommerceOneTimeChargeItem()
  public var taxCode: String = ""
  /// The three-letter code of the storefront's country.
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
    try coder.preset("operation", &operation)
    try coder.preset("version", &version)
    try coder.required("requestInfo", &requestInfo)
    try coder.required("currency", &currency)
    try coder.required("item", &item)
    try coder.required("taxCode", &taxCode)
    try coder("storefront", &storefront)
  }
}
