internal import LinkPolicy
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension CheckedStore: SubscriptionRecords where Records == any SubscriptionRecords {
  var storedSubscriptions: any SubscriptionRepository { self }
  var memberships: any MembershipRepository { self }
  var refreshes: any RefreshRepository { self }

  func find(_ ids: [String], account: Account?) async throws -> LinkRows {
    try await base.find(fitting(.originalTransactionID, ids), account: account)
  }

  func findEvidence(
    of ids: [String], environment: AppStoreEnvironment, membershipsOf others: [String],
    purchases: any PurchaseRepository
  ) async throws -> EvidenceRows {
    try await base.findEvidence(
      of: fitting(.originalTransactionID, ids), environment: environment,
      membershipsOf: fitting(.originalTransactionID, others), purchases: purchases)
  }
}

extension CheckedStore: SubscriptionRepository where Records == any SubscriptionRecords {
  func find(_ ids: [String]) async throws -> [StoredSubscription] {
    try await base.storedSubscriptions.find(fitting(.originalTransactionID, ids))
  }

  func find(_ ids: [String], inserting new: [Subscription], asOf: Date, now: Date) async throws
    -> [StoredSubscription]
  {
    try new.checkTexts()
    return try await base.storedSubscriptions.find(
      fitting(.originalTransactionID, ids), inserting: new, asOf: asOf, now: now)
  }

  func save(_ subscription: Subscription, asOf: Date, now: Date) async throws {
    try subscription.checkTexts()
    try await base.storedSubscriptions.save(subscription, asOf: asOf, now: now)
  }

  func setOwner(_ owner: AccountID?, of id: String, now: Date) async throws {
    try check(.owner, owner?.rawValue)
    guard fits(.originalTransactionID, id) else { return }
    try await base.storedSubscriptions.setOwner(owner, of: id, now: now)
  }

  func list(owner: AccountID, offset: Int, limit: Int) async throws -> SubscriptionPage {
    guard fits(.owner, owner.rawValue) else { return SubscriptionPage(total: 0, subscriptions: []) }
    return try await base.storedSubscriptions.list(owner: owner, offset: offset, limit: limit)
  }

  func list(after id: String?, limit: Int) async throws -> [ReceiptCursor] {
    try await base.storedSubscriptions.list(after: id, limit: limit)
  }
}

extension CheckedStore: MembershipRepository where Records == any SubscriptionRecords {
  func find(account: Account?, appleSubscriptionIDs ids: [String]) async throws -> [Membership] {
    try await base.memberships.find(
      account: account, appleSubscriptionIDs: fitting(.originalTransactionID, ids))
  }

  func insert(_ membership: Membership) async throws -> Membership {
    let row = try membership.storable()
    return try await base.memberships.insert(row)
  }

  func update(_ membership: Membership, previous: Membership) async throws -> Membership {
    let row = try membership.storable(replacing: previous)
    return try await base.memberships.update(row, previous: previous)
  }

  func delete(_ membership: Membership) async throws {
    // The key of a stored row may be any text of an earlier program.
    guard StoredText.fits(membership.key, .other) else { throw StorageFailure.conflict }
    try await base.memberships.delete(membership)
  }

  func snapshot(_ membership: Membership, reason: SnapshotReason, now: Date) async throws {
    let row = try membership.storable(replacing: membership)
    try check(.snapshotReason, reason.rawValue)
    try await base.memberships.snapshot(row, reason: reason, now: now)
  }

  func recordDispute(originalTransactionID id: String, account: Account, now: Date) async throws {
    try check(.originalTransactionID, id)
    try check(.accountID, account.id.rawValue)
    try await base.memberships.recordDispute(originalTransactionID: id, account: account, now: now)
  }

  func recordUnlink(originalTransactionID id: String, accountID: AccountID, now: Date) async throws
  {
    try check(.originalTransactionID, id)
    try check(.accountID, accountID.rawValue)
    try await base.memberships.recordUnlink(
      originalTransactionID: id, accountID: accountID, now: now)
  }

  func history(of query: MembershipHistoryQuery, limit: Int) async throws -> [MembershipEvent] {
    guard query.fitsRows else { return [] }
    return try await base.memberships.history(of: query, limit: limit)
  }

  func disputes(_ query: DisputeQuery, limit: Int) async throws -> [Dispute] {
    guard query.subject?.fitsRows ?? true else { return [] }
    return try await base.memberships.disputes(query, limit: limit)
  }

  func removeSnapshots(before: Date, limit: Int) async throws -> Int {
    try await base.memberships.removeSnapshots(before: before, limit: limit)
  }
}

extension CheckedStore: RefreshRepository where Records == any SubscriptionRecords {
  func lease(_ request: RefreshLeaseRequest) async throws -> [RefreshLease] {
    try check(.token, request.token)
    return try await base.refreshes.lease(request)
  }

  func finish(_ lease: RefreshLease, failures: Int, nextTry: Date, error: String?) async throws
    -> Bool
  {
    try check(.error, error)
    return try await base.refreshes.finish(
      lease, failures: failures, nextTry: nextTry, error: error)
  }

  func giveBack(_ lease: RefreshLease) async throws { try await base.refreshes.giveBack(lease) }

  func beginRun(now: Date) async throws -> Int { try await base.refreshes.beginRun(now: now) }

  func endRun(_ number: Int, succeeded: Int, failed: Int, now: Date) async throws {
    try await base.refreshes.endRun(number, succeeded: succeeded, failed: failed, now: now)
  }

  func runs(limit: Int) async throws -> [RefreshRun] { try await base.refreshes.runs(limit: limit) }
}

extension MembershipHistoryQuery {
  fileprivate var fitsRows: Bool {
    switch self {
    case .subscription(let id): fits(.originalTransactionID, id)
    case .account(let id): fits(.accountID, id.rawValue)
    }
  }
}
