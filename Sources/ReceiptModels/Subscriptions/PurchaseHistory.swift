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
    // By index, so that none is copied.
    hasRefunds = transactions.indices.contains {
      transactions[$0].isCancelled && !transactions[$0].isUpgraded
    }
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
    Self.renewal(of: record, among: renewals)
  }

  /// Returns the renewal of the product among those of one original transaction.
  package static func renewal(
    of record: PurchaseRecord, among renewals: [RenewalRecord]
  ) -> RenewalRecord? {
    let signed = renewals.compactMap(\.signedDate).max()
    let last = renewals.filter { $0.signedDate == signed }
    return last.first { $0.productID?.isSameText(as: record.productID) == true }
      ?? last.first { $0.productID == nil }
  }

  /// Returns the end of Apple's billing grace period after the charge that counts.
  ///
  /// - Returns: The end; nil without a grace period, and after a refund of the newest charge, when nothing renews.
  package func gracePeriodEnd(after periods: PaidPeriods) -> Date? {
    Self.gracePeriodEnd(after: periods, among: renewals)
  }

  /// Returns the same, of the renewals of one original transaction.
  static func gracePeriodEnd(
    after periods: PaidPeriods, among renewals: [RenewalRecord]
  ) -> Date? {
    guard let record = (periods.kept ?? periods.cancelled)?.record,
      periods.newest?.standing != .cancelled
    else { return nil }
    return renewal(of: record, among: renewals)?.gracePeriodExpiresDate?.readable
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
      // Most records are of the same history as the one before.
      if let last = groups.last?.records.last, records[last].isOfSameHistory(as: records[index]) {
        groups[groups.count - 1].records.append(index)
        continue
      }
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
      let order = PurchaseRank.descending(group.records, of: records)
      return PurchaseHistory(
        sorted: order.elementsEqual(records.indices) ? records : order.map { records[$0] },
        renewals: group.renewals, knowledge: knowledge, isDeclaredExpired: areDeclaredExpired)
    }
    let latest = histories.map(\.latest)
    return PurchaseRank.descending(Array(latest.indices), of: latest).map { histories[$0] }
  }

  /// Returns one copy of each transaction and environment: the one signed last, and among equals the one
  /// given last.
  package static func newestCopies(of records: [PurchaseRecord]) -> [PurchaseRecord] {
    merged(records).map { records[$0] }
  }

  /// Returns the indices of the copies to use, in the order of the first copies.
  private static func merged(_ records: [PurchaseRecord]) -> [Int] {
    // Apple's lists are nearly sorted, so that sorting takes less time than hashing.
    let sorted = records.indices.sorted { one, other in
      records[one].isCopy(of: records[other])
        ? one < other : records[one].identityPrecedes(records[other])
    }
    // The copy to use in place of each first copy, and nil in place of the others.
    var used = records.indices.map { Optional($0) }
    var first = sorted.first
    for index in sorted.dropFirst() {
      guard let earlier = first, records[earlier].isCopy(of: records[index]) else {
        first = index
        continue
      }
      used[index] = nil
      let signed = used[earlier].flatMap { records[$0].signedDate } ?? .distantPast
      if signed <= records[index].signedDate ?? .distantPast { used[earlier] = index }
    }
    return used.compactMap(\.self)
  }

  private struct Key: Hashable {
    var id: String
    var environment: String?
  }
}

extension PurchaseRecord {
  /// Returns whether both are copies of one transaction in one environment.
  fileprivate func isCopy(of other: PurchaseRecord) -> Bool {
    transactionID == other.transactionID && environment == other.environment
  }

  /// Returns whether this comes first in a fixed order of transactions and environments.
  fileprivate func identityPrecedes(_ other: PurchaseRecord) -> Bool {
    if transactionID != other.transactionID { return transactionID < other.transactionID }
    guard let environment, let last = other.environment else { return environment == nil }
    return environment.rawValue < last.rawValue
  }

  /// Returns whether both are of one original transaction in one environment.
  fileprivate func isOfSameHistory(as other: PurchaseRecord) -> Bool {
    originalTransactionID == other.originalTransactionID && environment == other.environment
  }
}
