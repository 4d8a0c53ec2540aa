public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A purchase of one one-time product, in Google's older form.
///
/// It alone tells promotions and rewards. Source: Google Play Developer API, `ProductPurchase`.
public struct ProductPurchase: GoogleModel {
  public let json: JSONValue
  /// Google's name of the type, `androidpublisher#productPurchase`.
  public let kind: String?
  public let productID: String?
  public let purchaseToken: String?
  public let orderID: String?
  public let purchaseTime: Date?
  public let purchaseState: PurchaseState?
  /// The kind of a purchase that was not made in the ordinary way; nil for one that was.
  public let purchaseType: PurchaseType?
  public let consumptionState: ConsumptionState?
  public let acknowledgementState: AcknowledgementState?
  public let developerPayload: String?
  /// The number of pieces; nil for one.
  public let quantity: Int?
  /// The number of pieces that were not refunded.
  public let refundableQuantity: Int?
  /// The identifier of the user's account, as the app passed it to Google Play Billing.
  public let obfuscatedExternalAccountID: String?
  /// The identifier of the profile in the account, as the app passed it.
  public let obfuscatedExternalProfileID: String?
  /// The country of the user's billing address (ISO 3166-1).
  public let regionCode: String?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    kind = try members.text("kind")
    productID = try members.text("productId")
    purchaseToken = try members.text("purchaseToken")
    orderID = try members.text("orderId")
    purchaseTime = try members.milliseconds("purchaseTimeMillis")
    purchaseState = try members.value("purchaseState")
    purchaseType = try members.value("purchaseType")
    consumptionState = try members.value("consumptionState")
    acknowledgementState = try members.value("acknowledgementState")
    developerPayload = try members.text("developerPayload")
    quantity = try members.int64("quantity")
    refundableQuantity = try members.int64("refundableQuantity")
    obfuscatedExternalAccountID = try members.text("obfuscatedExternalAccountId")
    obfuscatedExternalProfileID = try members.text("obfuscatedExternalProfileId")
    regionCode = try members.text("regionCode")
    self.json = json
  }

  /// The state of a purchase.
  public struct PurchaseState: IntegerVocabulary {
    public var rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let purchased = Self(rawValue: 0)
    public static let canceled = Self(rawValue: 1)
    public static let pending = Self(rawValue: 2)

    public static let allCases: [Self] = [purchased, canceled, pending]
  }

  /// A kind of purchase that is not made in the ordinary way.
  public struct PurchaseType: IntegerVocabulary {
    public var rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A license tester's.
    public static let test = Self(rawValue: 0)
    /// A purchase with a promotion code.
    public static let promo = Self(rawValue: 1)
    /// A reward, for example for watching an advertisement.
    public static let rewarded = Self(rawValue: 2)

    public static let allCases: [Self] = [test, promo, rewarded]
  }

  /// Whether a product was consumed.
  public struct ConsumptionState: IntegerVocabulary {
    public var rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let yetToBeConsumed = Self(rawValue: 0)
    public static let consumed = Self(rawValue: 1)

    public static let allCases: [Self] = [yetToBeConsumed, consumed]
  }

  /// Whether a purchase was acknowledged.
  public struct AcknowledgementState: IntegerVocabulary {
    public var rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let yetToBeAcknowledged = Self(rawValue: 0)
    public static let acknowledged = Self(rawValue: 1)

    public static let allCases: [Self] = [yetToBeAcknowledged, acknowledged]
  }
}
