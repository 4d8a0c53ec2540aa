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
  /// - Returns: The end; nil without a grace period, and after a refund of the newest charge, when nothing renews.
  package func gracePeriodEnd(after periods: PaidPeriods) -> Date? {
    guard let record = (periods.kept ?? periods.cancelled)?.record,
      periods.newest?.standing != .cancelled
    else { return nil }
    return renewal(of: record)?.gracePeriodExpiresDate?.readable
  }
}

extension PurchaseHistory {
  /// Groups records by original transaction and environment.
  ///
  /// Of several copies of a transaction, the one signed last is used, and among equals the one
  /// given last. A renewal without transactions is dropped, because it does not say whose it is.
  /// The history with the latest transaction comes first.
  public static func histories(
    of records: [PurchaseRecord], renewals: [RenewalRecord] = [], knowledge: SubscriptionKnowledge
  ) -> [PurchaseHistory] {
    histories(of: records, renewals: renewals, knowledge: knowledge, areDeclaredExpired: false)
  }

  /// Groups records by original transaction and environment, where Apple may have declared them
  /// expired.
  static func histories(
    of records: [PurchaseRecord], renewals: [RenewalRecord], knowledge: SubscriptionKnowledge,
    areDeclaredExpired: Bool
  ) -> [PurchaseHistory] {
    var groupIndices: [Key: Int] = [:]
    var groups: [(records: [Int], renewals: [RenewalRecord])] = []
    for index in merged(records) {
      let key = Key(
        id: records[index].originalTransactionID,
        environment: records[index].environment?.rawValue)
      if let group = groupIndices[key] {
        groups[group].records.append(index)
      } else {
        groupIndices[key] = groups.count
        groups.append(([index], []))
      }
    }
    for renewal in renewals {
      let key = Key(
        id: renewal.originalTransactionID, environment: renewal.environment?.rawValue)
      if let group = groupIndices[key] { groups[group].renewals.append(renewal) }
    }
    let histories = groups.compactMap { group in
      PurchaseHistory(
        sorted: PurchaseRank.descending(group.records, of: records).map { records[$0] },
        renewals: group.renewals, knowledge: knowledge, isDeclaredExpired: areDeclaredExpired)
    }
    return histories.sorted { first, second in
      PurchaseRank(first.latest, end: first.latest.expiresDate)
        > PurchaseRank(second.latest, end: second.latest.expiresDate)
    }
  }

  /// Returns one copy of each transaction and environment: the one signed last, and among equals the one
  /// given last.
  package static func newestCopies(of records: [PurchaseRecord]) -> [PurchaseRecord] {
    merged(records).map { records[$0] }
  }

  /// Returns the indices of the copies to use, one for each transaction and environment.
  private static func merged(_ records: [PurchaseRecord]) -> [Int] {
    var mergedIndices: [Key: Int] = [:]
    mergedIndices.reserveCapacity(records.count)
    var merged: [Int] = []
    merged.reserveCapacity(records.count)
    for index in records.indices {
      let key = Key(
        id: records[index].transactionID, environment: records[index].environment?.rawValue)
      guard let earlier = mergedIndices[key] else {
        mergedIndices[key] = merged.count
        merged.append(index)
        continue
      }
      let signed = records[merged[earlier]].signedDate ?? .distantPast
      if signed <= records[index].signedDate ?? .distantPast { merged[earlier] = index }
    }
    return merged
  }

  private struct Key: Hashable {
    var id: String
    var environment: String?
  }
}
