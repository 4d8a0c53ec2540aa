public import JSONValues

/// A request of the app for a purchase that does not renew.
///
/// Limits are checked by ``validate()``, neither when reading nor when writing.
///
/// Source: Apple, `OneTimeChargeCreateRequest`, Advanced Commerce API.
public struct AdvancedCommerceOneTimeChargeCreateRequest: AdvancedCommerceInAppRequest, FieldModel {
  /// What requests of this type ask for.
  public static let operation: AdvancedCommerceOperation = .createOneTimeCharge

  /// What the request asks for; another value comes only from JSON that says so.
  public private(set) var operation: AdvancedCommerceOperation = Self.operation
  /// The version of the request's form; another value comes only from JSON that says so.
  public private(set) var version = "1"
  /// How the request is identified.
  public var requestInfo = AdvancedCommerceRequestInfo()
  /// The currency of all prices, by its ISO 4217 code.
  public var currency: String = ""
  /// What is bought.
  public var item = AdvancedCommerceOneTimeChargeItem()
  /// The tax category.
  public var taxCode: String = ""
  /// The country of the store, by its three-letter code.
  public var storefront: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// A request without a storefront.
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
