public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppReceipt {
  /// One in-app purchase of an app receipt: one charge, or one restored purchase.
  ///
  /// Source: Apple, Receipt Fields; contract on signed data, section 6.5.
  public struct Purchase: Hashable, Sendable {
    /// How many items were bought (attribute 1701).
    public var quantity: Int?
    /// The product (attribute 1702).
    public var productID: String?
    /// The id of this charge (attribute 1703); "0" and up with Xcode.
    public var transactionID: String?
    /// When it was charged (attribute 1704).
    public var purchaseDate: Date?
    /// The id of the first charge, the same over renewals (attribute 1705); absent with Xcode.
    public var originalTransactionID: String?
    /// When the first charge was made (attribute 1706); absent with Xcode.
    public var originalPurchaseDate: Date?
    /// What was bought (attribute 1707, undocumented).
    public var productType: AppReceiptProductType?
    /// When the period that was paid for ends (attribute 1708); nil when it is no subscription.
    public var expiresDate: Date?
    /// The number that Apple gave the product, 0 in the Sandbox (attribute 1710, undocumented).
    public var itemID: Int?
    /// The number of a subscription's charge (attribute 1711); 0 stands for none.
    public var webOrderLineItemID: Int?
    /// When Apple refunded or revoked it (attribute 1712); nil when it did not.
    public var cancellationDate: Date?
    /// Whether it is a free trial (attribute 1713, undocumented).
    public var isTrialPeriod: Bool?
    /// Whether it is of an introductory offer (attribute 1719); absent before about 2017-12.
    public var isInIntroOfferPeriod: Bool?
    /// The promotional offer (attribute 1721, undocumented).
    public var promotionalOfferID: String?
    /// Probably the ownership, 0 purchased and 1 family (attribute 1722, undocumented, since about
    /// 2021-11); nothing is derived from it.
    public var ownershipCode: Int?
    /// All attributes, known or not, in the order of the receipt.
    public var attributes: [Attribute] = []

    /// A purchase to be filled field by field.
    public init() {}
  }
}

/// What a purchase in an app receipt is of.
///
/// Source: contract on signed data, section 6.5, attribute 1707; Apple does not document it.
public struct AppReceiptProductType: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Takes any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Bought once, owned for ever.
  public static let nonConsumable = AppReceiptProductType(rawValue: 0)
  /// Used up.
  public static let consumable = AppReceiptProductType(rawValue: 1)
  /// A period that does not renew.
  public static let nonRenewingSubscription = AppReceiptProductType(rawValue: 2)
  /// A period that renews.
  public static let autoRenewableSubscription = AppReceiptProductType(rawValue: 3)
  /// A free subscription of the former Newsstand.
  public static let freeSubscription = AppReceiptProductType(rawValue: 4)

  /// The known values.
  public static let allCases: [AppReceiptProductType] = [
    nonConsumable, consumable, nonRenewingSubscription, autoRenewableSubscription,
    freeSubscription,
  ]
}
