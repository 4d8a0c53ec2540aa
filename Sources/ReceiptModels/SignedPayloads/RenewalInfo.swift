public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What Apple signs about the coming renewal of a subscription.
///
/// It names no app: a verified renewal info proves which subscription it is about, but not that the
/// subscription is yours. That follows only from a transaction with the same
/// ``originalTransactionID``. Money is in thousandths of the currency unit. A decoded value alone
/// proves nothing: services take the verified form.
///
/// Source: Apple, `JWSRenewalInfoDecodedPayload`.
public struct RenewalInfo: FieldModel {
  /// The identifier of the first charge of the subscription.
  public var originalTransactionID: String?
  /// The product that the customer has now.
  public var productID: String?
  /// The product that will renew.
  public var autoRenewProductID: String?
  /// The identifier of the customer's acquisition of the app.
  public var appTransactionID: String?
  /// The account that the app named when buying.
  ///
  /// A text that is no UUID leaves this nil and is among the ``additionalMembers``.
  public var appAccountToken: UUID?
  /// Whether the subscription will renew by itself.
  public var autoRenewStatus: AutoRenewStatus?
  /// Why the subscription ended, once it has.
  public var expirationIntent: ExpirationIntent?
  /// Whether Apple is still trying to charge the renewal.
  public var isInBillingRetryPeriod: Bool?
  /// When the billing grace period ends.
  public var gracePeriodExpiresDate: Date?
  /// Whether the customer consented to a higher price.
  public var priceIncreaseStatus: PriceIncreaseStatus?
  /// When the latest run of renewals without a long gap began.
  public var recentSubscriptionStartDate: Date?
  /// When the subscription will renew.
  public var renewalDate: Date?
  /// When Apple signed this payload.
  public var signedDate: Date?
  /// The price of the renewal, in thousandths of the currency unit.
  public var renewalPrice: Int?
  /// The currency of ``renewalPrice``, by its ISO 4217 code.
  public var currency: String?
  /// The kind of offer that will set the price.
  public var offerType: OfferType?
  /// The promotional offer or the offer code.
  public var offerIdentifier: String?
  /// How long the offer lasts, as an ISO 8601 duration.
  public var offerPeriod: String?
  /// How the offer is paid.
  public var offerDiscountType: OfferDiscountType?
  /// The win-back offers that the customer may take, best first.
  public var eligibleWinBackOfferIDs: [String]?
  /// How the renewal is billed.
  public var renewalBillingPlanType: BillingPlanType?
  /// The renewal of a commitment to several billing periods.
  public var commitmentInfo: RenewalCommitmentInfo?
  /// What the Advanced Commerce API adds.
  public var advancedCommerceInfo: AdvancedCommerceRenewalInfo?
  /// Where the subscription was bought.
  public var environment: AppStoreEnvironment?

  /// Members that this version does not know, and an account token that is no UUID.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty renewal info, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("originalTransactionId", &originalTransactionID)
    try coder("productId", &productID)
    try coder("autoRenewProductId", &autoRenewProductID)
    try coder("appTransactionId", &appTransactionID)
    try coder.lenient("appAccountToken", &appAccountToken)
    try coder("autoRenewStatus", &autoRenewStatus)
    try coder("expirationIntent", &expirationIntent)
    try coder("isInBillingRetryPeriod", &isInBillingRetryPeriod)
    try coder("gracePeriodExpiresDate", &gracePeriodExpiresDate)
    try coder("priceIncreaseStatus", &priceIncreaseStatus)
    try coder("recentSubscriptionStartDate", &recentSubscriptionStartDate)
    try coder("renewalDate", &renewalDate)
    try coder("signedDate", &signedDate)
    try coder("renewalPrice", &renewalPrice)
    try coder("currency", &currency)
    try coder("offerType", &offerType)
    try coder("offerIdentifier", &offerIdentifier)
    try coder("offerPeriod", &offerPeriod)
    try coder("offerDiscountType", &offerDiscountType)
    try coder("eligibleWinBackOfferIds", &eligibleWinBackOfferIDs)
    try coder("renewalBillingPlanType", &renewalBillingPlanType)
    try coder("commitmentInfo", &commitmentInfo)
    try coder("advancedCommerceInfo", &advancedCommerceInfo)
    try coder("environment", &environment)
  }
}
