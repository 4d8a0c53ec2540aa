public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A transaction in an answer of verifyReceipt.
///
/// This is an element of `in_app` and `latest_receipt_info`, or the whole `receipt` in the style of
/// iOS 6. Each scalar is read from a string, a number or a Boolean. An unreadable scalar is nil
/// here and is kept in ``additionalMembers``. Dates outside the years 1 to 9999 are unreadable.
/// Scalars are written as strings, and dates in milliseconds and as text. Source: Apple,
/// `responseBody.Latest_receipt_info`; App Store rules, section 5.4.
public struct ReceiptTransaction: FieldModel {
  // MARK: Identity

  public var transactionID: String?
  /// The identifier of the first charge, stable over renewals, restores and upgrades in the group.
  public var originalTransactionID: String?
  /// The identifier of the purchase event of a subscription; absent for other products.
  public var webOrderLineItemID: String?
  public var appAccountToken: UUID?

  // MARK: Product

  public var productID: String?
  /// The subscription group of the product; only in `latest_receipt_info`.
  public var subscriptionGroupIdentifier: String?
  public var quantity: Int?
  public var inAppOwnershipType: InAppOwnershipType?
  /// Whether the customer upgraded to another subscription that replaces this one; only in
  /// `latest_receipt_info`.
  public var isUpgraded: Bool?

  // MARK: Time

  public var purchaseDate: Date?
  public var originalPurchaseDate: Date?
  public var expiresDate: Date?
  /// The date on which Apple refunded or revoked the purchase; not that of switching off renewal.
  public var cancellationDate: Date?
  public var cancellationReason: RevocationReason?

  // MARK: Offer

  public var isTrialPeriod: Bool?
  public var isInIntroOfferPeriod: Bool?
  public var promotionalOfferID: String?
  public var offerCodeRefName: String?

  // MARK: Only in the style of iOS 6

  /// The form in which the transaction was read and is written.
  public var style: ReceiptStyle = .iOS7
  /// The identifier of the app (`bid`).
  public var bundleID: String?
  /// The version of the app (`bvrs`).
  public var bundleVersion: String?
  public var itemID: String?
  public var appItemID: String?
  public var versionExternalIdentifier: String?
  /// The identifier of the device; private and never printed.
  public var uniqueIdentifier: String?
  /// The identifier of the device for the vendor; private and never printed.
  public var uniqueVendorIdentifier: String?

  /// Members that this version does not know, unreadable members, and times in California time.
  public var additionalMembers: [String: JSONValue] = [:]
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

/// The form of an answer of verifyReceipt.
///
/// Source: App Store rules, section 5.4.
public enum ReceiptStyle: Hashable, Sendable {
  /// The flat form for the transaction receipts of iOS 6 and earlier, with `expires_date` in
  /// milliseconds.
  case iOS6
  case iOS7
}
