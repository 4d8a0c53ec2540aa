public import JSONValues

/// A change of a subscription.
///
/// Source: Google Play Billing, `SubscriptionNotification`.
public struct SubscriptionNotification: GoogleModel {
  public let json: JSONValue
  public let notificationType: SubscriptionNotificationType
  public let purchaseToken: String

  /// Creates the value from its JSON form.
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

  /// Creates the value from its JSON form.
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

  /// Creates the value from its JSON form.
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

  /// Creates the value from its JSON form.
  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    pendingRefundToken = try members.text("pendingRefundToken")
    orderID = try members.text("orderId")
    self.json = json
  }
}
