public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A subscription of a user in one app, which may entitle to products.
///
/// Source: entitlement rules, sections 4 and 6.2.
public struct SubscriptionCandidate: Hashable, Sendable {
  /// The app in which the subscription was bought.
  public var bundleID: String
  /// The product of the charge that counts.
  public var productID: String
  /// The environment of the purchase.
  public var environment: AppStoreEnvironment
  /// The identifier of the first charge.
  public var originalTransactionID: String
  /// The date of the charge that counts.
  public var lastPurchaseDate: Date
  /// The end of the paid period.
  public var expiresDate: Date
  /// The end of Apple's billing grace period.
  public var gracePeriodExpiresDate: Date?
  /// The date of the refund or revocation, which ends the subscription whatever its value is.
  public var cancellationDate: Date?
  /// Whether the subscription renews automatically; one that does not has no grace.
  public var isRenewable: Bool

  /// Creates a candidate.
  public init(
    bundleID: String, productID: String, environment: AppStoreEnvironment = .production,
    originalTransactionID: String, lastPurchaseDate: Date, expiresDate: Date,
    gracePeriodExpiresDate: Date? = nil, cancellationDate: Date? = nil, isRenewable: Bool = true
  ) {
    self.bundleID = bundleID
    self.productID = productID
    self.environment = environment
    self.originalTransactionID = originalTransactionID
    self.lastPurchaseDate = lastPurchaseDate
    self.expiresDate = expiresDate
    self.gracePeriodExpiresDate = gracePeriodExpiresDate
    self.cancellationDate = cancellationDate
    self.isRenewable = isRenewable
  }

  /// The end of the paid period, or the cancellation if that is earlier; without any grace.
  ///
  /// Source: entitlement rules, section 6.2.
  public var effectiveEnd: Date { min(expiresDate, cancellationDate ?? expiresDate) }
}
