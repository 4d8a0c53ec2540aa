public import JSONValues

/// The additional information of the Advanced Commerce API in a renewal info.
///
/// Source: Apple, `advancedCommerceRenewalInfo`.
public struct AdvancedCommerceRenewalInfo: FieldModel {
  /// The name and the description of the subscription.
  public var descriptors: AdvancedCommerceDescriptors?
  /// The items that will renew.
  public var items: [AdvancedCommerceRenewalItem]?
  /// The length of a subscription period.
  public var period: AdvancedCommercePeriod?
  /// The identifier of the request, assigned by the server.
  public var requestReferenceID: String?
  /// The token of this state, to be sent with the next request.
  public var consistencyToken: String?
  /// The tax category.
  public var taxCode: String?

  /// Members that this version does not know.
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
  /// The offer that will be applied.
  public var offer: AdvancedCommerceOffer?
  /// The announced price increase.
  public var priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo?

  /// Members that this version does not know.
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

  /// Members that this version does not know.
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
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The increase is planned, and the customer has not been asked yet.
  public static let scheduled = AdvancedCommercePriceIncreaseStatus(rawValue: "SCHEDULED")
  /// The customer has been asked, but has not answered.
  public static let pending = AdvancedCommercePriceIncreaseStatus(rawValue: "PENDING")
  /// The customer consented, or was notified where consent is not needed.
  public static let accepted = AdvancedCommercePriceIncreaseStatus(rawValue: "ACCEPTED")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommercePriceIncreaseStatus] = [
    scheduled, pending, accepted,
  ]
}
