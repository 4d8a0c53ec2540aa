public import JSONValues

/// The additional information of the Advanced Commerce API in a renewal info.
///
/// Source: Apple, `advancedCommerceRenewalInfo`.
public struct AdvancedCommerceRenewalInfo: FieldModel {
  public var descriptors: AdvancedCommerceDescriptors?
  public var items: [AdvancedCommerceRenewalItem]?
  public var period: AdvancedCommercePeriod?
  /// The identifier of the request, assigned by the server.
  public var requestReferenceID: String?
  /// The token of this state, to be sent with the next request.
  public var consistencyToken: String?
  public var taxCode: String?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("descriptors", &descriptors)
    try coder("items", &items)
    try coder("period", &period)
    try coder("requestReferenceId", &requestReferenceID)
    try coder("consistencyToken", &consistencyToken)
    try coder("taxCode", &taxCode)
  }
}

/// An item that will renew, in a subscription of the Advanced Commerce API.
///
/// Source: Apple, `advancedCommerceRenewalItem`.
public struct AdvancedCommerceRenewalItem: FieldModel {
  /// The server's identifier of the item.
  public var sku: String?
  /// The name that customers see.
  public var displayName: String?
  /// The description that customers see.
  public var description: String?
  /// The price, in thousandths of the currency unit.
  public var price: Int?
  public var offer: AdvancedCommerceOffer?
  public var priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("SKU", &sku)
    try coder("displayName", &displayName)
    try coder("description", &description)
    try coder("price", &price)
    try coder("offer", &offer)
    try coder("priceIncreaseInfo", &priceIncreaseInfo)
  }
}

/// An announced price increase of an item.
///
/// Source: Apple, `advancedCommercePriceIncreaseInfo`.
public struct AdvancedCommercePriceIncreaseInfo: FieldModel {
  /// The identifiers of the items that depend on this one.
  public var dependentSKUs: [String]?
  /// The higher price, in thousandths of the currency unit.
  public var price: Int?
  public var status: AdvancedCommercePriceIncreaseStatus?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("dependentSKUs", &dependentSKUs)
    try coder("price", &price)
    try coder("status", &status)
  }
}

/// The status of the price increase of an item.
///
/// Source: Apple, `status` of a price increase, Advanced Commerce API.
public struct AdvancedCommercePriceIncreaseStatus: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The increase is planned, and the customer has not been asked yet.
  public static let scheduled = Self(rawValue: "SCHEDULED")
  /// The customer has been asked, but has not answered.
  public static let pending = Self(rawValue: "PENDING")
  /// The customer consented, or was notified where consent is not needed.
  public static let accepted = Self(rawValue: "ACCEPTED")

  public static let allCases: [Self] = [scheduled, pending, accepted]
}
