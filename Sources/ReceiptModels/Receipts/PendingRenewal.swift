public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An entry of verifyReceipt about the coming or failed renewal of a subscription.
///
/// Scalars and dates are read as in ``ReceiptTransaction``. The entry of a subscription may be
/// missing, for example after the customer cancelled during the grace period.
///
/// Source: Apple, `responseBody.Pending_renewal_info`; App Store rules, section 5.4.
public struct PendingRenewal: FieldModel {
  public var originalTransactionID: String?
  public var productID: String?
  /// The product that will renew; different from ``productID`` if a change is pending.
  public var autoRenewProductID: String?
  public var autoRenewStatus: AutoRenewStatus?
  public var expirationIntent: ExpirationIntent?
  /// Whether Apple is retrying to charge the renewal; may be false in the grace period.
  public var isInBillingRetryPeriod: Bool?
  public var gracePeriodExpiresDate: Date?
  /// Whether the customer consented to a price increase, under its older name.
  public var priceConsentStatus: PriceIncreaseStatus?
  public var priceIncreaseStatus: PriceIncreaseStatus?
  public var offerCodeRefName: String?
  public var promotionalOfferID: String?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty entry.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    coder.scalar("original_transaction_id", &originalTransactionID)
    coder.scalar("product_id", &productID)
    coder.scalar("auto_renew_product_id", &autoRenewProductID)
    coder.scalar("auto_renew_status", &autoRenewStatus)
    coder.scalar("expiration_intent", &expirationIntent)
    coder.digit("is_in_billing_retry_period", &isInBillingRetryPeriod)
    coder.date(
      milliseconds: "grace_period_expires_date_ms", text: "grace_period_expires_date",
      &gracePeriodExpiresDate)
    coder.scalar("price_consent_status", &priceConsentStatus)
    coder.scalar("price_increase_status", &priceIncreaseStatus)
    coder.scalar("offer_code_ref_name", &offerCodeRefName)
    coder.scalar("promotional_offer_id", &promotionalOfferID)
  }
}
