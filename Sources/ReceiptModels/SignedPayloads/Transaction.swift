public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What Apple signs about one purchase, renewal or restored purchase.
///
/// Money is in thousandths of the currency unit. A decoded value alone proves nothing: services
/// take the verified form.
///
/// Source: Apple, `JWSTransactionDecodedPayload`.
public struct Transaction: FieldModel {
  // MARK: Identity

  /// The identifier of this charge.
  public var transactionID: String?
  /// The identifier of the first charge, stable over renewals.
  public var originalTransactionID: String?
  /// The original identifier that the subscription had before it was migrated.
  public var previousOriginalTransactionID: String?
  /// The identifier of the purchase event of a subscription, one per period.
  public var webOrderLineItemID: String?
  /// The identifier of the customer's acquisition of the app, equal in all of their transactions.
  public var appTransactionID: String?
  /// The account that the app named when buying.
  ///
  /// A text that is no UUID leaves this nil and is among the ``additionalMembers``.
  public var appAccountToken: UUID?

  // MARK: Product

  /// The identifier of the app.
  public var bundleID: String?
  /// The identifier of the product.
  public var productID: String?
  /// The group of subscriptions that the product is part of.
  public var subscriptionGroupIdentifier: String?
  /// What kind of product it is.
  public var type: ProductType?
  /// How many were bought, also beyond 32 bits.
  public var quantity: Int?
  /// How the customer came to own the purchase.
  public var inAppOwnershipType: InAppOwnershipType?
  /// Whether a customer or the renewal caused this transaction.
  public var transactionReason: TransactionReason?
  /// Whether the customer upgraded to another subscription, which replaces this one.
  public var isUpgraded: Bool?

  // MARK: Time

  /// When this charge was made.
  public var purchaseDate: Date?
  /// When the first charge was made.
  public var originalPurchaseDate: Date?
  /// When the subscription ends or renews.
  public var expiresDate: Date?
  /// When Apple signed this payload.
  public var signedDate: Date?

  // MARK: Price and offer

  /// The price that was paid, in thousandths of the currency unit.
  public var price: Int?
  /// The currency of ``price``, by its ISO 4217 code.
  public var currency: String?
  /// The kind of offer that set the price.
  public var offerType: OfferType?
  /// The promotional offer or the offer code.
  public var offerIdentifier: String?
  /// How long the offer lasts, as an ISO 8601 duration.
  public var offerPeriod: String?
  /// How the offer is paid.
  public var offerDiscountType: OfferDiscountType?
  /// How a subscription with a commitment is billed.
  public var billingPlanType: BillingPlanType?
  /// The commitment of the customer to several billing periods.
  public var commitmentInfo: TransactionCommitmentInfo?
  /// What the Advanced Commerce API adds.
  public var advancedCommerceInfo: AdvancedCommerceTransactionInfo?

  // MARK: Revocation

  /// When Apple refunded the purchase or ended its sharing.
  public var revocationDate: Date?
  /// Why Apple did so.
  public var revocationReason: RevocationReason?
  /// How far Apple took the purchase back.
  public var revocationType: RevocationType?
  /// The percentage of the price that was refunded, in thousandths (`50000` is one half).
  public var revocationPercentage: Int?

  // MARK: Place

  /// Where the purchase was made.
  public var environment: AppStoreEnvironment?
  /// The country of the store, by its three-letter code.
  public var storefront: String?
  /// Apple's identifier of the store.
  public var storefrontID: String?

  /// Members that this version does not know, and an account token that is no UUID.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty transaction, to be filled field by field.
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
