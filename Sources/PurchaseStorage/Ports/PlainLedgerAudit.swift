internal import CreditPolicy
internal import ReceiptModels

/// The rows of an audit, read through the other repositories; everything about purchases is doubtful.
struct PlainLedgerAudit<Records: CreditRecords>: LedgerAuditRepository {
  let records: Records

  func entries(
    of userID: AccountID?, after place: LedgerPlace?, limit: Int
  ) async throws -> AuditedEntries {
    let start = place ?? userID.map { LedgerPlace(userID: $0, id: 0) }
    let rows = try await records.creditLedger.auditRows(after: start, limit: limit)
      .prefix { row in userID.map { row.userID == $0 } ?? true }
    return AuditedEntries(
      rows.map { row in
        AuditedEntry(
          id: row.id, userID: row.userID, amount: row.amount, balanceAfter: row.balanceAfter)
      }, doubtful: rows.filter(\.isOfPurchase))
  }

  func entry(
    eventID: String, environment: AppStoreEnvironment
  ) async throws -> LedgerAuditRow? {
    try await records.creditLedger.entry(eventID: eventID, environment: environment)
      .map(LedgerAuditRow.init)
  }

  func account(of userID: AccountID) async throws -> CreditAccount? {
    var place: AccountID?
    while true {
      let accounts = try await records.creditLedger.accounts(after: place, limit: 1000)
      if let account = accounts.first(where: { $0.userID == userID }) { return account }
      guard let last = accounts.last, last.userID < userID else { return nil }
      place = last.userID
    }
  }

  func accounts(
    after userID: AccountID?, through last: AccountID?, limit: Int
  ) async throws -> [CreditAccount] {
    let accounts = try await records.creditLedger.accounts(after: userID, limit: limit)
    return Array(accounts.prefix { account in last.map { account.userID <= $0 } ?? true })
  }

  func transactions(
    of userID: AccountID?, after id: Int?, limit: Int
  ) async throws -> AuditedTransactions {
    let repository = records.creditTransactions
    let rows =
      if let userID {
        try await repository.transactions(of: userID, after: id, limit: limit)
      } else {
        try await repository.transactions(after: id, limit: limit)
      }
    return AuditedTransactions(count: rows.count, last: rows.last?.id, doubtful: rows)
  }

  func transaction(number id: Int) async throws -> CreditTransaction? {
    guard id > 0 else { return nil }
    return try await records.creditTransactions.transactions(after: id - 1, limit: 1)
      .first { $0.id == id }
  }

  func extent() -> LedgerExtent { LedgerExtent() }
}

extension LedgerAuditRow {
  /// Whether the entry is about a transaction of the App Store, or says so.
  public var isOfPurchase: Bool {
    environment != nil || LedgerBooking.ChangeType.allCases.contains(changeType)
  }
}
