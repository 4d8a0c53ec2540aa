internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MemoryUnit: MembershipRepository {
  func find(account: Account?, appleSubscriptionIDs: [String]) throws -> [Membership] {
    let accounts = [
      IndexKey(.unique(.primaryID), account?.primaryID?.rawValue),
      IndexKey(.unique(.secondID), account?.secondID?.rawValue),
    ]
    let subscriptions = appleSubscriptionIDs.map {
      IndexKey(.unique(.originalTransactionID), RowKey($0))
    }
    return try tables.memberships.rows(by: accounts.compactMap(\.self) + subscriptions)
  }

  func insert(_ membership: Membership) throws -> Membership {
    var row = membership.stored
    row.id = row.id ?? RowID.membership()
    try writing { try $0.memberships.put(row, at: RowKey(row.key)) }
    return row
  }

  func update(_ membership: Membership, previous: Membership) throws -> Membership {
    var row = membership.stored
    return try writing { tables in
      let key = RowKey(previous.key)
      guard let stored = tables.memberships[key] else { throw StorageFailure.conflict }
      row.id = stored.id
      try tables.memberships.put(row, at: RowKey(row.key), replacing: key)
      return row
    }
  }

  func delete(_ membership: Membership) throws {
    let isDeleted = try writing { $0.memberships.remove(RowKey(membership.key)) }
    if !isDeleted { throw StorageFailure.conflict }
  }

  func snapshot(_ membership: Membership, reason: SnapshotReason, now: Date) throws {
    var row = membership.stored
    row.id = nil
    try keep(.snapshot(row, reason), row.originalTransactionID, row.accountID, now)
  }

  func recordDispute(originalTransactionID: String, account: Account, now: Date) throws {
    try keep(.dispute, originalTransactionID, account.id, now)
  }

  func recordUnlink(originalTransactionID: String, accountID: AccountID, now: Date) throws {
    try keep(.unlink, originalTransactionID, accountID, now)
  }

  private func keep(
    _ kind: MembershipEvent.Kind, _ originalTransactionID: String?, _ accountID: AccountID?,
    _ now: Date
  ) throws {
    let event = MembershipEvent(
      kind: kind, originalTransactionID: originalTransactionID, accountID: accountID, date: now)
    try writing { _ = try $0.events.append { _ in event.stored } }
  }

  func history(of query: MembershipHistoryQuery, limit: Int) throws -> [MembershipEvent] {
    // Sorting is stable: events of the same second stay in the order of recording.
    let events = try tables.events.page(by: query.indexKey).sorted { $0.date < $1.date }
    return Array(events.prefix(max(0, limit)))
  }

  func disputes(_ query: DisputeQuery, limit: Int) throws -> [Dispute] {
    let (since, subject) = (query.since?.inSeconds ?? .distantPast, query.subject?.indexKey)
    // No dispute is ever removed, so that its place is its number.
    let disputes = try tables.events.page { $0.kind == .dispute }.enumerated().filter {
      $0.offset >= query.number && $0.element.date >= since
        && subject.map($0.element.indexKeys.contains) ?? true
    }
    return disputes.prefix(max(0, limit)).compactMap { offset, event in
      guard let id = event.originalTransactionID, let accountID = event.accountID else {
        return nil
      }
      return Dispute(
        number: offset + 1, originalTransactionID: id, accountID: accountID, date: event.date)
    }
  }

  func removeSnapshots(before: Date, limit: Int) throws -> Int {
    try writing { tables in
      tables.events.remove(before: before, limit: limit) { event in
        if case .snapshot = event.kind { event.date } else { nil }
      }
    }
  }
}

extension Membership {
  /// The row as a later query reads it: without names of earlier programs.
  fileprivate var stored: Membership {
    var row = self
    row.storedKey = nil
    row.storedExpireDate = row.storedExpireDate
    return row
  }

  var indexKeys: [IndexKey] {
    let values: [(StorageFailure.UniqueField, String?)] = [
      (.accountID, accountID?.rawValue), (.membershipID, id), (.primaryID, primaryID?.rawValue),
      (.secondID, secondID?.rawValue), (.originalTransactionID, originalTransactionID),
      (.providerSubscriptionID, details.subscriptionID), (.licenceID, details.licenceID),
    ]
    return values.compactMap { IndexKey(.unique($0), $1) }
  }
}

extension MembershipEvent: StoredRow {
  var stored: MembershipEvent {
    var row = self
    row.date = date.inSeconds
    return row
  }

  var indexKeys: [IndexKey] {
    var accounts = [accountID]
    if case .snapshot(let row, _) = kind { accounts = [row.primaryID, row.secondID] }
    let keys = accounts.map { IndexKey(.account, $0?.rawValue) }
    return (keys + [IndexKey(.purchase, originalTransactionID)]).compactMap(\.self)
  }
}

extension MembershipHistoryQuery {
  fileprivate var indexKey: IndexKey {
    switch self {
    case .subscription(let id): IndexKey(.purchase, RowKey(id))
    case .account(let id): IndexKey(.account, RowKey(id))
    }
  }
}
