internal import JSONValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a real-time developer notification is about.
enum DeveloperNotificationContent: Hashable, Sendable {
  case subscription(PlaySubscriptionNotificationType, purchaseToken: String)
  case oneTimeProduct(PlayOneTimeProductNotificationType, purchaseToken: String, sku: String)
  case voided(purchaseToken: String, orderID: String, VoidedProductType, VoidedRefundType)
  case pendingRefundReview(PlayRefundReview)
  case test

  enum VoidedProductType: Int, Sendable {
    case subscription = 1
    case oneTime = 2
  }

  enum VoidedRefundType: Int, Sendable {
    case full = 1
    case partialQuantity = 2
  }

  /// The purchase; nil for a test.
  var purchaseToken: String? {
    switch self {
    case .subscription(_, let token), .oneTimeProduct(_, let token, _),
      .voided(let token, _, _, _):
      token
    case .pendingRefundReview(let review): review.purchaseToken
    case .test: nil
    }
  }

  /// The name of the member and its object, as Google writes them.
  ///
  /// Source: Google Play Billing, "Real-time developer notifications reference guide".
  var member: (name: String, object: [String: JSONValue]) {
    switch self {
    case .subscription(let type, let token):
      (
        "subscriptionNotification",
        [
          "version": .string("1.0"), "notificationType": .integer(type.rawValue),
          "purchaseToken": .string(token),
        ]
      )
    case .oneTimeProduct(let type, let token, let sku):
      (
        "oneTimeProductNotification",
        [
          "version": .string("1.0"), "notificationType": .integer(type.rawValue),
          "purchaseToken": .string(token), "sku": .string(sku),
        ]
      )
    case .voided(let token, let order, let product, let refund):
      (
        "voidedPurchaseNotification",
        [
          "purchaseToken": .string(token), "orderId": .string(order),
          "productType": .integer(product.rawValue), "refundType": .integer(refund.rawValue),
        ]
      )
    case .pendingRefundReview(let review):
      ("pendingRefundReviewNotification", review.members)
    case .test: ("testNotification", ["version": .string("1.0")])
    }
  }
}

/// A notification in the order of all, with the state of its delivery.
struct DeveloperNotificationRecord: Sendable {
  let number: Int
  /// Pub/Sub's identifier, which all deliveries of the message share.
  let messageID: String
  let date: Date
  let content: DeveloperNotificationContent
  /// Whether the simulator was told not to deliver it.
  let isLost: Bool
  var isAcknowledged = false
}

/// A type of a notification about a subscription, with Google's number.
///
/// Source: Google Play Billing, "Real-time developer notifications reference guide".
public struct PlaySubscriptionNotificationType: RawRepresentable, Hashable, Sendable {
  /// Google's number.
  public let rawValue: Int

  /// Creates a type, also one that Google does not have yet.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A payment was made after an account hold, or a pause ended.
  public static let recovered = Self(rawValue: 1)
  public static let renewed = Self(rawValue: 2)
  /// Renewal was turned off.
  public static let canceled = Self(rawValue: 3)
  /// The subscription was bought.
  public static let purchased = Self(rawValue: 4)
  /// The payment failed, and access ended.
  public static let onHold = Self(rawValue: 5)
  /// The payment failed, and access goes on for now.
  public static let inGracePeriod = Self(rawValue: 6)
  /// A canceled subscription renews again.
  public static let restarted = Self(rawValue: 7)
  /// The customer accepted a price.
  public static let priceChangeConfirmed = Self(rawValue: 8)
  /// The next payment was put off.
  public static let deferred = Self(rawValue: 9)
  public static let paused = Self(rawValue: 10)
  /// A pause was planned, or its plan was changed.
  public static let pauseScheduleChanged = Self(rawValue: 11)
  /// The subscription was taken back before its end.
  public static let revoked = Self(rawValue: 12)
  /// The subscription ended.
  public static let expired = Self(rawValue: 13)
  /// The products of the subscription were changed.
  public static let itemsChanged = Self(rawValue: 17)
  public static let cancellationScheduled = Self(rawValue: 18)
  /// A change of price was announced or altered.
  public static let priceChangeUpdated = Self(rawValue: 19)
  /// A purchase was given up before it was paid.
  public static let pendingPurchaseCanceled = Self(rawValue: 20)
  /// The customer was asked, or has consented, to a price after an offer.
  public static let priceStepUpConsentUpdated = Self(rawValue: 22)
}

/// A type of a notification about a one-time product, with Google's number.
public enum PlayOneTimeProductNotificationType: Int, Hashable, Sendable {
  case purchased = 1
  /// The purchase was given up before it was paid.
  case canceled = 2
}
