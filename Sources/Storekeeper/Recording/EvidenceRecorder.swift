internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes what Apple said, works out the subscriptions again from all that is stored, and lets the
/// memberships follow, inside one unit of work.
///
/// Source: contract on linking, sections 4.6 to 4.8.
struct EvidenceRecorder {
  let products: ProductMap
  let options: LinkOptions
  let reason: SnapshotReason
  let now: Date
  /// What it meets in memberships that nobody knows.
  let unknown = UnknownFields()

  /// The subscriptions as they are afterwards, for each id of which the evidence has a known product;
  /// empty when there is none, so that only the evidence was kept.
  ///
  /// A notification that leads to a known product is noted with it; one that does not will come
  /// again, and is not noted.
  ///
  /// - Throws: ``SubscriptionFailure/environmentMismatch``, or what the store throws.
  func record(
    _ evidence: Evidence, noting notification: NotificationRecord? = nil,
    in records: any SubscriptionRecords
  ) async throws -> [Subscription] {
    let previous = try await previousIDs(of: evidence, in: records)
    var rows = try await lock(evidence, and: previous, in: records)
    try await keep(evidence, in: records)
    rows += try await unseen(previous, besides: rows, of: evidence, in: records)
    let known = evidence.originalTransactionIDs(knownTo: products)
    let left = rows.map(\.subscription.originalTransactionID).filter(previous.contains)
    for id in left {
      // Apple speaks of its renewal no more; the entry's own stamp still guards it.
      try await records.purchases.replace(
        renewals: [], of: id, environment: evidence.environment, asOf: evidence.asOf, now: now)
    }
    let stored = try await records.findEvidence(
      of: evidence.originalTransactionIDs + left, environment: evidence.environment,
      membershipsOf: known + left)
    let subscriptions = try await derive(
      known, of: evidence, from: stored, rows: rows, in: records)
    let others = try await derive(left, of: evidence, from: stored, rows: rows, in: records)
    try await keepReceipt(of: evidence, for: subscriptions, in: records)
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
    of evidence: Evidence, in records: any SubscriptionRecords
  ) async throws -> Set<String> {
    let stored = try await records.purchases.originalTransactionIDs(
      ofTransactions: evidence.transactions.map(\.transactionID), environment: evidence.environment)
    return evidence.previousIDs.union(stored).subtracting(evidence.originalTransactionIDs)
  }

  /// The rows of previous ids that another unit of work inserted meanwhile; a transaction that was moved
  /// waited for its end.
  private func unseen(
    _ previous: Set<String>, besides rows: [StoredSubscription], of evidence: Evidence,
    in records: any SubscriptionRecords
  ) async throws -> [StoredSubscription] {
    let unseen = previous.subtracting(rows.map(\.subscription.originalTransactionID))
    guard !unseen.isEmpty else { return [] }
    return try await records.subscriptions.find(unseen.sorted())
      .filter { $0.subscription.environment == evidence.environment }
  }

  // MARK: Evidence

  private func keep(_ evidence: Evidence, in records: any SubscriptionRecords) async throws {
    let environment = evidence.environment
    try await records.purchases.record(
      transactions: evidence.transactions, environment: environment, now: now)
    switch evidence.renewals {
    case .complete(let entries):
      for (id, renewals) in entries.sorted(by: { $0.key < $1.key }) {
        try await records.purchases.replace(
          renewals: renewals, of: id, environment: environment, asOf: evidence.asOf, now: now)
      }
    case .single(let entry):
      try await records.purchases.record(renewals: [entry], environment: environment, now: now)
    case .none: break
    }
    if let session = evidence.session {
      try await records.purchases.record(session: session, now: now)
    }
  }

  /// Under each id that got a row; if none did, under all, so that what was bought is not lost.
  private func keepReceipt(
    of evidence: Evidence, for subscriptions: [Subscription], in records: any SubscriptionRecords
  ) async throws {
    guard let receipt = evidence.receipt else { return }
    let known = subscriptions.map(\.originalTransactionID)
    for id in known.isEmpty ? evidence.originalTransactionIDs : known {
      try await records.purchases.put(
        StoredReceipt(
          originalTransactionID: id, environment: evidence.environment, receipt: receipt,
          asOf: evidence.asOf), now: now)
    }
  }

  // MARK: Subscriptions

  /// The rows of all ids that have one, or get one, locked before anything else is touched: so all
  /// units of work lock in the same order.
  ///
  /// A row that is not there cannot be locked, and is inserted from the evidence alone. The insertion
  /// waits for another unit of work that inserts the same row, whose transactions are seen afterwards.
  private func lock(
    _ evidence: Evidence, and previous: Set<String>, in records: any SubscriptionRecords
  ) async throws -> [StoredSubscription] {
    let ids = evidence.originalTransactionIDs
    let renewals = evidence.renewals.all
    let new = ids.compactMap { id in
      subscription(id, evidence.environment, evidence.transactions, renewals)
    }
    let rows = try await records.subscriptions.find(
      previous.union(ids).sorted(), inserting: new, asOf: evidence.asOf, now: now)
    let others = rows.filter { $0.subscription.environment != evidence.environment }
    guard !others.contains(where: { ids.contains($0.subscription.originalTransactionID) }) else {
      throw SubscriptionFailure.environmentMismatch
    }
    return rows.filter { $0.subscription.environment == evidence.environment }
  }

  /// From all that is stored, the new evidence among it.
  private func derive(
    _ known: [String], of evidence: Evidence, from stored: EvidenceRows,
    rows: [StoredSubscription], in records: any SubscriptionRecords
  ) async throws -> [Subscription] {
    var subscriptions: [Subscription] = []
    for id in known {
      let row = rows.first { $0.subscription.originalTransactionID == id }
      guard
        let final = subscription(
          id, evidence.environment, stored.transactions, stored.renewals)
          ?? row?.subscription.ended(unlessNamedBy: stored.transactions)
      else { continue }
      if row.map({ $0.asOf < evidence.asOf || !$0.subscription.agrees(with: final) }) ?? true {
        try await records.subscriptions.save(final, asOf: evidence.asOf, now: now)
      }
      subscriptions.append(final)
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
      let row = rows.first { $0.appleSubsID == subscription.originalTransactionID }
      let decision = SyncProposal(
        subscription: subscription, membership: row, reason: reason, options: options
      ).decision(at: now)
      let writer = DecisionWriter(records: records, options: options, now: now)
      try await writer.write(decision, about: subscription.originalTransactionID)
    }
  }
}

extension Subscription {
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
