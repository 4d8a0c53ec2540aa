#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The contents of an app receipt: the app, and the purchases in it.
///
/// A value alone proves nothing; only a verifier knows that Apple signed it. An empty attribute and
/// an absent one are both nil here; ``attributes`` tells them apart. Source: Apple, Receipt Fields;
/// App Store rules, section 6.4.
public struct AppReceipt: Hashable, Sendable {
  /// The type of the receipt (attribute 0).
  public var receiptType: ReceiptType
  /// The bundle identifier of the app (attribute 2).
  public var bundleID: String
  /// The creation date of the receipt, in whole or fractional seconds (attribute 12).
  public var creationDate: Date
  /// Apple's number of the app, 0 in the sandbox (attribute 1; `adam_id`, `app_item_id`).
  public var appItemID: Int?
  /// The version of the app, CFBundleVersion on iOS (attribute 3).
  public var applicationVersion: String?
  /// The version of the app at the first purchase, "1.0" in the sandbox (attribute 19).
  public var originalApplicationVersion: String?
  /// The date of the app's first purchase (attribute 18).
  public var originalPurchaseDate: Date?
  /// The expiration date of the receipt, for the volume purchase program (attribute 21).
  ///
  /// Xcode writes a date in the year 4001.
  public var expirationDate: Date?
  /// The age rating, such as "4+" (attribute 10, undocumented).
  public var ageRating: String?
  /// Apple's number of the developer, 0 in the sandbox (attribute 11, undocumented).
  public var developerID: Int?
  /// Apple's number of the download, 0 in the sandbox (attribute 15, undocumented; `download_id`).
  public var downloadID: Int?
  /// Apple's number of the app's version, 0 in the sandbox (attribute 16, undocumented).
  public var versionExternalIdentifier: Int?
  /// The opaque bytes of the device hash (attribute 4).
  public var opaqueValue: [UInt8]
  /// The device hash (attribute 5): SHA-1 of the device identifier, ``opaqueValue`` and
  /// ``bundleIDValue``.
  public var sha1Hash: [UInt8]
  /// The value of attribute 2 with its tag and length, as hashed in the device hash.
  public var bundleIDValue: [UInt8]
  /// The purchases, in the order of the receipt (attribute 17).
  public var purchases: [Purchase]
  /// All attributes except the purchases, known or not, in the order of the receipt.
  ///
  /// The list is made anew each time; take it once where several attributes are read or changed.
  public var attributes: [Attribute] {
    get { attributeList.attributes }
    set { attributeList = AttributeList(newValue) }
  }
  package var attributeList = AttributeList()

  /// Creates a receipt with the required attributes.
  public init(receiptType: ReceiptType, bundleID: String, creationDate: Date) {
    self.receiptType = receiptType
    self.bundleID = bundleID
    self.creationDate = creationDate
    opaqueValue = []
    sha1Hash = []
    bundleIDValue = []
    purchases = []
  }

  /// An attribute of a receipt.
  public struct Attribute: Hashable, Sendable {
    public var type: Int
    /// The version of the attribute, which has no known meaning.
    public var version: Int
    /// The value, which shares the memory of the receipt because most are never read.
    private var slice: ArraySlice<UInt8>

    /// The content of the octet string: one DER value, or raw bytes (types 4 to 7).
    public var value: [UInt8] {
      get { Array(slice) }
      set { slice = newValue[...] }
    }

    /// Creates an attribute.
    public init(type: Int, version: Int = 1, value: [UInt8]) {
      self.init(type: type, version: version, sharing: value[...])
    }

    package init(type: Int, version: Int, sharing value: ArraySlice<UInt8>) {
      self.type = type
      self.version = version
      slice = value
    }
  }
}

extension AppReceipt: CustomReflectable {
  /// The identifying fields of the receipt, without the bytes that tie it to a device.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "receiptType": receiptType, "bundleID": bundleID, "creationDate": creationDate,
        "applicationVersion": applicationVersion as Any, "purchases": purchases,
      ], displayStyle: .struct)
  }
}

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
    ///
    /// The list is made anew each time. It shares the memory of the whole receipt, which a kept purchase keeps too.
    public var attributes: [Attribute] {
      get { attributeList.attributes }
      set { attributeList = AttributeList(newValue) }
    }
    package var attributeList = AttributeList()

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
