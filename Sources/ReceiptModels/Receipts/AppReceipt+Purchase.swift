#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppReceipt {
  /// An in-app purchase in an app receipt: a charge or a restored purchase.
  ///
  /// Source: Apple, Receipt Fields; App Store rules, section 6.5.
  public struct Purchase: Hashable, Sendable {
    /// The quantity (attribute 1701).
    public var quantity: Int?
    /// The identifier of the product (attribute 1702).
    public var productID: String?
    /// The identifier of this charge (attribute 1703); a small number in Xcode, from "0".
    public var transactionID: String?
    /// The date of this charge (attribute 1704).
    public var purchaseDate: Date?
    /// The identifier of the first charge, stable over renewals (attribute 1705); absent in Xcode.
    public var originalTransactionID: String?
    /// The date of the first charge (attribute 1706); absent in Xcode.
    public var originalPurchaseDate: Date?
    /// The kind of product (attribute 1707, undocumented).
    public var productType: AppReceiptProductType?
    /// The end of the paid period (attribute 1708); nil unless this is a subscription.
    public var expiresDate: Date?
    /// Apple's number of the product, 0 in the sandbox (attribute 1710, undocumented).
    public var itemID: Int?
    /// The number of the purchase event of a subscription (attribute 1711); 0 if there is none.
    public var webOrderLineItemID: Int?
    /// The date on which Apple refunded or revoked the purchase (attribute 1712), or nil.
    public var cancellationDate: Date?
    /// Whether this is a free trial (attribute 1713, undocumented).
    public var isTrialPeriod: Bool?
    /// Whether this is an introductory offer (attribute 1719); absent before about 2017-12.
    public var isInIntroOfferPeriod: Bool?
    /// The identifier of the promotional offer (attribute 1721, undocumented).
    public var promotionalOfferID: String?
    /// The ownership code, probably 0 for purchased and 1 for family shared.
    ///
    /// Attribute 1722 is undocumented and exists since about 2021-11. Nothing is derived from it.
    public var ownershipCode: Int?
    /// All attributes, known or not, in the order of the receipt.
    public var attributes: [Attribute] = []

    /// Creates an empty purchase.
    public init() {}
  }
}

/// The kind of product of a purchase in an app receipt.
///
/// Source: App Store rules, section 6.5, attribute 1707; Apple does not document it.
public struct AppReceiptProductType: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let nonConsumable = Self(rawValue: 0)
  public static let consumable = Self(rawValue: 1)
  public static let nonRenewingSubscription = Self(rawValue: 2)
  public static let autoRenewableSubscription = Self(rawValue: 3)
  /// A free subscription of the former Newsstand.
  public static let freeSubscription = Self(rawValue: 4)

  public static let allCases: [Self] = [
    nonConsumable, consumable, nonRenewingSubscription, autoRenewableSubscription, freeSubscription,
  ]
}
