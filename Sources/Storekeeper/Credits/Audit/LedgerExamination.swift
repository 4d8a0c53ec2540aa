internal import CreditPolicy
internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels

/// The examination of single rows that may be wrong, in one unit of work.
///
/// Every entry about a purchase has to be one that its transaction demands, and every entry that a
/// transaction demands has to exist. As events are unique, both together mean that there is one purchase
/// a transaction, and as many open refunds as its state says.
struct LedgerExamination {
  let audit: any LedgerAuditRepository

  func violations(of entry: LedgerAuditRow) async throws -> [LedgerViolation] {
    let shown = LedgerViolation.Entry(entry)
    guard let environment = entry.environment, let row = try await transaction(of: entry),
      row.purchase.environment.rawValue.isSameText(as: environment.rawValue)
    else { return [.transactionMissing(shown)] }
    let subject = LedgerViolation.Transaction(row)
    guard let demanded = DemandedEntry(entry, of: row) else {
      return [.entryUnexpected(subject, shown)]
    }
    var found: [LedgerViolation] = []
    if let owner = row.userID, owner != entry.userID {
      found.append(.ownerDiffers(subject, shown))
    }
    if case .refund(let round, let share) = demanded, share > 1,
      try await shares(of: row, round: round, through: share - 1).count < share - 1
    {
      return [.entryUnexpected(subject, shown)]
    }
    if let expected = try await unmetAmount(of: entry, demanded, row) {
      found.append(.amountDiffers(subject, shown, expected: expected))
    }
    return found
  }

  /// Examines a transaction; of several missing entries the first is a violation.
  ///
  /// If only one user, the owner, is audited, an entry in another ledger is reported here, because that ledger is not
  /// read.
  func violations(
    of row: CreditTransaction, ownedBy userID: AccountID?
  ) async throws -> [LedgerViolation] {
    guard row.status.wasGranted else { return [] }
    let subject = LedgerViolation.Transaction(row)
    var found: [LedgerViolation] = []
    if row.userID == nil || row.credits == nil || !row.namesItsPurchase {
      found.append(.transactionIncomplete(subject))
    }
    for demanded in DemandedEntry.all(of: row) {
      let eventID = demanded.eventID(row.purchase.transactionID)
      let entry = try await audit.entry(
        eventID: eventID, environment: row.purchase.environment)
      guard let entry else {
        found.append(.entryMissing(subject, demanded.changeType, eventID: eventID))
        return found
      }
      if let userID, entry.userID != userID {
        found.append(.ownerDiffers(subject, LedgerViolation.Entry(entry)))
      }
    }
    return found
  }

  private func transaction(of entry: LedgerAuditRow) async throws -> CreditTransaction? {
    guard let number = Int(entry.subjectID), String(number) == entry.subjectID else { return nil }
    return try await audit.transaction(number: number)
  }

  /// Returns the expected amount, if it is not that of the entry.
  private func unmetAmount(
    of entry: LedgerAuditRow, _ demanded: DemandedEntry, _ row: CreditTransaction
  ) async throws -> Int? {
    // Credits that are missing or below 0 make every amount wrong, except that of the row itself.
    let credits = row.credits ?? 0
    switch demanded {
    case .purchase:
      return entry.amount == credits ? nil : credits
    case .refund(let round, let share):
      let taken = try await shares(of: row, round: round, through: share - 1)
      // Shares whose sum is more than was given are reported at the first that is too much.
      let most = min(
        0, taken.reduce(0 - max(0, credits)) { $0.subtractingReportingOverflow($1).partialValue })
      return entry.amount <= 0 && entry.amount >= most ? nil : most
    case .reversal(let round):
      let shares = try await shares(of: row, round: round)
      // A refund that is missing is reported with the transaction.
      guard !shares.isEmpty else { return nil }
      let taken = shares.reduce(0) { $0.subtractingReportingOverflow($1).partialValue }
      return entry.amount == taken && taken >= 0 ? nil : taken
    }
  }

  /// Returns the amounts of the shares of a refund, at most so many as given.
  private func shares(
    of row: CreditTransaction, round: Int, through last: Int = .max
  ) async throws -> [Int] {
    var amounts: [Int] = []
    while amounts.count < last,
      let entry = try await audit.entry(
        eventID: LedgerEventID.refund(
          row.purchase.transactionID, round: round, share: amounts.count + 1),
        environment: row.purchase.environment)
    { amounts.append(entry.amount) }
    return amounts
  }
}

extension CreditTransaction {
  fileprivate var namesItsPurchase: Bool {
    let eventID = LedgerEventID.purchase(purchase.transactionID)
    return ledgerEventID?.isSameText(as: eventID) == true
  }
}

extension LedgerViolation.Entry {
  init(_ row: LedgerAuditRow) {
    self.init(
      id: row.id, userID: row.userID, environment: row.environment, eventID: row.eventID,
      changeType: row.changeType, subjectID: row.subjectID, amount: row.amount)
  }
}

extension LedgerViolation.Transaction {
  init(_ row: CreditTransaction) {
    self.init(
      id: row.id ?? 0, environment: row.purchase.environment,
      transactionID: row.purchase.transactionID, status: row.status, userID: row.userID)
  }
}
