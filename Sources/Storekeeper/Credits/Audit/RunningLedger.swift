internal import PurchaseStorage
internal import ReceiptModels

/// The entries of one user that were read so far.
struct RunningLedger: Sendable {
  let userID: AccountID
  /// The sum of the amounts; nil once it did not fit in 64 bits.
  private(set) var sum: Int? = 0
  private var newest: (id: Int, balanceAfter: Int)?
  /// The first entry whose balance is not the sum up to it, with that sum.
  private var firstGap: (id: Int, balanceAfter: Int, sum: Int)?

  init(_ userID: AccountID) { self.userID = userID }

  init(
    of userID: AccountID, limit: Int, in audit: any LedgerAuditRepository
  ) async throws {
    self.init(userID)
    var place: LedgerPlace?
    while true {
      let read = try await audit.entries(of: userID, after: place, limit: limit)
      for entry in read { add(entry) }
      guard let last = read.last, read.count == limit else { return }
      place = last.place
    }
  }

  mutating func add(_ entry: AuditedEntry) {
    if let before = sum {
      let (after, overflows) = before.addingReportingOverflow(entry.amount)
      sum = overflows ? nil : after
      if !overflows, after != entry.balanceAfter, firstGap == nil {
        firstGap = (entry.id, entry.balanceAfter, after)
      }
    }
    newest = (entry.id, entry.balanceAfter)
  }

  func violations(_ account: CreditAccount?) -> [LedgerViolation] {
    guard let balance = account?.balance else {
      return newest == nil ? [] : [.accountMissing(userID, sum: sum)]
    }
    var found: [LedgerViolation] = []
    if balance < 0 { found.append(.balanceNegative(userID, balance: balance)) }
    if balance != sum { found.append(.balanceDiffers(userID, balance: balance, sum: sum)) }
    if let newest, newest.balanceAfter != balance {
      found.append(
        .newestBalanceDiffers(
          userID, balance: balance, entryID: newest.id, balanceAfter: newest.balanceAfter))
    } else if balance == sum, let gap = firstGap {
      found.append(
        .balanceAfterDiffers(
          userID, entryID: gap.id, balanceAfter: gap.balanceAfter, sum: gap.sum))
    }
    return found
  }
}
