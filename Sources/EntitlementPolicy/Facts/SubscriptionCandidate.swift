internal import JSONValues
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
  public var bundleID: String
  public var productID: String
  public var environment: AppStoreEnvironment
  public var originalTransactionID: String
  public var lastPurchaseDate: Date
  public var expiresDate: Date
  public var gracePeriodExpiresDate: Date?
  /// The date of the refund or revocation, which ends the subscription whatever its value is.
  public var cancellationDate: Date?
  /// Whether the subscription renews automatically; one that does not has no grace.
  public var isRenewable: Bool
  /// The date since which the state of the subscription could not be learned; nil if it is known.
  public var firstFailureDate: Date?

  /// Creates a candidate.
  public init(
    bundleID: String, productID: String, environment: AppStoreEnvironment = .production,
    originalTransactionID: String, lastPurchaseDate: Date, expiresDate: Date,
    gracePeriodExpiresDate: Date? = nil, cancellationDate: Date? = nil, isRenewable: Bool = true,
    firstFailureDate: Date? = nil
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
    self.firstFailureDate = firstFailureDate
  }

  /// Returns whether the subscription counts as inactive, because its state could not be learned for too
  /// long.
  ///
  /// Source: entitlement rules, section 4.1.
  public func isSuspended(at date: Date, options: EntitlementOptions) -> Bool {
    suspensionDate(options: options).map { date >= $0 } ?? false
  }

  /// The moment from which the subscription is suspended; nil if its state is known.
  func suspensionDate(options: EntitlementOptions) -> Date? {
    firstFailureDate.map { $0 + options.statusTTL.timeInterval }
  }

  /// The end of the paid period, or the cancellation if that is earlier; without any grace.
  ///
  /// Source: entitlement rules, section 6.2.
  public var effectiveEnd: Date { min(expiresDate, cancellationDate ?? expiresDate) }

  /// Returns whether both are items of one purchase.
  func isOfSamePurchase(as other: SubscriptionCandidate) -> Bool {
    originalTransactionID.isSameText(as: other.originalTransactionID)
      && environment == other.environment && bundleID.isSameText(as: other.bundleID)
  }
}
