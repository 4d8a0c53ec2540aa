public import JSONValues

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
  /// Why and when the subscription was canceled; only in the state `canceled`.
  public let canceledStateContext: CanceledStateContext?
  /// The end of a pause; only in the state `paused`.
  public let pausedStateContext: PausedStateContext?
  /// The earlier subscription, if the user signed up again in Google's own pages; until the purchase is
  /// acknowledged.
  public let outOfAppPurchaseContext: OutOfAppPurchaseContext?
  /// Whether a license tester made the purchase, in Google's counterpart of the Sandbox.
  public let isTest: Bool
  public let etag: String?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    subscriptionState = try members.value("subscriptionState")
    lineItems = try members.models("lineItems")
    startTime = try members.time("startTime")
    regionCode = try members.text("regionCode")
    linkedPurchaseToken = try members.text("linkedPurchaseToken")
    acknowledgementState = try members.value("acknowledgementState")
    externalAccountIdentifiers = try members.model("externalAccountIdentifiers")
    canceledStateContext = try members.model("canceledStateContext")
    pausedStateContext = try members.model("pausedStateContext")
    outOfAppPurchaseContext = try members.model("outOfAppPurchaseContext")
    isTest = try members.hasObject("testPurchase")
    etag = try members.text("etag")
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

  /// The state of a subscription.
  ///
  /// The set of states is open: unknown ones are kept.
  public struct SubscriptionState: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

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
  }
}
