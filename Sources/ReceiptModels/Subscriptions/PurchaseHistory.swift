#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// All that is known of one original transaction id in one environment.
///
/// A subscription with its renewals, or a single purchase. Histories are made by
/// ``histories(of:renewals:knowledge:)-(_,[RenewalRecord],_)`` or from a source, such as
/// ``VerifyReceiptResponse/purchaseHistories(environment:)``; what they mean at a moment is told by
/// ``summary(at:durations:)``.
///
/// Source: contract on signed data, sections 5.5 and 8.1.
public struct PurchaseHistory: Hashable, Sendable {
  /// The identifier of the first charge.
  public let originalTransactionID: String
  /// Where the purchases were made, or nil where the source does not tell.
  public let environment: AppStoreEnvironment?
  /// How much the source can know.
  public let knowledge: SubscriptionKnowledge
  /// Whether Apple said that the subscription has expired, whatever its dates say; then nothing
  /// entitles.
  public let isDeclaredExpired: Bool
  /// The latest transaction: by expiry, then by purchase, then by identifier; an outdated one only
  /// where there is no other.
  public let latest: PurchaseRecord
  /// All transactions, each once, the latest first.
  public let transactions: [PurchaseRecord]
  /// The group of subscriptions, where any of the transactions tells it.
  public let subscriptionGroupID: String?
  /// What is known about the renewal; more than one when Apple has an entry for each product.
  public let renewals: [RenewalRecord]

  /// Whether any transaction was refunded or revoked; an upgrade, which Apple may give a
  /// cancellation date, is neither.
  let hasRefunds: Bool

  /// Nil without transactions; the transactions must be of one original id and environment, the
  /// latest first.
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
  /// Whether this is a subscription that Apple renews, or any other period with an end.
  public var isSubscription: Bool {
    transactions.contains { record in
      record.expiresDate != nil || record.hasUnreadableExpiry
        || record.productType == .nonRenewingSubscription
        || record.productType == .autoRenewableSubscription
    }
  }

  /// Whether any of the transactions had been bought at a moment; one whose date cannot be read had
  /// been.
  ///
  /// A history that had not begun tells nothing about that moment: nobody had anything then.
  ///
  /// - Parameter date: The moment.
  /// - Returns: False where every transaction was bought later.
  public func hasBegun(at date: Date) -> Bool {
    transactions.contains { $0.hasBegun(at: date) }
  }

  /// Whether this is a subscription, or one of the products that a host sells for a while.
  func isSubscription(_ durations: [String: TimeInterval]) -> Bool {
    isSubscription
      || !durations.isEmpty && transactions.contains { durations[$0.productID] != nil }
  }

  /// The renewal that counts: of those signed last the one about the product.
  ///
  /// Else it is one that names no product, as in the style of iOS 6. What is said of another product
  /// is not about this one.
  ///
  /// Source: contract on linking, section 4.7.
  func renewal(of record: PurchaseRecord) -> RenewalRecord? {
    let signed = renewals.compactMap(\.signedDate).max()
    let last = renewals.filter { $0.signedDate == signed }
    return last.first { $0.productID?.isSameText(as: record.productID) == true }
      ?? last.first { $0.productID == nil }
  }
}
