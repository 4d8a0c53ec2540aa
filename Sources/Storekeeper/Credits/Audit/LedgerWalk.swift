internal import PurchaseStorage
internal import ReceiptModels

/// A place in the walk over all entries and accounts, both in the order of the users.
///
/// Each page is a unit of work of its own. Entries are never changed, and a user's later entries have
/// greater numbers, so those of earlier pages are what they were; the account is read together with the
/// last of them. Changes between the pages therefore look like no violation.
struct LedgerWalk: Sendable {
  /// The entry that was read last.
  private var place: LedgerPlace?
  /// The last user whose account was read.
  private var accountPlace: AccountID?
  /// The user whose entries are not all read.
  private var running: RunningLedger?

  /// The beginning.
  init() {}

  /// Reads and checks a page.
  func page(of userID: AccountID?, limit: Int, in audit: any LedgerAuditRepository) async throws
    -> LedgerAuditPage<LedgerWalk>
  {
    let entries = try await audit.entries(of: userID, after: place, limit: limit)
    var totals: [RunningLedger] = []
    var running = running
    for entry in entries {
      if running?.userID != entry.userID {
        if let running { totals.append(running) }
        running = RunningLedger(entry.userID)
      }
      running?.add(entry)
    }
    var next: LedgerWalk? = self
    next?.place = entries.last?.place ?? place
    next?.running = running
    if entries.count < limit {
      if let running { totals.append(running) }
      next = nil
    }
    var page = LedgerAuditPage(next: next)
    if let userID {
      if next == nil { try await page.close(userID, totals.last, in: audit) }
      try await page.examine(entries, in: audit)
      return page
    }
    var end: AccountID?
    if next == nil || !totals.isEmpty {
      let last = next == nil ? nil : totals.last?.userID
      let accounts = try await audit.accounts(after: accountPlace, through: last, limit: limit)
      if accounts.count == limit, let cut = accounts.last?.userID, cut != last {
        end = cut
        page.next = continued(after: cut)
        totals.removeAll { $0.userID > cut }
      } else {
        page.next?.accountPlace = last
      }
      page.compare(totals, accounts)
    }
    try await page.examine(
      entries.prefix { entry in end.map { entry.userID <= $0 } ?? true }, in: audit)
    return page
  }

  /// Returns the walk after an account, if there are more accounts than a page holds; entries of later
  /// users are read again.
  private func continued(after userID: AccountID) -> LedgerWalk {
    var walk = self
    walk.accountPlace = userID
    if running.map({ $0.userID <= userID }) ?? true {
      walk.place = LedgerPlace(userID: userID, id: Int.max)
      walk.running = nil
    }
    return walk
  }
}

extension LedgerAuditPage<LedgerWalk> {
  /// Examines the entries that may be wrong, and counts all.
  fileprivate mutating func examine(
    _ entries: some Sequence<AuditedEntry>, in audit: any LedgerAuditRepository
  ) async throws {
    let examination = LedgerExamination(audit: audit)
    for entry in entries {
      progress.entries += 1
      guard let doubtful = entry.doubtful else { continue }
      violations += try await examination.violations(of: doubtful)
    }
  }

  /// Compares the entries of a single user with the account.
  fileprivate mutating func close(
    _ userID: AccountID, _ total: RunningLedger?, in audit: any LedgerAuditRepository
  ) async throws {
    let account = try await audit.account(of: userID)
    if account != nil { progress.accounts += 1 }
    violations += (total ?? RunningLedger(userID)).violations(account)
  }

  /// Compares users' entries with accounts; both are in the order of the users.
  fileprivate mutating func compare(_ totals: [RunningLedger], _ accounts: [CreditAccount]) {
    var rest = totals[...]
    for account in accounts {
      while let total = rest.first, total.userID < account.userID {
        violations += total.violations(nil)
        rest.removeFirst()
      }
      if let total = rest.first, total.userID == account.userID {
        violations += total.violations(account)
        rest.removeFirst()
      } else {
        violations += RunningLedger(account.userID).violations(account)
      }
    }
    violations += rest.flatMap { $0.violations(nil) }
    progress.accounts += accounts.count
  }
}
