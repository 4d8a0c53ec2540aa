public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A purchase of one-time products, as Google described it.
///
/// Members that this version doesn't know stay in ``json``. A member of the wrong type is refused, a
/// missing one is nil. Source: Google Play Developer API, `ProductPurchaseV2`.
public struct ProductPurchaseV2: GoogleModel {
  public let json: JSONValue
  public let productLineItems: [ProductLineItem]
  public let purchaseState: PurchaseState?
  /// The time at which the purchase was paid.
  public let purchaseCompletionTime: Date?
  public let orderID: String?
  public let acknowledgementState: AcknowledgementState?
  /// The identifier of the user's account, as the app passed it to Google Play Billing.
  public let obfuscatedExternalAccountID: String?
  /// The identifier of the profile in the account, as the app passed it.
  public let obfuscatedExternalProfileID: String?
  /// The country of the user's billing address (ISO 3166-1).
  public let regionCode: String?
  /// Whether a license tester made the purchase, in Google's counterpart of the Sandbox.
  public let isTest: Bool

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    productLineItems = try members.models("productLineItem")
    let context: PurchaseStateContext? = try members.model("purchaseStateContext")
    purchaseState = context?.purchaseState
    purchaseCompletionTime = try members.time("purchaseCompletionTime")
    orderID = try members.text("orderId")
    acknowledgementState = try members.value("acknowledgementState")
    obfuscatedExternalAccountID = try members.text("obfuscatedExternalAccountId")
    obfuscatedExternalProfileID = try members.text("obfuscatedExternalProfileId")
    regionCode = try members.text("regionCode")
    isTest = try members.hasObject("testPurchaseContext")
    self.json = json
  }

  /// The state of a purchase.
  ///
  /// The set of states is open: unknown ones are kept.
  public struct PurchaseState: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let purchased = Self(rawValue: "PURCHASED")
    public static let cancelled = Self(rawValue: "CANCELLED")
    public static let pending = Self(rawValue: "PENDING")
  }
}

/// The state of a purchase.
private struct PurchaseStateContext: GoogleModel {
  let json: JSONValue
  let purchaseState: ProductPurchaseV2.PurchaseState?

  init(json: JSONValue) throws(FieldTypeFailure) {
    purchaseState = try MemberReader(json).value("purchaseState")
    self.json = json
  }
}

/// A product in a purchase.
///
/// Source: Google Play Developer API, `ProductLineItem`.
public struct ProductLineItem: GoogleModel {
  public let json: JSONValue
  public let productID: String
  public let productOfferDetails: ProductOfferDetails?

  /// Creates the value from its JSON form.
  ///
  /// - Throws: `FieldTypeFailure`; only the product ID is required.
  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    productID = try members.requiredText("productId")
    productOfferDetails = try members.model("productOfferDetails")
    self.json = json
  }
}

/// The offer and the quantity of a product in a purchase.
///
/// Source: Google Play Developer API, `ProductOfferDetails`.
public struct ProductOfferDetails: GoogleModel {
  public let json: JSONValue
  public let quantity: Int?
  public let refundableQuantity: Int?
  public let consumptionState: ConsumptionState?
  public let purchaseOptionID: String?
  public let offerID: String?
  public let offerTags: [String]

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    quantity = try members.int64("quantity")
    refundableQuantity = try members.int64("refundableQuantity")
    consumptionState = try members.value("consumptionState")
    purchaseOptionID = try members.text("purchaseOptionId")
    offerID = try members.text("offerId")
    offerTags = try members.texts("offerTags")
    self.json = json
  }

  /// Whether a product was consumed.
  ///
  /// The set of states is open: unknown ones are kept.
  public struct ConsumptionState: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let yetToBeConsumed = Self(rawValue: "CONSUMPTION_STATE_YET_TO_BE_CONSUMED")
    public static let consumed = Self(rawValue: "CONSUMPTION_STATE_CONSUMED")
  }
}
