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
  case voided(
    purchaseToken: String, orderID: String, VoidedProductType, VoidedRefundType)
  case pendingRefundReview(purchaseToken: String, orderID: String)
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
      .voided(let token, _, _, _), .pendingRefundReview(let token, _):
      token
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
    case .pendingRefundReview(let token, let order):
      (
        "pendingRefundReviewNotification",
        ["purchaseToken": .string(token), "orderId": .string(order)]
      )
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
