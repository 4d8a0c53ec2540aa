internal import CreditPolicy
internal import EntitlementPolicy
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// The records of each capability, of a unit of work that is watched.

struct WatchedSubscriptions: SubscriptionRecords {
  let base: any SubscriptionRecords
  let watch: EventWatch

  var storedSubscriptions: any SubscriptionRepository {
    WatchedStoredSubscriptions(base: base.storedSubscriptions, watch: watch)
  }
  var memberships: any MembershipRepository {
    WatchedMemberships(base: base.memberships, watch: watch)
  }
  var refreshes: any RefreshRepository { base.refreshes }

  func find(_ ids: [String], account: Account?) async throws -> LinkRows {
    let found = try await base.find(ids, account: account)
    watch.note(found.subscriptions)
    watch.note(found.memberships)
    return found
  }

  func findEvidence(
    of ids: [String], environment: AppStoreEnvironment, membershipsOf followers: [String],
    purchases: any PurchaseRepository
  ) async throws -> EvidenceRows {
    let found = try await base.findEvidence(
      of: ids, environment: environment, membershipsOf: followers, purchases: purchases)
    watch.note(found.memberships)
    return found
  }
}

private struct WatchedStoredSubscriptions: SubscriptionRepository {
  let base: any SubscriptionRepository
  let watch: EventWatch

  func find(_ ids: [String]) async throws -> [StoredSubscription] {
    let found = try await base.find(ids)
    watch.note(found)
    return found
  }

  func find(
    _ ids: [String], inserting new: [Subscription], asOf: Date, now: Date
  ) async throws -> [StoredSubscription] {
    let found = try await base.find(ids, inserting: new, asOf: asOf, now: now)
    watch.note(found)
    return found
  }

  func save(_ subscription: Subscription, asOf: Date, now: Date) async throws {
    try await base.save(subscription, asOf: asOf, now: now)
  }

  func setOwner(_ owner: AccountID?, of id: String, now: Date) async throws {
    try await base.setOwner(owner, of: id, now: now)
    watch.note(owner: owner, of: id)
  }

  func list(owner: AccountID, offset: Int, limit: Int) async throws -> SubscriptionPage {
    try await base.list(owner: owner, offset: offset, limit: limit)
  }

  func list(after id: String?, limit: Int) async throws -> [ReceiptCursor] {
    try await base.list(after: id, limit: limit)
  }
}

private struct WatchedMemberships: MembershipRepository {
  let base: any MembershipRepository
  let watch: EventWatch

  func insert(_ membership: Membership) async throws -> Membership {
    let row = try await base.insert(membership)
    watch.tell(row, instead: nil)
    return row
  }

  func update(_ membership: Membership, previous: Membership) async throws -> Membership {
    let row = try await base.update(membership, previous: previous)
    watch.tell(row, instead: previous)
    return row
  }

  func delete(_ membership: Membership) async throws {
    try await base.delete(membership)
    watch.tellUnlinked(membership)
  }

  func recordDispute(originalTransactionID id: String, account: Account, now: Date) async throws {
    try await base.recordDispute(originalTransactionID: id, account: account, now: now)
    watch.tell(
      .disputeRecorded, account.id,
      .dispute(ClaimDispute(originalTransactionID: id, owner: watch.owner(of: id))))
  }

  func find(account: Account?, appleSubscriptionIDs: [String]) async throws -> [Membership] {
    let found = try await base.find(account: account, appleSubscriptionIDs: appleSubscriptionIDs)
    watch.note(found)
    return found
  }

  func snapshot(_ membership: Membership, reason: SnapshotReason, now: Date) async throws {
    try await base.snapshot(membership, reason: reason, now: now)
  }

  func recordUnlink(originalTransactionID: String, accountID: AccountID, now: Date) async throws {
    try await base.recordUnlink(
      originalTransactionID: originalTransactionID, accountID: accountID, now: now)
  }

  func history(of query: MembershipHistoryQuery, limit: Int) async throws -> [MembershipEvent] {
    try await base.history(of: query, limit: limit)
  }

  func disputes(_ query: DisputeQuery, limit: Int) async throws -> [Dispute] {
    try await base.disputes(query, limit: limit)
  }

  func removeSnapshots(before: Date, limit: Int) async throws -> Int {
    try await base.removeSnapshots(before: before, limit: limit)
  }
}

struct WatchedCredits: CreditRecords {
  let base: any CreditRecords
  let watch: EventWatch

  var creditTransactions: any CreditTransactionRepository {
    WatchedCreditTransactions(base: base.creditTransactions, watch: watch)
  }
  var creditLedger: any CreditLedgerRepository {
    WatchedLedger(base: base.creditLedger, watch: watch)
  }
  var starterClaims: any StarterClaimRepository { base.starterClaims }
  var creditNotifications: any CreditNotificationRepository { base.creditNotifications }
  var ledgerAudit: any LedgerAuditRepository { base.ledgerAudit }
}

private struct WatchedCreditTransactions: CreditTransactionRepository {
  let base: any CreditTransactionRepository
  let watch: EventWatch

  func find(
    transactionID: String, environment: AppStoreEnvironment
  ) async throws -> CreditTransaction? {
    let found = try await base.find(transactionID: transactionID, environment: environment)
    note(found)
    return found
  }

  func insert(_ transaction: CreditTransaction, now: Date) async throws -> CreditTransaction? {
    let inserted = try await base.insert(transaction, now: now)
    note(inserted)
    return inserted
  }

  func update(_ transaction: CreditTransaction, now: Date) async throws {
    try await base.update(transaction, now: now)
    note(transaction)
  }

  func transactions(
    of userID: AccountID, after id: Int?, limit: Int
  ) async throws -> [CreditTransaction] {
    try await base.transactions(of: userID, after: id, limit: limit)
  }

  func transactions(after id: Int?, limit: Int) async throws -> [CreditTransaction] {
    try await base.transactions(after: id, limit: limit)
  }

  private func note(_ transaction: CreditTransaction?) {
    guard let transaction, let owner = transaction.userID else { return }
    let purchase = transaction.purchase
    watch.note(
      claimant: owner,
      of: PurchaseKey(
        originalTransactionID: purchase.originalTransactionID, environment: purchase.environment))
  }
}

struct WatchedLedger: CreditLedgerRepository {
  let base: any CreditLedgerRepository
  let watch: any LedgerWatch

  func book(_ booking: LedgerBooking, now: Date) async throws -> BookingResult {
    let result = try await base.book(booking, now: now)
    if case .booked(let entry) = result { watch.tell(entry) }
    return result
  }

  func balance(of userID: AccountID) async throws -> Int { try await base.balance(of: userID) }

  func entry(
    eventID: String, environment: AppStoreEnvironment?
  ) async throws -> LedgerEntry? {
    try await base.entry(eventID: eventID, environment: environment)
  }

  func entries(of userID: AccountID, skipping: Int, limit: Int) async throws -> [LedgerEntry] {
    try await base.entries(of: userID, skipping: skipping, limit: limit)
  }

  func count(of userID: AccountID) async throws -> Int { try await base.count(of: userID) }
}

extension EventWatch: LedgerWatch {
  func tell(_ entry: LedgerEntry) {
    let booked = entry.booking
    var change = CreditChange(
      amount: booked.amount, balance: entry.balanceAfter, entryID: booked.eventID,
      changeType: booked.changeType, subjectType: booked.subjectType,
      subjectID: booked.subjectID)
    change.environment = booked.environment
    tell(.booking(of: booked.changeType), booked.userID, .credits(change))
  }
}

extension PurchaseEvent.Kind {
  fileprivate static func booking(of type: LedgerBooking.ChangeType) -> PurchaseEvent.Kind {
    switch type {
    case .purchase: .creditsGranted
    case .refund: .creditsClawedBack
    case .refundReversal: .creditsRestored
    default: .creditsBooked
    }
  }
}

struct WatchedEntitlements: EntitlementRecords {
  let base: any EntitlementRecords
  let watch: EventWatch

  var associations: any AssociationRepository {
    WatchedAssociations(base: base.associations, watch: watch)
  }
  var acquisitions: any AcquisitionRepository {
    WatchedAcquisitions(base: base.acquisitions, watch: watch)
  }
  var validations: any ValidationRepository { base.validations }

  func holdings(
    of userID: AccountID, in bundleIDs: [String], purchases: any PurchaseRepository
  ) async throws -> HoldingRows {
    let rows = try await base.holdings(of: userID, in: bundleIDs, purchases: purchases)
    watch.note(rows.associations)
    return rows
  }
}

private struct WatchedAssociations: AssociationRepository {
  let base: any AssociationRepository
  let watch: EventWatch

  func find(
    _ ids: [String], environment: AppStoreEnvironment
  ) async throws -> [PurchaseAssociation] {
    let found = try await base.find(ids, environment: environment)
    watch.note(found)
    return found
  }

  func add(_ associations: [PurchaseAssociation]) async throws -> [PurchaseAssociation] {
    let stored = try await base.add(associations)
    watch.take(stored, of: associations)
    return stored
  }

  func replace(_ association: PurchaseAssociation) async throws {
    try await base.replace(association)
    watch.take([association], of: [association])
  }

  func remove(
    originalTransactionID id: String, of userID: AccountID, bundleID: String
  ) async throws -> [PurchaseAssociation] {
    let removed = try await base.remove(
      originalTransactionID: id, of: userID, bundleID: bundleID)
    for association in removed {
      watch.noteEntitlement(of: association.userID, in: association.bundleID)
    }
    return removed
  }

  func associations(
    of userID: AccountID, in bundleIDs: [String]
  ) async throws -> [PurchaseAssociation] {
    let found = try await base.associations(of: userID, in: bundleIDs)
    watch.note(found)
    return found
  }

  func record(_ conflict: AssociationConflict) async throws {
    try await base.record(conflict)
    watch.tell(
      .disputeRecorded, conflict.claimant,
      .dispute(
        ClaimDispute(
          originalTransactionID: conflict.originalTransactionID, owner: conflict.owner)))
  }

  func conflicts(about id: String) async throws -> [AssociationConflict] {
    try await base.conflicts(about: id)
  }

  func conflicts(of claimant: AccountID, limit: Int) async throws -> [AssociationConflict] {
    try await base.conflicts(of: claimant, limit: limit)
  }
}

private struct WatchedAcquisitions: AcquisitionRepository {
  let base: any AcquisitionRepository
  let watch: EventWatch

  func add(
    _ products: [AcquiredProduct], to userID: AccountID, in bundleID: String
  ) async throws -> [String] {
    let added = try await base.add(products, to: userID, in: bundleID)
    if !added.isEmpty { watch.noteEntitlement(of: userID, in: bundleID) }
    return added
  }

  func products(of userID: AccountID, in bundleID: String) async throws -> [AcquiredProduct] {
    try await base.products(of: userID, in: bundleID)
  }
}
