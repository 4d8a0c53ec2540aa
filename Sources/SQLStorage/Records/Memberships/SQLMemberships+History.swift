internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension SQLMemberships {
  func history(
    of query: MembershipHistoryQuery, limit: Int
  ) async throws -> [MembershipEvent] {
    let events =
      switch query {
      case .subscription(let id):
        try await events(
          [.snapshotsOfSubscription, .disputesOfSubscription, .unlinksOfSubscription], id, limit)
      case .account(let id):
        try await events(
          [.snapshotsOfAccount, .disputesOfAccount, .unlinksOfAccount], id.rawValue, limit)
      }
    return Array(events.sorted { $0.date < $1.date }.prefix(max(0, limit)))
  }

  func disputes(_ query: DisputeQuery, limit: Int) async throws -> [Dispute] {
    let place: [SQLValue] = [
      .number(max(0, query.number)), .seconds(query.since ?? Date(timeIntervalSince1970: 0)),
      .number(max(0, limit)),
    ]
    let rows: [SQLRow]
    switch query.subject {
    case nil: rows = try await session.query(.disputes, place)
    case .subscription(let id):
      rows = try await session.query(.disputesPageOfSubscription, place + [.text(id)])
    case .account(let id):
      rows = try await session.query(.disputesPageOfAccount, place + [.text(id.rawValue)])
    }
    return rows.map(Dispute.init(row:))
  }

  /// Returns the oldest events of each of the three tables: snapshots, disputes, unlinks.
  private func events(
    _ statements: [SQLStatement], _ id: String, _ limit: Int
  ) async throws -> [MembershipEvent] {
    let makers: [(SQLRow) -> MembershipEvent] = [
      MembershipEvent.init(snapshot:), { MembershipEvent(.dispute, $0) },
      { MembershipEvent(.unlink, $0) },
    ]
    var events: [MembershipEvent] = []
    for (statement, make) in zip(statements, makers) {
      events += try await session.query(statement, [.text(id), .number(max(0, limit))]).map(make)
    }
    return events
  }
}

extension Dispute {
  fileprivate init(row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(
      number: reader.number() ?? 0, originalTransactionID: reader.text(),
      accountID: AccountID(stored: reader.text()), date: reader.seconds() ?? .distantPast)
  }
}

extension MembershipEvent {
  fileprivate init(snapshot row: SQLRow) {
    var membership = Membership(row: row, from: 3)
    membership.storedKey = nil
    var reader = SQLRowReader(row)
    let reason = SnapshotReason(rawValue: reader.text())
    let date = reader.seconds() ?? .distantPast
    self.init(
      kind: .snapshot(membership, reason), originalTransactionID: membership.originalTransactionID,
      accountID: reader.accountID(), date: date)
  }

  fileprivate init(_ kind: Kind, _ row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(
      kind: kind, originalTransactionID: reader.name(), accountID: reader.accountID(),
      date: reader.seconds() ?? .distantPast)
  }
}
