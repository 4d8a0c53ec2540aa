internal import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The known transactions and renewals of one original transaction in one environment.
///
/// A history is a subscription with its renewals, or a single purchase. Create histories with
/// ``histories(of:renewals:knowledge:)-(_,[RenewalRecord],_)`` or from a source, such as
/// ``VerifyReceiptResponse/purchaseHistories(environment:)``. Use ``summary(at:durations:)`` to
/// derive the state at a date.
///
/// Source: App Store rules, sections 5.5 and 8.1.
public struct PurchaseHistory: Hashable, Sendable {
  /// The identifier of the first charge.
  public let originalTransactionID: String
  /// The environment of the purchases, or nil if the source does not name it.
  public let environment: AppStoreEnvironment?
  /// The extent of the source's knowledge.
  public let knowledge: SubscriptionKnowledge
  /// Whether Apple declared the subscription expired, in which case nothing entitles, whatever its
  /// dates.
  public let isDeclaredExpired: Bool
  /// The latest transaction by expiry, purchase date and identifier.
  ///
  /// An outdated transaction is the latest only if there is no other.
  public let latest: PurchaseRecord
  /// All transactions, each once, the latest first.
  public let transactions: [PurchaseRecord]
  /// The subscription group, if any transaction names it.
  public let subscriptionGroupID: String?
  /// The renewals; more than one if Apple has an entry for each product.
  public let renewals: [RenewalRecord]

  /// Whether any transaction was refunded or revoked.
  ///
  /// An upgrade is neither, although Apple may give it a cancellation date.
  let hasRefunds: Bool

  /// Creates a history, or returns nil without transactions.
  ///
  /// The transactions must be of one original identifier and environment, the latest first.
  init?(
    sorted transactions: [PurchaseRecord], renewals: [RenewalRecord],
    knowledge: SubscriptionKnowledge, isDeclaredExpired: Bool
  ) {
    guard let latest = transactions.first(where: { !$0.isOutdated }) ?? transactions.first else {
      return nil
    }
    self.latest = latest
    self.transactions = transactions
    self.renewals = renewals
    self.knowledge = knowledge
    self.isDeclaredExpired = isDeclaredExpired
    originalTransactionID = latest.originalTransactionID
    environment = latest.environment
    subscriptionGroupID =
      latest.subscriptionGroupID ?? transactions.lazy.compactMap(\.subscriptionGroupID).first
    hasRefunds = transactions.contains { $0.isCancelled && !$0.isUpgraded }
  }
}

extension PurchaseHistory {
  /// Whether this is a subscription, or any other purchase with an end.
  public var isSubscription: Bool {
    transactions.contains { record in
      record.expiresDate != nil || record.hasUnreadableExpiry
        || record.productType == .nonRenewingSubscription
        || record.productType == .autoRenewableSubscription
    }
  }

  /// Returns whether any transaction had been bought by a date.
  ///
  /// A transaction with an unreadable date counts as bought. A history that had not begun says
  /// nothing about that date, because nobody owned anything then.
  ///
  /// - Parameter date: The date.
  /// - Returns: False if every transaction was bought later.
  public func hasBegun(at date: Date) -> Bool {
    transactions.contains { $0.hasBegun(at: date) }
  }

  /// Returns whether this is a subscription or a product with a limited duration.
  func isSubscription(_ durations: [String: Duration]) -> Bool {
    isSubscription
      || !durations.isEmpty && transactions.contains { durations[$0.productID] != nil }
  }

  /// Returns the renewal of the product, or else one that names no product, as in the style of iOS
  /// 6.
  ///
  /// Of several, the one signed last is used. An entry about another product does not apply.
  ///
  /// Source: linking rules, section 4.7.
  package func renewal(of record: PurchaseRecord) -> RenewalRecord? {
    let signed = renewals.compactMap(\.signedDate).max()
    let last = renewals.filter { $0.signedDate == signed }
    return last.first { $0.productID?.isSameText(as: record.productID) == true }
      ?? last.first { $0.productID == nil }
  }

  /// Returns the end of Apple's billing grace period after the charge that counts.
  ///
  /// - Parameter periods: The paid periods of this history.
  /// - Returns: The end; nil without a grace period, and after a refund of the newest charge, when nothing renews.
  package func gracePeriodEnd(after periods: PaidPeriods) -> Date? {
    guard let record = (periods.kept ?? periods.cancelled)?.record,
      periods.newest?.standing != .cancelled
    else { return nil }
    return renewal(of: record)?.gracePeriodExpiresDate?.readable
  }
}
