public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An item of a subscription: its plan, or an add-on.
///
/// Source: Google Play Developer API, `SubscriptionPurchaseLineItem`.
public struct SubscriptionPurchaseLineItem: GoogleModel {
  public let json: JSONValue
  public let productID: String
  /// The time at which the access ends unless it is renewed.
  public let expiryTime: Date?
  /// The ID of the latest order that was paid; ``SubscriptionPurchaseV2/orderID(of:)`` finds it in older
  /// answers too.
  public let latestSuccessfulOrderID: String?
  public let autoRenewingPlan: AutoRenewingPlan?
  public let prepaidPlan: PrepaidPlan?
  public let offerDetails: OfferDetails?
  /// The part of the plan or the offer that runs.
  public let offerPhase: OfferPhase?
  /// The promotion code of the signup.
  public let signupPromotion: SignupPromotion?
  /// The ID of the subscription that takes the place of this item at its expiry, and which the user
  /// does not own yet.
  public let deferredReplacementProductID: String?
  /// Whether the item goes away at its expiry.
  public let isRemovedAtExpiry: Bool
  /// The item that this one replaced, for 60 days.
  public let itemReplacement: ItemReplacement?

  /// Creates the value from its JSON form.
  ///
  /// - Throws: `FieldTypeFailure`; only the product ID is required.
  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    productID = try members.requiredText("productId")
    expiryTime = try members.time("expiryTime")
    latestSuccessfulOrderID = try members.text("latestSuccessfulOrderId")
    autoRenewingPlan = try members.model("autoRenewingPlan")
    prepaidPlan = try members.model("prepaidPlan")
    offerDetails = try members.model("offerDetails")
    offerPhase = try members.model("offerPhase")
    signupPromotion = try members.model("signupPromotion")
    let deferred: DeferredItemReplacement? = try members.model("deferredItemReplacement")
    deferredReplacementProductID = deferred?.productID
    isRemovedAtExpiry = try members.hasObject("deferredItemRemoval")
    itemReplacement = try members.model("itemReplacement")
    self.json = json
  }
}

/// The subscription that takes the place of an item.
private struct DeferredItemReplacement: GoogleModel {
  let json: JSONValue
  let productID: String

  init(json: JSONValue) throws(FieldTypeFailure) {
    productID = try MemberReader(json).requiredText("productId")
    self.json = json
  }
}

/// The base plan and the offer of an item.
///
/// Source: Google Play Developer API, `OfferDetails`.
public struct OfferDetails: GoogleModel {
  public let json: JSONValue
  public let basePlanID: String?
  /// The ID of the offer; nil for the base plan's own price.
  public let offerID: String?
  /// The tags of the base plan and the offer.
  public let offerTags: [String]

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    basePlanID = try members.text("basePlanId")
    offerID = try members.text("offerId")
    offerTags = try members.texts("offerTags")
    self.json = json
  }
}

/// The item that another one replaced.
///
/// Source: Google Play Developer API, `ItemReplacement`.
public struct ItemReplacement: GoogleModel {
  public let json: JSONValue
  /// The ID of the subscription that was replaced.
  public let productID: String?
  public let basePlanID: String?
  public let offerID: String?
  public let replacementMode: ReplacementMode?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    productID = try members.text("productId")
    basePlanID = try members.text("basePlanId")
    offerID = try members.text("offerId")
    replacementMode = try members.value("replacementMode")
    self.json = json
  }

  /// The way in which time and money of the replaced item are counted.
  public struct ReplacementMode: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "REPLACEMENT_MODE_UNSPECIFIED")
    /// What is left of the old item becomes time of the new one.
    public static let withTimeProration = Self(rawValue: "WITH_TIME_PRORATION")
    /// The user pays the difference until the end of the period.
    public static let chargeProratedPrice = Self(rawValue: "CHARGE_PRORATED_PRICE")
    /// The new price is paid from the next renewal on.
    public static let withoutProration = Self(rawValue: "WITHOUT_PRORATION")
    /// The new price is paid at once.
    public static let chargeFullPrice = Self(rawValue: "CHARGE_FULL_PRICE")
    /// The new item begins at the expiry of the old one.
    public static let deferred = Self(rawValue: "DEFERRED")
    /// The item stays as it was, beside others that changed.
    public static let keepExisting = Self(rawValue: "KEEP_EXISTING")

    public static let allCases: [Self] = [
      unspecified, withTimeProration, chargeProratedPrice, withoutProration, chargeFullPrice,
      deferred, keepExisting,
    ]
  }
}
