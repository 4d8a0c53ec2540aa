#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension VerifyReceiptResponse {
  /// The purchases of this answer, in app and latest merged.
  ///
  /// The copy in `latest_receipt_info` wins. Where that list names an original transaction id, a
  /// charge of it that only the receipt has is ``PurchaseRecord/isOutdated``: with
  /// `exclude-old-transactions` Apple leaves it out of that list alone, which is the only one to tell
  /// upgrades, so that the copy in the receipt may look as if it still ran. Of other original ids the
  /// receipt decides, as either list may be empty.
  ///
  /// Without that list and without renewals, as when no shared secret was sent, Apple only repeats the
  /// receipt, and the knowledge is local. An answer that is neither ``VerifyReceiptStatus/valid`` nor
  /// ``VerifyReceiptStatus/subscriptionExpired`` has none; with the latter, nothing entitles.
  ///
  /// A transaction without usable identifiers is left out; ``unreadableTransactionCount`` tells how
  /// many.
  ///
  /// Source: contract on signed data, section 5.5.
  ///
  /// - Parameter environment: Of the server that answered; nil takes the answer's word.
  /// - Returns: One history for each original transaction id, the latest first.
  public func purchaseHistories(environment: AppStoreEnvironment? = nil) -> [PurchaseHistory] {
    guard hasPurchases else { return [] }
    let place = environment ?? self.environment ?? receipt?.receiptType?.environment
    return PurchaseHistory.histories(
      of: records(in: place),
      renewals: renewalRecords.map { renewal in
        var renewal = renewal
        renewal.environment = place
        return renewal
      },
      knowledge: isReceiptOnly ? .local : .remote,
      areDeclaredExpired: status == .subscriptionExpired)
  }

  /// The subscriptions of this answer at a moment, which should be ``requestDate``.
  ///
  /// - Parameters:
  ///   - date: The moment.
  ///   - environment: Of the server that answered; nil takes the answer's word.
  ///   - durations: The length of each non-renewing subscription in seconds, by product id.
  /// - Returns: What the customer has, the latest first; purchases without an end, and those that had
  ///   not begun, are left out.
  public func subscriptions(
    at date: Date, environment: AppStoreEnvironment? = nil, durations: [String: TimeInterval] = [:]
  ) -> [SubscriptionSummary] {
    PurchaseHistory.subscriptions(
      in: purchaseHistories(environment: environment), at: date, durations: durations)
  }

  /// How many transactions of this answer cannot be taken for purchases, for want of identifiers of
  /// 1 to 64 digits or of a product.
  ///
  /// They are missing from ``purchaseHistories(environment:)``: unless this is 0, what is there is
  /// not all that there ever was.
  public var unreadableTransactionCount: Int {
    (listsOfReceipt + latestLists).reduce(0) { count, list in
      count + list.count { PurchaseRecord($0) == nil }
    }
  }

  private var hasPurchases: Bool { status == .valid || status == .subscriptionExpired }

  private var isReceiptOnly: Bool {
    latestReceiptInfo == nil && latestExpiredReceiptInfo == nil && pendingRenewalInfo == nil
  }

  /// Whether the answer is of the form that lists all that was ever bought, and all can be read; in
  /// the style of iOS 6 it has the newest charge only.
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

  /// The original transaction ids that the newer lists name.
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

  /// The later ones win, so those of the receipt come first.
  private func records(in environment: AppStoreEnvironment?) -> [PurchaseRecord] {
    let older = listsOfReceipt
    let lists = older + latestLists
    let newerIDs = older.allSatisfy(\.isEmpty) ? [] : latestOriginalIDs
    var records: [PurchaseRecord] = []
    records.reserveCapacity(lists.reduce(0) { $0 + $1.count })
    for (place, list) in lists.enumerated() {
      for transaction in list {
        guard var record = PurchaseRecord(transaction) else { continue }
        record.environment = environment
        record.isOutdated =
          place < older.count && newerIDs.contains(record.originalTransactionID)
        // The style of iOS 6 has the reason at the top level.
        if record.isCancelled && record.revocationReason == nil {
          record.revocationReason = cancellationReason
        }
        records.append(record)
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
  /// The purchases of this receipt; the knowledge is local.
  public var purchaseHistories: [PurchaseHistory] {
    PurchaseHistory.histories(
      of: purchases.compactMap { purchase in
        PurchaseRecord(purchase, environment: receiptType.environment)
      }, knowledge: .local)
  }

  /// The subscriptions of this receipt at a moment.
  ///
  /// - Parameters:
  ///   - date: The moment.
  ///   - durations: The length of each non-renewing subscription in seconds, by product id.
  /// - Returns: What the receipt proves, the latest first; purchases without an end, and those that
  ///   had not begun, are left out.
  public func subscriptions(
    at date: Date, durations: [String: TimeInterval] = [:]
  ) -> [SubscriptionSummary] {
    PurchaseHistory.subscriptions(in: purchaseHistories, at: date, durations: durations)
  }
}

extension PurchaseHistory {
  /// Groups transactions that Apple signed.
  ///
  /// - Parameters:
  ///   - transactions: The payloads of verified transactions.
  ///   - renewals: The payloads of verified renewal infos.
  ///   - knowledge: ``SubscriptionKnowledge/remote`` from the API,
  ///     ``SubscriptionKnowledge/notification`` from notifications.
  /// - Returns: One history for each original id and environment, the latest first.
  public static func histories(
    of transactions: [Transaction], renewals: [RenewalInfo], knowledge: SubscriptionKnowledge
  ) -> [PurchaseHistory] {
    histories(
      of: transactions.compactMap { PurchaseRecord($0) },
      renewals: renewals.compactMap { RenewalRecord($0) }, knowledge: knowledge)
  }

  static func subscriptions(
    in histories: [PurchaseHistory], at date: Date, durations: [String: TimeInterval]
  ) -> [SubscriptionSummary] {
    histories.filter { $0.isSubscription(durations) && $0.hasBegun(at: date) }
      .map { $0.summary(at: date, durations: durations) }
  }
}
