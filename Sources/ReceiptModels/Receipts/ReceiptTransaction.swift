public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One transaction as verifyReceipt describes it.
///
/// An element of `in_app` and of `latest_receipt_info`, and the whole `receipt` in the style of
/// iOS 6. Each scalar is read from a string, a number or a Boolean; one that cannot be read is nil
/// here and is kept among the ``additionalMembers``. Dates outside the years 1 to 9999 cannot be
/// read. Written are strings, dates in milliseconds and as text.
///
/// Source: Apple, `responseBody.Latest_receipt_info`; contract on signed data, section 5.4.
public struct ReceiptTransaction: FieldModel {
  // MARK: Identity

  /// The identifier of this charge.
  public var transactionID: String?
  /// The identifier of the first charge, stable over renewals, restores and upgrades in the group.
  public var originalTransactionID: String?
  /// The identifier of the purchase event of a subscription; absent for other products.
  public var webOrderLineItemID: String?
  /// The account that the app named when buying.
  public var appAccountToken: UUID?

  // MARK: Product

  /// The identifier of the product.
  public var productID: String?
  /// The group of subscriptions that the product is part of; only in `latest_receipt_info`.
  public var subscriptionGroupIdentifier: String?
  /// How many were bought.
  public var quantity: Int?
  /// How the customer came to own the purchase.
  public var inAppOwnershipType: InAppOwnershipType?
  /// Whether the customer upgraded to another subscription, which replaces this one; only in
  /// `latest_receipt_info`.
  public var isUpgraded: Bool?

  // MARK: Time

  /// When this charge was made.
  public var purchaseDate: Date?
  /// When the first charge was made.
  public var originalPurchaseDate: Date?
  /// When the subscription ends or renews.
  public var expiresDate: Date?
  /// When Apple refunded or revoked the purchase; not when renewal was switched off.
  public var cancellationDate: Date?
  /// Why Apple did so.
  public var cancellationReason: RevocationReason?

  // MARK: Offer

  /// Whether it is a free trial.
  public var isTrialPeriod: Bool?
  /// Whether it is of an introductory offer.
  public var isInIntroOfferPeriod: Bool?
  /// The promotional offer.
  public var promotionalOfferID: String?
  /// The reference name of the offer code.
  public var offerCodeRefName: String?

  // MARK: Only in the style of iOS 6

  /// Which form the transaction came in, and is written in.
  public var style: ReceiptStyle = .iOS7
  /// The identifier of the app (`bid`).
  public var bundleID: String?
  /// The version of the app (`bvrs`).
  public var bundleVersion: String?
  /// The number that Apple gave the product.
  public var itemID: String?
  /// The number that Apple gave the app.
  public var appItemID: String?
  /// The number that Apple gave the version of the app.
  public var versionExternalIdentifier: String?
  /// The identifier of the device; private, and not printed.
  public var uniqueIdentifier: String?
  /// The identifier of the device for the vendor; private, and not printed.
  public var uniqueVendorIdentifier: String?

  /// Members that this version does not know, what could not be read, and the times in the zone of
  /// California.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty transaction, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    coder.scalar("transaction_id", &transactionID)
    coder.scalar("original_transaction_id", &originalTransactionID)
    coder.scalar("web_order_line_item_id", &webOrderLineItemID)
    coder.scalar("app_account_token", &appAccountToken)

    coder.scalar("product_id", &productID)
    coder.scalar("subscription_group_identifier", &subscriptionGroupIdentifier)
    coder.scalar("quantity", &quantity)
    coder.scalar("in_app_ownership_type", &inAppOwnershipType)
    coder.flag("is_upgraded", &isUpgraded)

    coder.date(milliseconds: "purchase_date_ms", text: "purchase_date", &purchaseDate)
    coder.date(
      milliseconds: "original_purchase_date_ms", text: "original_purchase_date",
      &originalPurchaseDate)
    coder.expiry(&expiresDate, &style)
    coder.date(milliseconds: "cancellation_date_ms", text: "cancellation_date", &cancellationDate)
    coder.scalar("cancellation_reason", &cancellationReason)

    coder.flag("is_trial_period", &isTrialPeriod)
    coder.flag("is_in_intro_offer_period", &isInIntroOfferPeriod)
    coder.scalar("promotional_offer_id", &promotionalOfferID)
    coder.scalar("offer_code_ref_name", &offerCodeRefName)

    coder.scalar("bid", &bundleID)
    coder.scalar("bvrs", &bundleVersion)
    coder.scalar("item_id", &itemID)
    coder.scalar("app_item_id", &appItemID)
    coder.scalar("version_external_identifier", &versionExternalIdentifier)
    coder.scalar("unique_identifier", &uniqueIdentifier)
    coder.scalar("unique_vendor_identifier", &uniqueVendorIdentifier)
  }
}
