#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension VerifyReceiptResponse {
  /// Returns the purchases of this answer, merged from `in_app` and `latest_receipt_info`.
  ///
  /// The copy in `latest_receipt_info` takes precedence. If that list names an original
  /// transaction, a charge of it that is only in the receipt is ``PurchaseRecord/isOutdated``. With
  /// `exclude-old-transactions`, Apple drops old charges from that list only; since that list alone
  /// has upgrades, the copy in the receipt may look active. For other original transactions the
  /// receipt decides, because either list may be empty.
  ///
  /// Without that list and without renewals, as when no shared secret was sent, Apple only repeats
  /// the receipt, and the knowledge is local. An answer that is neither
  /// ``VerifyReceiptStatus/valid`` nor ``VerifyReceiptStatus/subscriptionExpired`` has no
  /// purchases; with the latter, nothing entitles.
  ///
  /// A transaction without usable identifiers is dropped; ``unreadableTransactionCount`` counts
  /// these.
  ///
  /// Source: App Store rules, section 5.5.
  ///
  /// - Parameter environment: The environment of the server that answered; nil takes the answer's
  ///   own.
  /// - Returns: One history for each original transaction, the latest first.
  public func purchaseHistories(environment: AppStoreEnvironment? = nil) -> [PurchaseHistory] {
    guard hasPurchases else { return [] }
    let environment = environment ?? self.environment ?? receipt?.receiptType?.environment
    return PurchaseHistory.histories(
      of: records(in: environment),
      renewals: renewalRecords.map { renewal in
        var renewal = renewal
        renewal.environment = environment
        return renewal
      },
      knowledge: isReceiptOnly ? .local : .remote,
      areDeclaredExpired: status == .subscriptionExpired)
  }

  /// Returns the state of this answer's subscriptions at a date, which should be ``requestDate``.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - environment: The environment of the server that answered; nil takes the answer's own.
  ///   - durations: The length of each non-renewing subscription, by product identifier.
  /// - Returns: The summaries, the latest first. Purchases without an end, and those that had not
  ///   begun, are left out.
  public func subscriptions(
    at date: Date, environment: AppStoreEnvironment? = nil, durations: [String: Duration] = [:]
  ) -> [SubscriptionSummary] {
    PurchaseHistory.subscriptions(
      in: purchaseHistories(environment: environment), at: date, durations: durations)
  }

  /// The number of transactions in this answer that lack identifiers of 1 to 64 digits or a
  /// product.
  ///
  /// They are missing from ``purchaseHistories(environment:)``. Unless this is 0, the histories are
  /// incomplete.
  public var unreadableTransactionCount: Int {
    (listsOfReceipt + latestLists).reduce(0) { count, list in
      count + list.count { PurchaseRecord($0) == nil }
    }
  }

  private var hasPurchases: Bool { status == .valid || status == .subscriptionExpired }

  private var isReceiptOnly: Bool {
    latestReceiptInfo == nil && latestExpiredReceiptInfo == nil && pendingRenewalInfo == nil
  }

  /// Whether the answer is of a form that lists all purchases, and all are readable.
  ///
  /// In the style of iOS 6 it has the newest charge only.
  var mayListAll: Bool {
    status == .valid && style != .iOS6 && latestReceiptInfo != nil
      && unreadableTransactionCount == 0
  }

  private var listsOfReceipt: [[ReceiptTransaction]] {
    [receipt?.inApp, transactionReceipt.map { [$0] }].compactMap(\.self)
  }

  private var latestLists: [[ReceiptTransaction]] {
    [latestExpiredReceiptInfo, latestReceiptInfo].compactMap(\.self)
  }

  /// The original transaction identifiers in the newer lists.
  private var latestOriginalIDs: Set<String> {
    var ids: Set<String> = []
    for list in latestLists {
      for transaction in list {
        guard let id = transaction.originalTransactionID ?? transaction.transactionID,
          TransactionIDs.areDigits(id)
        else { continue }
        ids.insert(id)
      }
    }
    return ids
  }

  /// Returns the records, those of the receipt first, because later ones take precedence.
  private func records(in environment: AppStoreEnvironment?) -> [PurchaseRecord] {
    let older = listsOfReceipt
    let lists = older + latestLists
    let newerIDs = older.allSatisfy(\.isEmpty) ? [] : latestOriginalIDs
    var records: [PurchaseRecord] = []
    records.reserveCapacity(lists.reduce(0) { $0 + $1.count })
    for (position, list) in lists.enumerated() {
      for transaction in list {
        guard let record = PurchaseRecord(transaction) else { continue }
        records.append(record)
        // In place, so that a record is not copied again.
        let last = records.count - 1
        records[last].environment = environment
        if position < older.count {
          records[last].isOutdated = newerIDs.contains(records[last].originalTransactionID)
        }
        // In the style of iOS 6 the reason is at the top level.
        if records[last].isCancelled && records[last].revocationReason == nil {
          records[last].revocationReason = cancellationReason
        }
      }
    }
    return records
  }

  private var renewalRecords: [RenewalRecord] {
    let entries = (pendingRenewalInfo ?? []).compactMap(RenewalRecord.init)
    guard entries.isEmpty, let transactionReceipt else { return entries }
    let original = transactionReceipt.originalTransactionID ?? transactionReceipt.transactionID
    return [RenewalRecord(flat: self, originalTransactionID: original)].compactMap(\.self)
  }
}

extension AppReceipt {
  /// The purchases of this receipt, with local knowledge.
  public var purchaseHistories: [PurchaseHistory] {
    PurchaseHistory.histories(
      of: purchases.compactMap { purchase in
        PurchaseRecord(purchase, environment: receiptType.environment)
      }, knowledge: .local)
  }

  /// Returns the state of this receipt's subscriptions at a date.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - durations: The length of each non-renewing subscription, by product identifier.
  /// - Returns: The summaries, the latest first. Purchases without an end, and those that had not
  ///   begun, are left out.
  public func subscriptions(
    at date: Date, durations: [String: Duration] = [:]
  ) -> [SubscriptionSummary] {
    PurchaseHistory.subscriptions(in: purchaseHistories, at: date, durations: durations)
  }
}

extension PurchaseHistory {
  /// Groups signed transactions by original transaction and environment.
  ///
  /// - Parameters:
  ///   - transactions: The payloads of verified transactions.
  ///   - renewals: The payloads of verified renewal infos.
  ///   - knowledge: ``SubscriptionKnowledge/remote`` for the API, and
  ///     ``SubscriptionKnowledge/notification`` for notifications.
  /// - Returns: One history for each original identifier and environment, the latest first.
  public static func histories(
    of transactions: [Transaction], renewals: [RenewalInfo], knowledge: SubscriptionKnowledge
  ) -> [PurchaseHistory] {
    histories(
      of: transactions.compactMap { PurchaseRecord($0) },
      renewals: renewals.compactMap { RenewalRecord($0) }, knowledge: knowledge)
  }

  static func subscriptions(
    in histories: [PurchaseHistory], at date: Date, durations: [String: Duration]
  ) -> [SubscriptionSummary] {
    histories.filter { $0.isSubscription(durations) && $0.hasBegun(at: date) }
      .map { $0.summary(at: date, durations: durations) }
  }
}
