public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The additional information of the Advanced Commerce API in a transaction.
///
/// Money is in thousandths of the currency unit. Source: Apple, `advancedCommerceTransactionInfo`.
public struct AdvancedCommerceTransactionInfo: FieldModel {
  public var descriptors: AdvancedCommerceDescriptors?
  public var items: [AdvancedCommerceTransactionItem]?
  public var period: AdvancedCommercePeriod?
  /// The identifier of the request, assigned by the server.
  public var requestReferenceID: String?
  public var taxCode: String?
  /// The tax rate, as decimal text.
  public var taxRate: String?
  /// The tax that Apple estimates, in thousandths of the currency unit.
  public var estimatedTax: Int?
  /// The price without tax, in thousandths of the currency unit.
  public var taxExclusivePrice: Int?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("descriptors", &descriptors)
    try coder("items", &items)
    try coder("period", &period)
    try coder("requestReferenceId", &requestReferenceID)
    try coder("taxCode", &taxCode)
    try coder("taxRate", &taxRate)
    try coder("estimatedTax", &estimatedTax)
    try coder("taxExclusivePrice", &taxExclusivePrice)
  }
}

/// An item of a transaction, in the Advanced Commerce API.
///
/// Source: Apple, `advancedCommerceTransactionItem`.
public struct AdvancedCommerceTransactionItem: FieldModel {
  /// The server's identifier of the item.
  public var sku: String?
  /// The name that customers see.
  public var displayName: String?
  /// The description that customers see.
  public var description: String?
  /// The price, in thousandths of the currency unit.
  public var price: Int?
  public var offer: AdvancedCommerceOffer?
  public var refunds: [AdvancedCommerceRefund]?
  public var revocationDate: Date?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("SKU", &sku)
    try coder("displayName", &displayName)
    try coder("description", &description)
    try coder("price", &price)
    try coder("offer", &offer)
    try coder("refunds", &refunds)
    try coder("revocationDate", &revocationDate)
  }
}

/// A refund of an item, in the Advanced Commerce API.
///
/// Source: Apple, `advancedCommerceRefund`.
public struct AdvancedCommerceRefund: FieldModel {
  /// The refunded amount, in thousandths of the currency unit.
  public var refundAmount: Int?
  public var refundDate: Date?
  public var refundReason: AdvancedCommerceRefundReason?
  public var refundType: AdvancedCommerceRefundType?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("refundAmount", &refundAmount)
    try coder("refundDate", &refundDate)
    try coder("refundReason", &refundReason)
    try coder("refundType", &refundType)
  }
}

/// The extent of a refund.
///
/// Source: Apple, `refundType`, Advanced Commerce API.
public struct AdvancedCommerceRefundType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let full = Self(rawValue: "FULL")
  /// The part of the price for the unused time.
  public static let prorated = Self(rawValue: "PRORATED")
  public static let custom = Self(rawValue: "CUSTOM")

  public static let allCases: [Self] = [full, prorated, custom]
}

/// The reason for a refund of an item.
///
/// Source: Apple, `refundReason`, Advanced Commerce API.
public struct AdvancedCommerceRefundReason: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let unintendedPurchase = Self(rawValue: "UNINTENDED_PURCHASE")
  /// The purchase was not delivered or does not work.
  public static let fulfillmentIssue = Self(rawValue: "FULFILLMENT_ISSUE")
  public static let unsatisfiedWithPurchase = Self(rawValue: "UNSATISFIED_WITH_PURCHASE")
  public static let legal = Self(rawValue: "LEGAL")
  public static let other = Self(rawValue: "OTHER")
  public static let modifyItemsRefund = Self(rawValue: "MODIFY_ITEMS_REFUND")
  /// A declined refund is simulated; only in the sandbox.
  public static let simulateRefundDecline = Self(rawValue: "SIMULATE_REFUND_DECLINE")

  public static let allCases: [Self] = [
    unintendedPurchase, fulfillmentIssue, unsatisfiedWithPurchase, legal, other, modifyItemsRefund,
    simulateRefundDecline,
  ]
}

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
