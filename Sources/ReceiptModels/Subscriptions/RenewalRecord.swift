#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The information about a coming or failed renewal that the subscription rules use.
///
/// Create a record from a ``PendingRenewal`` or a ``RenewalInfo``. It does not say what the
/// customer owns; that follows from a ``PurchaseRecord`` with the same ``originalTransactionID``.
/// Source: App Store rules, sections 5.4 and 8.1.
public struct RenewalRecord: Hashable, Sendable {
  public var originalTransactionID: String
  public var productID: String?
  public var autoRenewProductID: String?
  /// Whether the subscription will renew automatically, or nil if unknown.
  public var willRenew: Bool?
  public var expirationIntent: ExpirationIntent?
  /// Whether Apple is retrying to charge the renewal; may be false in the grace period.
  public var isInBillingRetry: Bool = false
  public var gracePeriodExpiresDate: Date?
  /// Whether the customer consented to a price increase, if there is one.
  public var priceIncreaseStatus: PriceIncreaseStatus?
  public var offer: PurchaseOffer?
  /// The renewal of a commitment; nil if there is none or the source does not tell, as verifyReceipt.
  public var commitment: CommitmentRenewal?
  public var environment: AppStoreEnvironment?
  /// The date on which Apple signed this; of two records the later one is used.
  public var signedDate: Date?

  /// Creates a record about a subscription.
  public init(originalTransactionID: String) {
    self.originalTransactionID = originalTransactionID
  }

  /// Creates a record, or returns nil unless the identifier is 1 to 64 digits.
  private init?(checking originalTransactionID: String?) {
    guard let originalTransactionID, TransactionIDs.areDigits(originalTransactionID) else {
      return nil
    }
    self.init(originalTransactionID: originalTransactionID)
  }
}

extension RenewalRecord {
  /// Creates a record from a renewal entry of verifyReceipt.
  ///
  /// Returns nil without an identifier of 1 to 64 digits. The environment is not in the entry, so
  /// set it afterwards.
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

  /// Creates a record from a signed renewal info.
  ///
  /// Returns nil without an identifier of 1 to 64 digits.
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
    commitment = renewal.commitmentInfo.map(CommitmentRenewal.init)
    environment = renewal.environment
    signedDate = renewal.signedDate
  }

  /// Creates a record from the top-level members of an iOS 6 answer.
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
