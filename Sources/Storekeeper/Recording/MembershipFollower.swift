internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The follower of facts that derives subscriptions from the stored evidence and updates their memberships.
///
/// Source: linking rules, sections 4.6 to 4.8.
struct MembershipFollower {
  let products: ProductMap
  let options: LinkOptions
  let reason: SnapshotReason
  let now: Date
  let unknown: UnknownFields

  init(products: ProductMap, options: LinkOptions, reason: SnapshotReason, now: Date) {
    self.products = products
    self.options = options
    self.reason = reason
    self.now = now
    unknown = UnknownFields(products)
  }

  /// The locked rows of the subscriptions in facts.
  struct LockedRows {
    /// The other original transaction IDs of the transactions, which they had before Apple moved them.
    let previous: Set<String>
    let rows: [StoredSubscription]
  }

  /// Locks the rows of the subscriptions in facts, before these are written.
  ///
  /// - Throws: ``SubscriptionFailure/environmentMismatch``, or an error of the store.
  func lock(_ facts: PurchaseFacts, in unit: UnitOfWork) async throws -> LockedRows {
    let previous = try await previousIDs(of: facts, in: unit)
    try await unit.prepare(
      for: questions(about: facts, continuing: previous, inserting: true))
    return LockedRows(previous: previous, rows: try await lock(facts, and: previous, in: unit))
  }

  /// The questions about the subscriptions in facts, in the order in which rows are locked.
  func questions(
    about facts: PurchaseFacts, continuing previous: Set<String>, inserting: Bool
  ) -> [UnitQuestion] {
    let ids = previous.union(facts.originalTransactionIDs).sorted()
    return [
      inserting
        ? .subscriptionsInserting(ids, subscriptions(facts), asOf: facts.asOf, now: now)
        : .subscriptions(ids),
      .recording(facts.purchases, facts.environment),
      .replacingRenewals(
        of: inserting ? facts.replacedIDs : [], facts.environment, asOf: facts.asOf),
      .renewals(
        of: facts.replacedIDs.isEmpty && facts.renewals.isEmpty ? facts.originalTransactionIDs : [],
        facts.environment),
      .memberships(
        account: nil,
        appleSubscriptionIDs: facts.originalTransactionIDs(knownTo: products) + previous.sorted()),
    ]
  }

  /// Derives the subscriptions after facts were written, and updates their memberships.
  ///
  /// - Returns: The subscriptions as written, one for each original transaction ID for which the facts have a known
  ///   product.
  func follow(
    _ facts: PurchaseFacts, _ locked: LockedRows, in unit: UnitOfWork
  ) async throws -> [Subscription] {
    let previous = locked.previous
    let rows =
      locked.rows + (try await unseen(previous, besides: locked.rows, of: facts, in: unit))
    let known = facts.originalTransactionIDs(knownTo: products)
    let left = rows.map(\.subscription.originalTransactionID).filter(previous.contains)
    for id in left {
      // Apple no longer reports renewals under this ID. The stamp still protects newer entries.
      try await unit.purchases.replace(
        renewals: [], of: id, environment: facts.environment, asOf: facts.asOf, now: now)
    }
    let stored = try await unit.findEvidence(
      of: facts.originalTransactionIDs + left, environment: facts.environment,
      membershipsOf: known + left)
    let subscriptions = try await derive(known, of: facts, from: stored, rows: rows, in: unit)
    let others = try await derive(left, of: facts, from: stored, rows: rows, in: unit)
    unknown.note(stored.memberships)
    let succeeded = try await succeed(
      others, by: subscriptions, of: facts, rows: stored.memberships, in: unit)
    try await sync(
      (subscriptions + others).filter { !succeeded.contains($0.originalTransactionID) },
      with: stored.memberships, in: unit)
    return subscriptions
  }

  /// Returns the stored subscriptions of the known products on a device, given the stored purchases of those.
  func subscriptions(
    onDevice facts: PurchaseFacts, besides stored: [PurchaseRecord], in unit: UnitOfWork
  ) async throws -> [Subscription] {
    let storedIDs = Dictionary(stored.map { ($0.transactionID, $0.originalTransactionID) }) { $1 }
    let known = facts.purchases.filter { products[$0] != nil }
    let ids = known.map { storedIDs[$0.transactionID] ?? $0.originalTransactionID }
    let rows = try await unit.storedSubscriptions.find(Set(ids).sorted()).map(\.subscription)
    guard rows.allSatisfy({ $0.environment == facts.environment }) else {
      throw SubscriptionFailure.environmentMismatch
    }
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

  // MARK: Subscriptions

  /// Locks the rows of all IDs, and inserts those that are missing.
  ///
  /// Those about a purchase that continues others do it once for each, the oldest first. A missing row cannot be locked, so it
  /// is inserted from the evidence alone. The insertion waits for any other unit of work that inserts the same
  /// row, and sees its transactions afterwards.
  private func lock(
    _ facts: PurchaseFacts, and previous: Set<String>, in records: UnitOfWork
  ) async throws -> [StoredSubscription] {
    let ids = facts.originalTransactionIDs
    let rows = try await records.storedSubscriptions.find(
      previous.union(ids).sorted(), inserting: subscriptions(facts), asOf: facts.asOf, now: now)
    let others = rows.filter { $0.subscription.environment != facts.environment }
    guard !others.contains(where: { ids.contains($0.subscription.originalTransactionID) }) else {
      throw SubscriptionFailure.environmentMismatch
    }
    return rows.filter { $0.subscription.environment == facts.environment }
  }

  /// The subscriptions as facts alone tell them.
  private func subscriptions(_ facts: PurchaseFacts) -> [Subscription] {
    facts.originalTransactionIDs.compactMap { id in
      subscription(id, facts.environment, facts.purchases, facts.renewals)
    }
  }

  /// Derives the subscriptions from all stored evidence, writes those that changed, and returns them as written.
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

  private func sync(
    _ subscriptions: [Subscription], with rows: [Membership], in records: UnitOfWork
  ) async throws {
    let options = try await options.ending(in: records)
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

/// The membership fields in which a unit of work found unknown values.
///
/// They are reported after the unit of work has ended, because it may run more than once. Source: linking rules,
/// section 1.3.
final class UnknownFields: Sendable {
  private let fields = Locked<Set<Membership.Field>>([])
  private let products: ProductMap

  init(_ products: ProductMap) { self.products = products }

  /// Adds the fields of memberships that have unknown values.
  func note(_ memberships: [Membership]) {
    let found = memberships.flatMap { $0.unknownFields(besides: products) }
    if !found.isEmpty { fields.withLock { $0.formUnion(found) } }
  }

  /// Reports each field once, and forgets it.
  func tell(_ report: (ServiceIncident) -> Void) {
    let found = fields.withLock { fields in
      defer { fields = [] }
      return fields
    }
    for field in Membership.Field.allCases where found.contains(field) {
      report(.unknownValue(field))
    }
  }
}
