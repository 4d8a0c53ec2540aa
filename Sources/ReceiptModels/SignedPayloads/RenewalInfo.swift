public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The signed information about the coming renewal of a subscription.
///
/// It names no app: a verified renewal info proves its subscription, but not that the subscription
/// belongs to your app. Only a transaction with the same ``originalTransactionID`` proves that.
/// Money is in thousandths of the currency unit. A decoded value alone proves nothing: services
/// take the verified form. Source: Apple, `JWSRenewalInfoDecodedPayload`.
public struct RenewalInfo: FieldModel {
  public var originalTransactionID: String?
  public var productID: String?
  public var autoRenewProductID: String?
  public var appTransactionID: String?
  public var appAccountToken: UUID?
  public var autoRenewStatus: AutoRenewStatus?
  public var expirationIntent: ExpirationIntent?
  public var isInBillingRetryPeriod: Bool?
  public var gracePeriodExpiresDate: Date?
  public var priceIncreaseStatus: PriceIncreaseStatus?
  /// The start of the latest sequence of renewals without a long gap.
  public var recentSubscriptionStartDate: Date?
  public var renewalDate: Date?
  public var signedDate: Date?
  /// The price of the renewal, in thousandths of the currency unit.
  public var renewalPrice: Int?
  /// The ISO 4217 code of the currency of ``renewalPrice``.
  public var currency: String?
  public var offerType: OfferType?
  /// The promotional offer or the offer code.
  public var offerIdentifier: String?
  /// The length of the offer, as an ISO 8601 duration.
  public var offerPeriod: String?
  public var offerDiscountType: OfferDiscountType?
  /// The win-back offers that the customer is eligible for, best first.
  public var eligibleWinBackOfferIDs: [String]?
  public var renewalBillingPlanType: BillingPlanType?
  public var commitmentInfo: RenewalCommitmentInfo?
  public var advancedCommerceInfo: AdvancedCommerceRenewalInfo?
  public var environment: AppStoreEnvironment?

  /// Members that this version does not know, and an account token that is not a UUID.
  public var additionalMembers: [String: JSONValue] = [:]
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
