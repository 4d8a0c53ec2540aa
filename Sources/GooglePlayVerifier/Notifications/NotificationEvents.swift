public import JSONValues

/// A change of a subscription.
///
/// Source: Google Play Billing, `SubscriptionNotification`.
public struct SubscriptionNotification: GoogleModel {
  public let json: JSONValue
  public let notificationType: SubscriptionNotificationType
  public let purchaseToken: String

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    notificationType = try members.required(
      "notificationType", .integer, members.value("notificationType"))
    purchaseToken = try members.requiredText("purchaseToken")
    self.json = json
  }
}

/// A change of a purchase of a one-time product.
///
/// Source: Google Play Billing, `OneTimeProductNotification`.
public struct OneTimeProductNotification: GoogleModel {
  public let json: JSONValue
  public let notificationType: OneTimeProductNotificationType
  public let purchaseToken: String
  public let sku: String?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    notificationType = try members.required(
      "notificationType", .integer, members.value("notificationType"))
    purchaseToken = try members.requiredText("purchaseToken")
    sku = try members.text("sku")
    self.json = json
  }
}

/// A purchase that was refunded, charged back or canceled.
///
/// Source: Google Play Billing, `VoidedPurchaseNotification`.
public struct VoidedPurchaseNotification: GoogleModel {
  public let json: JSONValue
  public let purchaseToken: String
  public let orderID: String?
  public let productType: VoidedProductType?
  public let refundType: VoidedRefundType?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    purchaseToken = try members.requiredText("purchaseToken")
    orderID = try members.text("orderId")
    productType = try members.value("productType")
    refundType = try members.value("refundType")
    self.json = json
  }
}

/// A chargeback that awaits a review.
///
/// Source: Google Play Billing, `PendingRefundReviewNotification`.
public struct PendingRefundReviewNotification: GoogleModel {
  public let json: JSONValue
  /// The token with which the developer answers.
  public let pendingRefundToken: String?
  public let orderID: String?
  /// The reason for the refund, ``VoidedReason/chargeback``.
  public let refundReason: VoidedReason?
  /// The identifier of the user's account, as the app passed it to Google Play Billing.
  public let obfuscatedAccountID: String?
  /// The identifier of the profile in the account, as the app passed it.
  public let obfuscatedProfileID: String?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    pendingRefundToken = try members.text("pendingRefundToken")
    orderID = try members.text("orderId")
    refundReason = try members.value("refundReason")
    obfuscatedAccountID = try members.text("obfuscatedAccountId")
    obfuscatedProfileID = try members.text("obfuscatedProfileId")
    self.json = json
  }
}

/// The type of a change of a subscription.
///
/// The set of types is open: unknown ones are kept, and mean that the subscription has to be read.
/// Source: Google Play Billing, `SubscriptionNotification`.
public struct SubscriptionNotificationType: RawRepresentable, Hashable, Sendable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The subscription left the account hold, or a pause.
  public static let recovered = Self(rawValue: 1)
  public static let renewed = Self(rawValue: 2)
  public static let canceled = Self(rawValue: 3)
  public static let purchased = Self(rawValue: 4)
  public static let onHold = Self(rawValue: 5)
  public static let inGracePeriod = Self(rawValue: 6)
  /// The user took a cancellation back.
  public static let restarted = Self(rawValue: 7)
  /// The user agreed to a new price.
  public static let priceChangeConfirmed = Self(rawValue: 8)
  public static let deferred = Self(rawValue: 9)
  public static let paused = Self(rawValue: 10)
  public static let pauseScheduleChanged = Self(rawValue: 11)
  /// The subscription was taken away before its expiry.
  public static let revoked = Self(rawValue: 12)
  public static let expired = Self(rawValue: 13)
  public static let itemsChanged = Self(rawValue: 17)
  /// A cancellation is planned for the end of the instalments.
  public static let cancellationScheduled = Self(rawValue: 18)
  /// A change of the price has other details.
  public static let priceChangeUpdated = Self(rawValue: 19)
  /// A purchase that was not paid yet was canceled.
  public static let pendingPurchaseCanceled = Self(rawValue: 20)
  /// The user has to agree to the next step of a price, or did.
  public static let priceStepUpConsentUpdated = Self(rawValue: 22)
}

/// The type of a change of a purchase of a one-time product.
///
/// The set of types is open: unknown ones are kept. Source: Google Play Billing,
/// `OneTimeProductNotification`.
public struct OneTimeProductNotificationType: RawRepresentable, Hashable, Sendable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let purchased = Self(rawValue: 1)
  /// A purchase that was not paid yet was canceled.
  public static let canceled = Self(rawValue: 2)
}

/// The type of the product of a voided purchase.
///
/// Source: Google Play Billing, `VoidedPurchaseNotification`.
public struct VoidedProductType: RawRepresentable, Hashable, Sendable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let subscription = Self(rawValue: 1)
  public static let oneTime = Self(rawValue: 2)
}

/// The type of the refund of a voided purchase.
///
/// Source: Google Play Billing, `VoidedPurchaseNotification`.
public struct VoidedRefundType: RawRepresentable, Hashable, Sendable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let full = Self(rawValue: 1)
  public static let quantityBasedPartial = Self(rawValue: 2)
}
