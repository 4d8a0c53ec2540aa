public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A subscription, as Google described it.
///
/// Members that this version doesn't know stay in ``json``. A member of the wrong type is refused, a
/// missing one is nil. Source: Google Play Developer API, `SubscriptionPurchaseV2`.
public struct SubscriptionPurchaseV2: GoogleModel {
  public let json: JSONValue
  /// Google's name of the type, `androidpublisher#subscriptionPurchaseV2`.
  public let kind: String?
  /// The state, which holds for all items.
  public let subscriptionState: SubscriptionState?
  /// The items: the plan and its add-ons.
  public let lineItems: [SubscriptionPurchaseLineItem]
  public let startTime: Date?
  /// The country of the user's billing address (ISO 3166-1).
  public let regionCode: String?
  /// The purchase token that this one replaces, and which grants nothing any more.
  ///
  /// It is there after an up- or downgrade, a change between prepaid and renewing, a top-up, and
  /// another signup before the end.
  public let linkedPurchaseToken: String?
  public let acknowledgementState: AcknowledgementState?
  /// The user's accounts, as the app named them at the purchase.
  public let externalAccountIdentifiers: ExternalAccountIdentifiers?
  /// Why and when the subscription was canceled; only in the states `canceled` and `expired`.
  public let canceledStateContext: CanceledStateContext?
  /// The payment that failed; only in the state `inGracePeriod`.
  public let inGracePeriodStateContext: InGracePeriodStateContext?
  /// The payment that failed; only in the state `onHold`.
  public let onHoldStateContext: OnHoldStateContext?
  /// The end of a pause; only in the state `paused`.
  public let pausedStateContext: PausedStateContext?
  /// The earlier subscription, if the user signed up again in Google's own pages; until the purchase is
  /// acknowledged.
  public let outOfAppPurchaseContext: OutOfAppPurchaseContext?
  /// The user's Google account; only for Subscribe with Google.
  public let subscribeWithGoogleInfo: SubscribeWithGoogleInfo?
  /// Whether a license tester made the purchase, in Google's counterpart of the Sandbox.
  public let isTest: Bool
  /// The text that changes with the subscription; a deferral has to name it.
  public let etag: String?
  /// The latest order in Google's older answers; see ``orderID(of:)``.
  private let latestOrderID: String?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    kind = try members.text("kind")
    subscriptionState = try members.value("subscriptionState")
    lineItems = try members.models("lineItems")
    startTime = try members.time("startTime")
    regionCode = try members.text("regionCode")
    linkedPurchaseToken = try members.text("linkedPurchaseToken")
    acknowledgementState = try members.value("acknowledgementState")
    externalAccountIdentifiers = try members.model("externalAccountIdentifiers")
    canceledStateContext = try members.model("canceledStateContext")
    inGracePeriodStateContext = try members.model("inGracePeriodStateContext")
    onHoldStateContext = try members.model("onHoldStateContext")
    pausedStateContext = try members.model("pausedStateContext")
    outOfAppPurchaseContext = try members.model("outOfAppPurchaseContext")
    subscribeWithGoogleInfo = try members.model("subscribeWithGoogleInfo")
    isTest = try members.hasObject("testPurchase")
    etag = try members.text("etag")
    latestOrderID = try members.text("latestOrderId")
    self.json = json
  }

  /// Whether the customer bought another subscription in place of this one, which gives nothing any more, whatever
  /// its state and its expiry are.
  ///
  /// For a moment Google may still describe the replaced purchase as active, without this.
  public var isReplaced: Bool { canceledStateContext?.initiator == .replacement }

  /// The identifier of the user's account, as the app named it at the purchase: Google's counterpart
  /// of Apple's app account token.
  ///
  /// It is missing for a purchase in Google's own pages; see ``outOfAppPurchaseContext``.
  public var obfuscatedExternalAccountID: String? {
    externalAccountIdentifiers?.obfuscatedExternalAccountID
  }

  /// Returns the ID of the latest order that was paid for an item; nil if the user does not own it yet.
  ///
  /// In older answers an order stands beside the items, as `latestOrderId`: it is that of the only item.
  /// Source: Google Play rules, section 2.
  public func orderID(of item: SubscriptionPurchaseLineItem) -> String? {
    item.latestSuccessfulOrderID ?? (lineItems.count == 1 ? latestOrderID : nil)
  }

  /// The state of a subscription.
  public struct SubscriptionState: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "SUBSCRIPTION_STATE_UNSPECIFIED")
    public static let pending = Self(rawValue: "SUBSCRIPTION_STATE_PENDING")
    public static let active = Self(rawValue: "SUBSCRIPTION_STATE_ACTIVE")
    /// The user paused it; it grants nothing.
    public static let paused = Self(rawValue: "SUBSCRIPTION_STATE_PAUSED")
    /// A payment failed, and the subscription still runs.
    public static let inGracePeriod = Self(rawValue: "SUBSCRIPTION_STATE_IN_GRACE_PERIOD")
    /// A payment failed, and the subscription grants nothing.
    public static let onHold = Self(rawValue: "SUBSCRIPTION_STATE_ON_HOLD")
    /// The subscription was canceled; it runs until its expiry.
    public static let canceled = Self(rawValue: "SUBSCRIPTION_STATE_CANCELED")
    public static let expired = Self(rawValue: "SUBSCRIPTION_STATE_EXPIRED")
    public static let pendingPurchaseCanceled = Self(
      rawValue: "SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED")

    public static let allCases: [Self] = [
      unspecified, pending, active, paused, inGracePeriod, onHold, canceled, expired,
      pendingPurchaseCanceled,
    ]
  }
}
