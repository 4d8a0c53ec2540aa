#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What the rules of subscriptions need to know about a coming or failed renewal.
///
/// Make it from a ``PendingRenewal`` or a ``RenewalInfo``. It says nothing about what the customer
/// has; that follows from a ``PurchaseRecord`` with the same ``originalTransactionID``.
///
/// Source: contract on signed data, sections 5.4 and 8.1.
public struct RenewalRecord: Hashable, Sendable {
  /// The identifier of the first charge of the subscription.
  public var originalTransactionID: String
  /// The product that the customer has now.
  public var productID: String?
  /// The product that will renew.
  public var autoRenewProductID: String?
  /// Whether the subscription will renew by itself, or nil where the source does not tell.
  public var willRenew: Bool?
  /// Why the subscription ended, once it has.
  public var expirationIntent: ExpirationIntent?
  /// Whether Apple is still trying to charge the renewal; may be false in the grace period.
  public var isInBillingRetry: Bool = false
  /// When the billing grace period ends.
  public var gracePeriodExpiresDate: Date?
  /// Whether the customer consented to a higher price, if there is one.
  public var priceIncreaseStatus: PriceIncreaseStatus?
  /// The offer that will set the price.
  public var offer: PurchaseOffer?
  /// Where the subscription was bought.
  public var environment: AppStoreEnvironment?
  /// When Apple signed this; of two records the later one counts.
  public var signedDate: Date?

  /// A record about a subscription.
  public init(originalTransactionID: String) {
    self.originalTransactionID = originalTransactionID
  }

  /// A record whose identifier comes from outside: nil unless that is 1 to 64 digits.
  private init?(checking originalTransactionID: String?) {
    guard let originalTransactionID, TransactionIDs.areDigits(originalTransactionID) else {
      return nil
    }
    self.init(originalTransactionID: originalTransactionID)
  }
}

extension RenewalRecord {
  /// What verifyReceipt says of a renewal.
  ///
  /// Nil without an identifier of 1 to 64 digits. The environment is not in the entry; set it
  /// afterwards.
  ///
  /// - Parameter renewal: An element of `pending_renewal_info`.
  public init?(_ renewal: PendingRenewal) {
    self.init(checking: renewal.originalTransactionID)
    productID = renewal.productID
    autoRenewProductID = renewal.autoRenewProductID
    willRenew = renewal.autoRenewStatus.map { $0 == .on }
    expirationIntent = renewal.expirationIntent
    isInBillingRetry = renewal.isInBillingRetryPeriod ?? false
    gracePeriodExpiresDate = renewal.gracePeriodExpiresDate
    priceIncreaseStatus = renewal.priceIncreaseStatus ?? renewal.priceConsentStatus
    offer = PurchaseOffer(
      promotionalOfferID: renewal.promotionalOfferID, offerCodeRefName: renewal.offerCodeRefName)
  }

  /// What Apple signed about a renewal.
  ///
  /// Nil without an identifier of 1 to 64 digits.
  ///
  /// - Parameter renewal: A renewal info; take it from a verified one.
  public init?(_ renewal: RenewalInfo) {
    self.init(checking: renewal.originalTransactionID)
    productID = renewal.productID
    autoRenewProductID = renewal.autoRenewProductID
    willRenew = renewal.autoRenewStatus.map { $0 == .on }
    expirationIntent = renewal.expirationIntent
    isInBillingRetry = renewal.isInBillingRetryPeriod ?? false
    gracePeriodExpiresDate = renewal.gracePeriodExpiresDate
    priceIncreaseStatus = renewal.priceIncreaseStatus
    offer = renewal.offerType.map {
      PurchaseOffer(type: $0, identifier: renewal.offerIdentifier)
    }
    environment = renewal.environment
    signedDate = renewal.signedDate
  }

  /// What an iOS 6 answer says at its top level about the subscription of its transaction.
  init?(flat response: VerifyReceiptResponse, originalTransactionID: String?) {
    guard
      response.autoRenewStatus != nil || response.expirationIntent != nil
        || response.isInBillingRetryPeriod != nil
    else { return nil }
    self.init(checking: originalTransactionID)
    autoRenewProductID = response.autoRenewProductID
    willRenew = response.autoRenewStatus.map { $0 == .on }
    expirationIntent = response.expirationIntent
    isInBillingRetry = response.isInBillingRetryPeriod ?? false
  }
}
