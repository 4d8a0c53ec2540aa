public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What verifyReceipt says about the coming renewal of a subscription, or about a failed one.
///
/// Scalars and dates are read as in ``ReceiptTransaction``. The entry of a subscription may be
/// missing, for instance after the customer cancelled in the grace period.
///
/// Source: Apple, `responseBody.Pending_renewal_info`; contract on signed data, section 5.4.
public struct PendingRenewal: FieldModel {
  /// The identifier of the first charge of the subscription.
  public var originalTransactionID: String?
  /// The product that the customer has now.
  public var productID: String?
  /// The product that will renew; another one than ``productID`` is a pending change.
  public var autoRenewProductID: String?
  /// Whether the subscription will renew by itself.
  public var autoRenewStatus: AutoRenewStatus?
  /// Why the subscription ended, once it has.
  public var expirationIntent: ExpirationIntent?
  /// Whether Apple is still trying to charge the renewal; may be false in the grace period.
  public var isInBillingRetryPeriod: Bool?
  /// When the billing grace period ends.
  public var gracePeriodExpiresDate: Date?
  /// Whether the customer consented to a higher price, under the older name.
  public var priceConsentStatus: PriceIncreaseStatus?
  /// Whether the customer consented to a higher price.
  public var priceIncreaseStatus: PriceIncreaseStatus?
  /// The reference name of the offer code.
  public var offerCodeRefName: String?
  /// The promotional offer.
  public var promotionalOfferID: String?

  /// Members that this version does not know, what could not be read, and the times in the zone of
  /// California.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty entry, to be filled field by field.
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
