internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The only recorder of facts.
///
/// In one unit of work it writes the facts, derives the subscriptions from all stored evidence and
/// updates their memberships.
///
/// Source: linking rules, sections 4.6 to 4.8.
struct FactsRecorder {
  let products: ProductMap
  let options: LinkOptions
  let reason: SnapshotReason
  let now: Date
  /// The fields of memberships that have unknown values.
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
  /// A notification about a known product is recorded with them. One about an unknown product is
  /// not, because Apple will send it again.
  ///
  /// - Returns: The subscriptions as written, one for each original transaction ID for which the
  ///   facts have a known product. If there is none, only the facts were stored.
  /// - Throws: ``SubscriptionFailure/environmentMismatch``, or an error of the store.
  func record(
    _ facts: PurchaseFacts, noting notification: NotificationRecord? = nil,
    in records: UnitOfWork
  ) async throws -> [Subscription] {
    guard facts.completeness != .device else {
      return try await recordDevice(facts, in: records)
    }
    for earlier in facts.ancestors { _ = try await record(earlier, in: records) }
    let previous = try await previousIDs(of: facts, in: records)
    var rows = try await lock(facts, and: previous, in: records)
    try await facts.keep(in: records, now: now)
    rows += try await unseen(previous, besides: rows, of: facts, in: records)
    let known = facts.originalTransactionIDs(knownTo: products)
    let left = rows.map(\.subscription.originalTransactionID).filter(previous.contains)
    for id in left {
      // Apple no longer reports renewals under this ID. The stamp still protects newer entries.
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
    let succeeded = try await succeed(
      others, by: subscriptions, of: facts, rows: stored.memberships, in: records)
    try await follow(
      (subscriptions + others).filter { !succeeded.contains($0.originalTransactionID) },
      by: stored.memberships, in: records)
    if let notification, !subscriptions.isEmpty {
      _ = try await records.notifications.record(notification: notification, now: now)
    }
    return subscriptions
  }

  /// Records the purchases of a device that are not stored.
  ///
  /// A device knows nothing about a stored purchase that the store doesn't know, so those stay as they
  /// are, with their own stamps.
  private func recordDevice(
    _ facts: PurchaseFacts, in records: UnitOfWork
  ) async throws -> [Subscription] {
    let environment = facts.environment
    let stored = try await facts.stored(in: records)
    let storedIDs = Dictionary(stored.map { ($0.transactionID, $0.originalTransactionID) }) { $1 }
    if let news = facts.news(besides: stored) { _ = try await record(news, in: records) }
    let known = facts.purchases.filter { products[$0.productID] != nil }
    let ids = known.map { storedIDs[$0.transactionID] ?? $0.originalTransactionID }
    let rows = try await records.storedSubscriptions.find(Set(ids).sorted()).map(\.subscription)
    guard rows.allSatisfy({ $0.environment == environment }) else {
      throw SubscriptionFailure.environmentMismatch
    }
    try await keepReceipt(of: facts, for: rows, in: records)
    return rows
  }

  // MARK: Moved transactions

  /// Returns the other original transaction IDs of the transactions, which they had before Apple
  /// moved them: those in the facts and those in the store.
  private func previousIDs(
    of facts: PurchaseFacts, in records: UnitOfWork
  ) async throws -> Set<String> {
    let stored = try await records.purchases.originalTransactionIDs(
      ofTransactions: facts.purchases.map(\.transactionID), environment: facts.environment)
    return facts.previousIDs.union(stored).subtracting(facts.originalTransactionIDs)
  }

  /// Returns the rows of previous IDs that another unit of work has inserted meanwhile.
  ///
  /// Writing a moved transaction waited for the end of that unit of work.
  private func unseen(
    _ previous: Set<String>, besides rows: [StoredSubscription], of facts: PurchaseFacts,
    in records: UnitOfWork
  ) async throws -> [StoredSubscription] {
    let unseen = previous.subtracting(rows.map(\.subscription.originalTransactionID))
    guard !unseen.isEmpty else { return [] }
    return try await records.storedSubscriptions.find(unseen.sorted())
      .filter { $0.subscription.environment == facts.environment }
  }

  // MARK: Evidence

  /// Stores the receipt under the ID of each subscription or, if there is none, under all IDs, so
  /// that no purchase is lost.
  private func keepReceipt(
    of facts: PurchaseFacts, for subscriptions: [Subscription], in records: UnitOfWork
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

  /// Locks the rows of all IDs, and inserts those that are missing.
  ///
  /// This is the first access of every unit of work, so that all of them lock in the same order; those about a
  /// purchase that continues others do it once for each, the oldest first. A missing row cannot be locked, so it
  /// is inserted from the evidence alone. The insertion waits for any other unit of work that inserts the same
  /// row, and sees its transactions afterwards.
  private func lock(
    _ facts: PurchaseFacts, and previous: Set<String>, in records: UnitOfWork
  ) async throws -> [StoredSubscription] {
    let ids = facts.originalTransactionIDs
    let new = ids.compactMap { id in
      subscription(id, facts.environment, facts.purchases, facts.renewals)
    }
    let rows = try await records.storedSubscriptions.find(
      previous.union(ids).sorted(), inserting: new, asOf: facts.asOf, now: now)
    let others = rows.filter { $0.subscription.environment != facts.environment }
    guard !others.contains(where: { ids.contains($0.subscription.originalTransactionID) }) else {
      throw SubscriptionFailure.environmentMismatch
    }
    return rows.filter { $0.subscription.environment == facts.environment }
  }

  /// Derives the subscriptions from all stored evidence, and writes those that changed.
  ///
  /// - Returns: The subscriptions as written.
  private func derive(
    _ known: [String], of facts: PurchaseFacts, from stored: EvidenceRows,
    rows: [StoredSubscription], in records: UnitOfWork
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
        try await records.storedSubscriptions.save(final, asOf: facts.asOf, now: now)
      }
      subscriptions.append(
        final.written(over: row?.subscription, beside: stored.memberships, at: now))
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
    _ subscriptions: [Subscription], by rows: [Membership], in records: UnitOfWork
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
  /// Returns the row after this subscription was saved; the owner and the dates come from the row.
  fileprivate func written(
    over row: Subscription?, beside memberships: [Membership], at now: Date
  ) -> Subscription {
    var written = self
    written.owner = row?.owner
    written.isInUse = memberships.contains { membership in
      membership.isIAP && membership.originalTransactionID == originalTransactionID
        && membership.primaryID != nil && membership.primaryID == row?.owner
    }
    written.createdDate = row?.createdDate ?? StoredMoment.inSeconds(now)
    let isUnchanged = row?.agrees(with: self) ?? false
    written.updatedDate = isUnchanged ? row?.updatedDate : StoredMoment.inSeconds(now)
    return written
  }

  /// Returns the subscription after Apple moved all of its transactions to another original
  /// transaction ID, or nil if at least one transaction is left.
  ///
  /// The subscription ended when the latest of the transactions was bought.
  fileprivate func ended(unlessNamedBy transactions: [PurchaseRecord]) -> Subscription? {
    guard !transactions.contains(where: { $0.originalTransactionID == originalTransactionID })
    else { return nil }
    var ended = self
    ended.expiresDate = min(expiresDate, purchaseDate)
    ended.autoRenewal = false
    return ended
  }

  /// Returns whether Apple's values are the same in both; the owner and the row's dates are not
  /// compared.
  fileprivate func agrees(with other: Subscription) -> Bool {
    lastTransactionID == other.lastTransactionID && productID == other.productID
      && purchaseDate == other.purchaseDate && expiresDate == other.expiresDate
      && tier == other.tier && cycle == other.cycle && autoRenewal == other.autoRenewal
  }
}
