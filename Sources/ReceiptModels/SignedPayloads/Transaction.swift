public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The signed information about one purchase, renewal or restored purchase.
///
/// Money is in thousandths of the currency unit. A decoded value alone proves nothing: services
/// take the verified form. Source: Apple, `JWSTransactionDecodedPayload`.
public struct Transaction: FieldModel {
  // MARK: Identity

  public var transactionID: String?
  /// The identifier of the first charge, stable over renewals.
  public var originalTransactionID: String?
  /// The original identifier of the subscription before its migration.
  public var previousOriginalTransactionID: String?
  /// The identifier of the purchase event of a subscription, one per period.
  public var webOrderLineItemID: String?
  /// The identifier of the customer's acquisition of the app, the same in all of their
  /// transactions.
  public var appTransactionID: String?
  public var appAccountToken: UUID?

  // MARK: Product

  public var bundleID: String?
  public var productID: String?
  public var subscriptionGroupIdentifier: String?
  public var type: ProductType?
  /// The quantity, which may exceed 32 bits.
  public var quantity: Int?
  public var inAppOwnershipType: InAppOwnershipType?
  /// Whether a customer or the renewal caused this transaction.
  public var transactionReason: TransactionReason?
  /// Whether the customer upgraded to another subscription that replaces this one.
  public var isUpgraded: Bool?

  // MARK: Time

  public var purchaseDate: Date?
  public var originalPurchaseDate: Date?
  public var expiresDate: Date?
  public var signedDate: Date?

  // MARK: Price and offer

  /// The price paid, in thousandths of the currency unit.
  public var price: Int?
  /// The ISO 4217 code of the currency of ``price``.
  public var currency: String?
  public var offerType: OfferType?
  /// The promotional offer or the offer code.
  public var offerIdentifier: String?
  /// The length of the offer, as an ISO 8601 duration.
  public var offerPeriod: String?
  public var offerDiscountType: OfferDiscountType?
  public var billingPlanType: BillingPlanType?
  public var commitmentInfo: TransactionCommitmentInfo?
  public var advancedCommerceInfo: AdvancedCommerceTransactionInfo?

  // MARK: Revocation

  /// The date on which Apple refunded the purchase or ended its sharing.
  public var revocationDate: Date?
  public var revocationReason: RevocationReason?
  public var revocationType: RevocationType?
  /// The percentage of the price that was refunded, in thousandths (`50000` is one half).
  public var revocationPercentage: Int?

  // MARK: Place

  public var environment: AppStoreEnvironment?
  /// The three-letter code of the storefront's country.
  public var storefront: String?
  public var storefrontID: String?

  /// Members that this version does not know, and an account token that is not a UUID.
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("transactionId", &transactionID)
    try coder("originalTransactionId", &originalTransactionID)
    try coder("previousOriginalTransactionId", &previousOriginalTransactionID)
    try coder("webOrderLineItemId", &webOrderLineItemID)
    try coder("appTransactionId", &appTransactionID)
    try coder.lenient("appAccountToken", &appAccountToken)

    try coder("bundleId", &bundleID)
    try coder("productId", &productID)
    try coder("subscriptionGroupIdentifier", &subscriptionGroupIdentifier)
    try coder("type", &type)
    try coder("quantity", &quantity)
    try coder("inAppOwnershipType", &inAppOwnershipType)
    try coder("transactionReason", &transactionReason)
    try coder("isUpgraded", &isUpgraded)

    try coder("purchaseDate", &purchaseDate)
    try coder("originalPurchaseDate", &originalPurchaseDate)
    try coder("expiresDate", &expiresDate)
    try coder("signedDate", &signedDate)

    try coder("price", &price)
    try coder("currency", &currency)
    try coder("offerType", &offerType)
    try coder("offerIdentifier", &offerIdentifier)
    try coder("offerPeriod", &offerPeriod)
    try coder("offerDiscountType", &offerDiscountType)
    try coder("billingPlanType", &billingPlanType)
    try coder("commitmentInfo", &commitmentInfo)
    try coder("advancedCommerceInfo", &advancedCommerceInfo)

    try coder("revocationDate", &revocationDate)
    try coder("revocationReason", &revocationReason)
    try coder("revocationType", &revocationType)
    try coder("revocationPercentage", &revocationPercentage)

    try coder("environment", &environment)
    try coder("storefront", &storefront)
    try coder("storefrontId", &storefrontID)
  }
}

/// The commitment to several billing periods, as of one transaction.
///
/// Source: Apple, `JWSTransactionDecodedPayload.commitmentInfo`.
public struct TransactionCommitmentInfo: FieldModel {
  public var billingPeriodNumber: Int?
  public var totalBillingPeriods: Int?
  public var commitmentExpiresDate: Date?
  /// The price of the whole commitment, in thousandths of the currency unit.
  public var commitmentPrice: Int?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("billingPeriodNumber", &billingPeriodNumber)
    try coder("totalBillingPeriods", &totalBillingPeriods)
    try coder("commitmentExpiresDate", &commitmentExpiresDate)
    try coder("commitmentPrice", &commitmentPrice)
  }
}

/// The renewal of a commitment to several billing periods.
///
/// Source: Apple, `JWSRenewalInfoDecodedPayload.commitmentInfo`.
public struct RenewalCommitmentInfo: FieldModel {
  public var commitmentAutoRenewProductID: String?
  public var commitmentAutoRenewStatus: AutoRenewStatus?
  public var commitmentRenewalBillingPlanType: BillingPlanType?
  public var commitmentRenewalDate: Date?
  /// The price of the new commitment, in thousandths of the currency unit.
  public var commitmentRenewalPrice: Int?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("commitmentAutoRenewProductId", &commitmentAutoRenewProductID)
    try coder("commitmentAutoRenewStatus", &commitmentAutoRenewStatus)
    try coder("commitmentRenewalBillingPlanType", &commitmentRenewalBillingPlanType)
    try coder("commitmentRenewalDate", &commitmentRenewalDate)
    try coder("commitmentRenewalPrice", &commitmentRenewalPrice)
  }
}
