internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Memberships and their history, in memory.
struct MemoryMemberships: MembershipRepository {
  let unit: MemoryUnit

  func find(account: Account?, appleSubscriptionIDs: [String]) throws -> [Membership] {
    try unit.reading { tables in
      tables.memberships.values
        .filter { row in
          row.belongs(to: account)
            || appleSubscriptionIDs.contains { row.originalTransactionID == $0 }
        }
        .sorted { $0.key.isBefore($1.key) }
    }
  }

  func insert(_ membership: Membership) throws -> Membership {
    var row = try membership.stored()
    row.id = row.id ?? RowID.membership()
    try unit.writing { tables in
      try tables.keepUnique(row, beside: tables.memberships.values)
      tables.memberships[row.key] = row
    }
    return row
  }

  func update(_ membership: Membership, previous: Membership) throws -> Membership {
    var row = try membership.stored(replacing: previous)
    return try unit.writing { tables in
      guard let stored = tables.memberships[previous.key] else {
        throw StorageFailure.conflict
      }
      row.id = stored.id
      let others = tables.memberships.values.filter { $0.key != stored.key }
      try tables.keepUnique(row, beside: others)
      tables.memberships[stored.key] = nil
      tables.memberships[row.key] = row
      return row
    }
  }

  func delete(_ membership: Membership) throws {
    try unit.writing { tables in
      guard tables.memberships.removeValue(forKey: membership.key) != nil else {
        throw StorageFailure.conflict
      }
    }
  }

  func snapshot(_ membership: Membership, reason: SnapshotReason, now: Date) throws {
    var row = try membership.stored(replacing: membership)
    row.id = nil
    try StoredText.check("reason", reason.rawValue, .other)
    try keep(.snapshot(row, reason), row.originalTransactionID, row.accountID, now)
  }

  func recordDispute(originalTransactionID: String, account: Account, now: Date) throws {
    try record(.dispute, of: originalTransactionID, account: account.id, now: now)
  }

  func recordUnlink(originalTransactionID: String, accountID: AccountID, now: Date) throws {
    try record(.unlink, of: originalTransactionID, account: accountID, now: now)
  }

  func history(of query: MembershipHistoryQuery, limit: Int) throws -> [MembershipEvent] {
    try unit.reading { tables in
      // Sorting is stable: events of the same second stay in the order of recording.
      let events = tables.events.filter { $0.concerns(query) }.sorted { $0.date < $1.date }
      return Array(events.prefix(max(0, limit)))
    }
  }

  func disputes(_ query: DisputeQuery, limit: Int) throws -> [Dispute] {
    let since = query.since.map(StoredMoment.inSeconds) ?? .distantPast
    return try unit.reading { tables in
      // No dispute is ever removed, so that its place is its number.
      let disputes = tables.events.filter { $0.kind == .dispute }.enumerated().filter {
        $0.offset >= query.number && $0.element.date >= since
          && (query.subject.map($0.element.concerns) ?? true)
      }
      return disputes.prefix(max(0, limit)).compactMap { offset, event in
        guard let id = event.originalTransactionID, let accountID = event.accountID else {
          return nil
        }
        return Dispute(
          number: offset + 1, originalTransactionID: id, accountID: accountID, date: event.date)
      }
    }
  }

  func removeSnapshots(before: Date, limit: Int) throws -> Int {
    try unit.writing { tables in
      let old = tables.events.indices.filter { index in
        guard case .snapshot = tables.events[index].kind else { return false }
        return tables.events[index].date < before
      }
      // Sorting is stable: copies of the same second go in the order of recording.
      let removed = old.sorted { tables.events[$0].date < tables.events[$1].date }
        .prefix(max(0, limit))
      for index in removed.sorted(by: >) { tables.events.remove(at: index) }
      return removed.count
    }
  }

  private func record(
    _ kind: MembershipEvent.Kind, of originalTransactionID: String, account accountID: AccountID,
    now: Date
  ) throws {
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    try StoredText.check("accountID", accountID.rawValue, .accountID)
    try keep(kind, originalTransactionID, accountID, now)
  }

  private func keep(
    _ kind: MembershipEvent.Kind, _ originalTransactionID: String?, _ accountID: AccountID?,
    _ now: Date
  ) throws {
    let event = MembershipEvent(
      kind: kind, originalTransactionID: originalTransactionID, accountID: accountID,
      date: StoredMoment.inSeconds(now))
    try unit.writing { $0.events.append(event) }
  }
}

extension MemoryTables {
  /// Throws if another row has the same value in a unique field.
  fileprivate func keepUnique(
    _ row: Membership, beside others: some Sequence<Membership>
  ) throws(StorageFailure) {
    for other in others {
      if let field = row.sharedKey(with: other) { throw .duplicate(field) }
    }
  }
}

extension Membership {
  /// The row as a later query reads it: without empty texts and names of earlier programs.
  fileprivate func stored(
    replacing previous: Membership? = nil
  ) throws(StorageFailure) -> Membership {
    var row = try storable(replacing: previous)
    row.storedKey = nil
    row.payMethod = row.payMethod.map { PayMethod(stored: $0.rawValue) }
    row.storedExpireDate = row.storedExpireDate
    return row
  }

  fileprivate func belongs(to account: Account?) -> Bool {
    guard let account else { return false }
    return primaryID.isSet(to: account.primaryID) || secondID.isSet(to: account.secondID)
  }

  /// A unique field in which both rows have the same value.
  fileprivate func sharedKey(with other: Membership) -> StorageFailure.UniqueField? {
    if accountID.isSet(to: other.accountID) { return .accountID }
    if Self.areSame(id, other.id) { return .membershipID }
    if primaryID.isSet(to: other.primaryID) { return .primaryID }
    if secondID.isSet(to: other.secondID) { return .secondID }
    if Self.areSame(originalTransactionID, other.originalTransactionID) {
      return .originalTransactionID
    }
    if Self.areSame(details.subscriptionID, other.details.subscriptionID) {
      return .providerSubscriptionID
    }
    if Self.areSame(details.licenceID, other.details.licenceID) { return .licenceID }
    return nil
  }

  private static func areSame(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return false }
    return one.isSame(as: other)
  }
}

extension AccountID? {
  /// Returns whether both are set to the same value.
  fileprivate func isSet(to other: AccountID?) -> Bool { self != nil && self == other }
}

extension MembershipEvent {
  fileprivate func concerns(_ query: MembershipHistoryQuery) -> Bool {
    switch query {
    case .subscription(let id): return originalTransactionID == id
    case .account(let id):
      guard case .snapshot(let row, _) = kind else { return accountID == id }
      return row.primaryID == id || row.secondID == id
    }
  }
}
