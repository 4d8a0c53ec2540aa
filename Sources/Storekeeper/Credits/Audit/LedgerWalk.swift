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

  init() {}

  /// Reads and checks a page of one user or of all.
  func page(
    of userID: AccountID?, limit: Int, in audit: any LedgerAuditRepository
  ) async throws -> LedgerAuditPage {
    let read = try await audit.entries(of: userID, after: place, limit: limit)
    var totals: [RunningLedger] = []
    var running = running
    for entry in read {
      if running?.userID != entry.userID {
        if let running { totals.append(running) }
        running = RunningLedger(entry.userID)
      }
      running?.add(entry)
    }
    var page = LedgerAuditPage(next: self)
    page.next?.place = read.last?.place ?? place
    page.next?.running = running
    if read.count < limit {
      page.next = nil
      if let running { totals.append(running) }
    }
    let last =
      if let userID {
        try await page.close(userID, totals.last, in: audit)
      } else {
        try await close(&page, totals, limit: limit, in: audit)
      }
    page.progress.entries =
      last.map { last in read.prefix { $0.userID <= last }.count } ?? read.count
    return page
  }

  /// Compares the users whose entries are all read with their accounts, and returns the last user of the page, if
  /// there are more accounts than a page holds.
  private func close(
    _ page: inout LedgerAuditPage, _ totals: [RunningLedger], limit: Int,
    in audit: any LedgerAuditRepository
  ) async throws -> AccountID? {
    if page.next != nil, totals.isEmpty { return nil }
    let last = page.next == nil ? nil : totals.last?.userID
    let accounts = try await audit.accounts(after: accountPlace, through: last, limit: limit)
    guard accounts.count == limit, let end = accounts.last?.userID, end != last else {
      page.next?.accountPlace = last
      try await page.compare(totals, accounts, limit: limit, in: audit)
      return nil
    }
    page.next = continued(after: end)
    try await page.compare(
      totals.filter { $0.userID <= end }, accounts, limit: limit, in: audit)
    return end
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

extension LedgerAuditPage {
  /// Compares the entries of a single user with the account, if they are all read.
  fileprivate mutating func close(
    _ userID: AccountID, _ total: RunningLedger?, in audit: any LedgerAuditRepository
  ) async throws -> AccountID? {
    guard next == nil else { return nil }
    let account = try await audit.account(of: userID)
    if account != nil { progress.accounts += 1 }
    violations += (total ?? RunningLedger(userID)).violations(account)
    return nil
  }

  /// Compares users' entries with accounts; both are in the order of the users.
  ///
  /// A user whose first entry was added behind the walk has an account, but no entry that was read; such
  /// entries are read now.
  fileprivate mutating func compare(
    _ totals: [RunningLedger], _ accounts: [CreditAccount], limit: Int,
    in audit: any LedgerAuditRepository
  ) async throws {
    var rest = totals[...]
    for account in accounts {
      while let total = rest.first, total.userID < account.userID {
        violations += total.violations(nil)
        rest.removeFirst()
      }
      if let total = rest.first, total.userID == account.userID {
        violations += total.violations(account)
        rest.removeFirst()
      } else if account.balance != 0 {
        let total = try await RunningLedger(of: account.userID, limit: limit, in: audit)
        violations += total.violations(account)
      }
    }
    violations += rest.flatMap { $0.violations(nil) }
    progress.accounts += accounts.count
  }
}
