public import JSONValues

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
  /// The ID of the latest order that was paid.
  public let latestSuccessfulOrderID: String?
  public let autoRenewingPlan: AutoRenewingPlan?
  public let prepaidPlan: PrepaidPlan?
  public let offerDetails: OfferDetails?
  /// The ID of the subscription that takes the place of this item at its expiry, and which the user
  /// does not own yet.
  public let deferredReplacementProductID: String?
  /// Whether the item goes away at its expiry.
  public let isRemovedAtExpiry: Bool
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
  /// Google's name of the mode, such as `WITH_TIME_PRORATION`.
  public let replacementMode: String?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    productID = try members.text("productId")
    basePlanID = try members.text("basePlanId")
    offerID = try members.text("offerId")
    replacementMode = try members.text("replacementMode")
    self.json = json
  }
}
