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
          row.belongs(to: account) || appleSubscriptionIDs.contains { row.appleSubsID == $0 }
        }
        .sorted { $0.compoundID.isBefore($1.compoundID) }
    }
  }

  func insert(_ membership: Membership) throws -> Membership {
    var row = try membership.stored()
    row.id = row.id ?? RowID.membership()
    try unit.writing { tables in
      try tables.keepUnique(row, beside: tables.memberships.values)
      tables.memberships[row.compoundID] = row
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
      let others = tables.memberships.values.filter { $0.compoundID != stored.compoundID }
      try tables.keepUnique(row, beside: others)
      tables.memberships[stored.compoundID] = nil
      tables.memberships[row.compoundID] = row
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
    try keep(.snapshot(row, reason), row.appleSubsID, row.compoundID, now)
  }

  func recordDispute(originalTransactionID: String, account: Account, now: Date) throws {
    try record(.dispute, of: originalTransactionID, account: account.compoundID, now: now)
  }

  func recordUnlink(originalTransactionID: String, ftcID: String, now: Date) throws {
    try record(.unlink, of: originalTransactionID, account: ftcID, now: now)
  }

  func history(of query: MembershipHistoryQuery, limit: Int) throws -> [MembershipEvent] {
    try unit.reading { tables in
      // Sorting is stable: those of the same second stay in the order of recording.
      let events = tables.events.filter { $0.concerns(query) }.sorted { $0.date < $1.date }
      return Array(events.prefix(max(0, limit)))
    }
  }

  func removeSnapshots(before: Date, limit: Int) throws -> Int {
    try unit.writing { tables in
      let old = tables.events.indices.filter { index in
        guard case .snapshot = tables.events[index].kind else { return false }
        return tables.events[index].date < before
      }
      // Sorting is stable: those of the same second go in the order of recording.
      let removed = old.sorted { tables.events[$0].date < tables.events[$1].date }
        .prefix(max(0, limit))
      for index in removed.sorted(by: >) { tables.events.remove(at: index) }
      return removed.count
    }
  }

  private func record(
    _ kind: MembershipEvent.Kind, of originalTransactionID: String, account compoundID: String,
    now: Date
  ) throws {
    try StoredText.check("originalTransactionID", originalTransactionID, .transactionID)
    try StoredText.check("compoundID", compoundID, .accountID)
    try keep(kind, originalTransactionID, compoundID, now)
  }

  private func keep(
    _ kind: MembershipEvent.Kind, _ originalTransactionID: String?, _ compoundID: String,
    _ now: Date
  ) throws {
    let event = MembershipEvent(
      kind: kind, originalTransactionID: originalTransactionID, compoundID: compoundID,
      date: StoredMoment.inSeconds(now))
    try unit.writing { $0.events.append(event) }
  }
}

extension MemoryTables {
  /// Throws if another row has a value that may be there once.
  fileprivate func keepUnique(
    _ row: Membership, beside others: some Sequence<Membership>
  ) throws(StorageFailure) {
    for other in others {
      if let field = row.sharedKey(with: other) { throw .duplicate(field) }
    }
  }
}

extension Membership {
  /// As it is read again: without empty texts, the names of the past, and what is no column.
  fileprivate func stored(
    replacing previous: Membership? = nil
  ) throws(StorageFailure) -> Membership {
    var row = try storable(replacing: previous)
    row.additionalMembers = [:]
    row.storedKey = nil
    row.payMethod = row.payMethod.map { PayMethod(stored: $0.rawValue) }
    row.storedExpireDate = row.storedExpireDate
    return row
  }

  fileprivate func belongs(to account: Account?) -> Bool {
    guard let account else { return false }
    return Self.areSame(ftcID, account.ftcID) || Self.areSame(unionID, account.unionID)
  }

  /// A unique field that both rows have with the same value.
  fileprivate func sharedKey(with other: Membership) -> StorageFailure.UniqueField? {
    if compoundID.isSame(as: other.compoundID) { return .compoundID }
    if Self.areSame(id, other.id) { return .membershipID }
    if Self.areSame(ftcID, other.ftcID) { return .ftcID }
    if Self.areSame(unionID, other.unionID) { return .unionID }
    if Self.areSame(appleSubsID, other.appleSubsID) { return .appleSubscriptionID }
    if Self.areSame(stripeSubsID, other.stripeSubsID) { return .stripeSubscriptionID }
    if Self.areSame(b2bLicenceID, other.b2bLicenceID) { return .b2bLicenceID }
    return nil
  }

  private static func areSame(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return false }
    return one.isSame(as: other)
  }
}

extension MembershipEvent {
  fileprivate func concerns(_ query: MembershipHistoryQuery) -> Bool {
    switch query {
    case .subscription(let id): return originalTransactionID == id
    case .account(let id):
      guard case .snapshot(let row, _) = kind else { return compoundID == id }
      return row.ftcID == id || row.unionID == id
    }
  }
}
