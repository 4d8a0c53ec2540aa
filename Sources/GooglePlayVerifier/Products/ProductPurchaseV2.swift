public import JSONValues
public import ReceiptModels

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
  /// Google's name of the type, `androidpublisher#productPurchaseV2`.
  public let kind: String?
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
  /// The circumstances of a license tester's purchase; nil for any other one.
  public let testPurchaseContext: TestPurchaseContext?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    kind = try members.text("kind")
    productLineItems = try members.models("productLineItem")
    let context: PurchaseStateContext? = try members.model("purchaseStateContext")
    purchaseState = context?.purchaseState
    purchaseCompletionTime = try members.time("purchaseCompletionTime")
    orderID = try members.text("orderId")
    acknowledgementState = try members.value("acknowledgementState")
    obfuscatedExternalAccountID = try members.text("obfuscatedExternalAccountId")
    obfuscatedExternalProfileID = try members.text("obfuscatedExternalProfileId")
    regionCode = try members.text("regionCode")
    testPurchaseContext = try members.model("testPurchaseContext")
    self.json = json
  }

  /// Whether a license tester made the purchase, in Google's counterpart of the Sandbox.
  public var isTest: Bool { testPurchaseContext != nil }

  /// The state of a purchase.
  public struct PurchaseState: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "PURCHASE_STATE_UNSPECIFIED")
    public static let purchased = Self(rawValue: "PURCHASED")
    public static let cancelled = Self(rawValue: "CANCELLED")
    public static let pending = Self(rawValue: "PENDING")

    public static let allCases: [Self] = [unspecified, purchased, cancelled, pending]
  }
}

/// The state of a purchase.
package struct PurchaseStateContext: GoogleModel {
  package let json: JSONValue
  package let purchaseState: ProductPurchaseV2.PurchaseState?

  package init(json: JSONValue) throws(FieldTypeFailure) {
    purchaseState = try MemberReader(json).value("purchaseState")
    self.json = json
  }
}

/// The circumstances of a license tester's purchase.
///
/// Source: Google Play Developer API, `TestPurchaseContext`.
public struct TestPurchaseContext: GoogleModel {
  public let json: JSONValue
  public let fopType: FopType?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    fopType = try MemberReader(json).value("fopType")
    self.json = json
  }

  /// A form of payment.
  public struct FopType: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "FOP_TYPE_UNSPECIFIED")
    /// A test card.
    public static let test = Self(rawValue: "TEST")

    public static let allCases: [Self] = [unspecified, test]
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
  /// The number of pieces that were not refunded.
  public let refundableQuantity: Int?
  public let consumptionState: ConsumptionState?
  public let purchaseOptionID: String?
  public let offerID: String?
  public let offerTags: [String]
  /// The token of the offer, another one for each purchase.
  public let offerToken: String?
  /// The pre-order; nil for any other purchase.
  public let preorderOfferDetails: PreorderOfferDetails?
  /// Whether the product is rented.
  public let isRental: Bool

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    quantity = try members.int64("quantity")
    refundableQuantity = try members.int64("refundableQuantity")
    consumptionState = try members.value("consumptionState")
    purchaseOptionID = try members.text("purchaseOptionId")
    offerID = try members.text("offerId")
    offerTags = try members.texts("offerTags")
    offerToken = try members.text("offerToken")
    preorderOfferDetails = try members.model("preorderOfferDetails")
    isRental = try members.hasObject("rentOfferDetails")
    self.json = json
  }

  /// Whether a product was consumed.
  public struct ConsumptionState: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "CONSUMPTION_STATE_UNSPECIFIED")
    public static let yetToBeConsumed = Self(rawValue: "CONSUMPTION_STATE_YET_TO_BE_CONSUMED")
    public static let consumed = Self(rawValue: "CONSUMPTION_STATE_CONSUMED")

    public static let allCases: [Self] = [unspecified, yetToBeConsumed, consumed]
  }
}

/// A pre-order.
///
/// Source: Google Play Developer API, `PreorderOfferDetails`.
public struct PreorderOfferDetails: GoogleModel {
  public let json: JSONValue
  /// The time at which the product is released.
  public let preorderReleaseTime: Date?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    preorderReleaseTime = try MemberReader(json).time("preorderReleaseTime")
    self.json = json
  }
}
