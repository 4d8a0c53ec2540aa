internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The one door for facts: writes them, derives the subscriptions from everything that is stored, and
/// lets the memberships follow, inside one unit of work.
///
/// Source: linking rules, sections 4.6 to 4.8.
struct FactsRecorder {
  let products: ProductMap
  let options: LinkOptions
  let reason: SnapshotReason
  let now: Date
  /// The unknown fields of memberships.
  let unknown: UnknownFields

  init(products: ProductMap, options: LinkOptions, reason: SnapshotReason, now: Date) {
    self.products = products
    self.options = options
    self.reason = reason
    self.now = now
    unknown = UnknownFields(products)
  }

  /// Records facts.
  ///
  /// A notification about a known product is noted with them; one about another product will come
  /// again, and is not noted.
  ///
  /// - Returns: The subscriptions as written, one for each ID of which the facts have a known product;
  ///   without one only the facts were kept.
  /// - Throws: ``SubscriptionFailure/environmentMismatch``, or what the store throws.
  func record(
    _ facts: PurchaseFacts, noting notification: NotificationRecord? = nil,
    in records: any SubscriptionRecords
  ) async throws -> [Subscription] {
    let previous = try await previousIDs(of: facts, in: records)
    var rows = try await lock(facts, and: previous, in: records)
    try await keep(facts, in: records)
    rows += try await unseen(previous, besides: rows, of: facts, in: records)
    let known = facts.originalTransactionIDs(knownTo: products)
    let left = rows.map(\.subscription.originalTransactionID).filter(previous.contains)
    for id in left {
      // Apple speaks of its renewal no more; the entry's own stamp still guards it.
      try await records.purchases.replace(
        renewals: [], of: id, environment: facts.environment, asOf: facts.asOf, now: now)
    }
    let stored = try await records.findEvidence(
      of: facts.originalTransactionIDs + left, environment: facts.environment,
      membershipsOf: known + left)
    let subscriptions = try await derive(
      known, of: facts, from: stored, rows: rows, in: records)
    let others = try await derive(left, of: facts, from: stored, rows: rows, in: records)
    try await keepReceipt(of: facts, for: subscriptions, in: records)
    unknown.note(stored.memberships)
    try await follow(subscriptions + others, by: stored.memberships, in: records)
    if let notification, !subscriptions.isEmpty {
      _ = try await records.notifications.record(notification: notification, now: now)
    }
    return subscriptions
  }

  // MARK: Moved transactions

  /// The other original ids of the transactions: before Apple moved them, by its word or as they are
  /// stored.
  private func previousIDs(
    of facts: PurchaseFacts, in records: any SubscriptionRecords
  ) async throws -> Set<String> {
    let stored = try await records.purchases.originalTransactionIDs(
      ofTransactions: facts.purchases.map(\.transactionID), environment: facts.environment)
    return facts.previousIDs.union(stored).subtracting(facts.originalTransactionIDs)
  }

  /// The rows of previous ids that another unit of work inserted meanwhile; a transaction that was moved
  /// waited for its end.
  private func unseen(
    _ previous: Set<String>, besides rows: [StoredSubscription], of facts: PurchaseFacts,
    in records: any SubscriptionRecords
  ) async throws -> [StoredSubscription] {
    let unseen = previous.subtracting(rows.map(\.subscription.originalTransactionID))
    guard !unseen.isEmpty else { return [] }
    return try await records.subscriptions.find(unseen.sorted())
      .filter { $0.subscription.environment == facts.environment }
  }

  // MARK: Evidence

  private func keep(_ facts: PurchaseFacts, in records: any SubscriptionRecords) async throws {
    let environment = facts.environment
    try await records.purchases.record(
      transactions: try await purchases(of: facts, in: records), environment: environment, now: now)
    switch facts.completeness {
    case .all:
      for id in facts.originalTransactionIDs {
        try await records.purchases.replace(
          renewals: facts.renewals.filter { $0.originalTransactionID == id }, of: id,
          environment: environment, asOf: facts.asOf, now: now)
      }
    case .single, .device:
      guard !facts.renewals.isEmpty else { break }
      try await records.purchases.record(
        renewals: facts.renewals, environment: environment, now: now)
    }
    if let session = facts.session {
      try await records.purchases.record(session: session, now: now)
    }
  }

  /// Returns the purchases; those of a device with the stored values that it doesn't know.
  private func purchases(
    of facts: PurchaseFacts, in records: any SubscriptionRecords
  ) async throws -> [PurchaseRecord] {
    guard facts.completeness == .device else { return facts.purchases }
    let stored = try await records.purchases.transactions(
      of: facts.originalTransactionIDs, environment: facts.environment)
    let known = Dictionary(stored.map { ($0.transactionID, $0) }) { $1 }
    return facts.purchases.map { purchase in
      known[purchase.transactionID].map(purchase.completed(from:)) ?? purchase
    }
  }

  /// Keeps the receipt under each ID that got a row; if none did, under all, so that no purchase is
  /// lost.
  private func keepReceipt(
    of facts: PurchaseFacts, for subscriptions: [Subscription], in records: any SubscriptionRecords
  ) async throws {
    guard let receipt = facts.receipt else { return }
    let known = subscriptions.map(\.originalTransactionID)
    for id in known.isEmpty ? facts.originalTransactionIDs : known {
      try await records.purchases.put(
        StoredReceipt(
          originalTransactionID: id, environment: facts.environment, receipt: receipt,
          asOf: facts.asOf), now: now)
    }
  }

  // MARK: Subscriptions

  /// The rows of all ids that have one, or get one, locked before anything else is touched: so all
  /// units of work lock in the same order.
  ///
  /// A row that is not there cannot be locked, and is inserted from the evidence alone. The insertion
  /// waits for another unit of work that inserts the same row, whose transactions are seen afterwards.
  private func lock(
    _ facts: PurchaseFacts, and previous: Set<String>, in records: any SubscriptionRecords
  ) async throws -> [StoredSubscription] {
    let ids = facts.originalTransactionIDs
    let new = ids.compactMap { id in
      subscription(id, facts.environment, facts.purchases, facts.renewals)
    }
    let rows = try await records.subscriptions.find(
      previous.union(ids).sorted(), inserting: new, asOf: facts.asOf, now: now)
    let others = rows.filter { $0.subscription.environment != facts.environment }
    guard !others.contains(where: { ids.contains($0.subscription.originalTransactionID) }) else {
      throw SubscriptionFailure.environmentMismatch
    }
    return rows.filter { $0.subscription.environment == facts.environment }
  }

  /// Derives the subscriptions from everything that is stored, and writes those that changed.
  ///
  /// - Returns: The subscriptions as written.
  private func derive(
    _ known: [String], of facts: PurchaseFacts, from stored: EvidenceRows,
    rows: [StoredSubscription], in records: any SubscriptionRecords
  ) async throws -> [Subscription] {
    var subscriptions: [Subscription] = []
    for id in known {
      let row = rows.first { $0.subscription.originalTransactionID == id }
      guard
        let final = subscription(
          id, facts.environment, stored.transactions, stored.renewals)
          ?? row?.subscription.ended(unlessNamedBy: stored.transactions)
      else { continue }
      if row.map({ $0.asOf < facts.asOf || !$0.subscription.agrees(with: final) }) ?? true {
        try await records.subscriptions.save(final, asOf: facts.asOf, now: now)
      }
      subscriptions.append(final.written(over: row?.subscription, at: now))
    }
    return subscriptions
  }

  private func subscription(
    _ id: String, _ environment: AppStoreEnvironment, _ transactions: [PurchaseRecord],
    _ renewals: [RenewalRecord]
  ) -> Subscription? {
    Subscription(
      originalTransactionID: id, environment: environment, transactions: transactions,
      renewals: renewals, group: transactions, products: products)
  }

  // MARK: Memberships

  private func follow(
    _ subscriptions: [Subscription], by rows: [Membership], in records: any SubscriptionRecords
  ) async throws {
    for subscription in subscriptions {
      let row = rows.first { $0.originalTransactionID == subscription.originalTransactionID }
      let decision = SyncProposal(
        subscription: subscription, membership: row, reason: reason, options: options
      ).decision(at: now)
      let writer = DecisionWriter(records: records, options: options, now: now)
      try await writer.write(decision, about: subscription.originalTransactionID)
    }
  }
}

extension Subscription {
  /// Returns the row after this subscription was saved; owner and dates of the row are the store's.
  fileprivate func written(over row: Subscription?, at now: Date) -> Subscription {
    var written = self
    written.owner = row?.owner
    written.isInUse = row?.isInUse ?? false
    written.createdDate = row?.createdDate ?? StoredMoment.inSeconds(now)
    let isUnchanged = row?.agrees(with: self) ?? false
    written.updatedDate = isUnchanged ? row?.updatedDate : StoredMoment.inSeconds(now)
    return written
  }

  /// The subscription after Apple moved all of its transactions to another original id: it ended when
  /// the latest of them was bought.
  ///
  /// Nil where one is left.
  fileprivate func ended(unlessNamedBy transactions: [PurchaseRecord]) -> Subscription? {
    guard !transactions.contains(where: { $0.originalTransactionID == originalTransactionID })
    else { return nil }
    var ended = self
    ended.expiresDate = min(expiresDate, purchaseDate)
    ended.autoRenewal = false
    return ended
  }

  /// Whether Apple's part of both is the same; owner and dates of the row are the store's.
  fileprivate func agrees(with other: Subscription) -> Bool {
    lastTransactionID == other.lastTransactionID && productID == other.productID
      && purchaseDate == other.purchaseDate && expiresDate == other.expiresDate
      && tier == other.tier && cycle == other.cycle && autoRenewal == other.autoRenewal
  }
}
