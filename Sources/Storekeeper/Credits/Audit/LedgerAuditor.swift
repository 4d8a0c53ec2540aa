internal import CreditPolicy
public import PurchaseStorage
public import ReceiptModels
internal import StorekeeperLocks

/// A tool that checks whether balances, entries and transactions agree, in memory that does not grow with
/// their number.
///
/// ```swift
/// let auditor = LedgerAuditor(store: store)
/// let progress = try await auditor.audit { violation in print(violation.json) }
/// ```
///
/// It adds up the entries in the order of the users, beside the accounts, and examines all entries and
/// transactions in the order of their numbers, page by page; each page is one short unit of work that
/// reads. Purchases and refunds may go on meanwhile and are
/// not mistaken for violations; rows that are added behind the walk are not seen. Nothing is written.
///
/// Checked is that a user's balance is the sum of the entries, at least 0, and the balance after the newest entry;
/// that there is one purchase entry for each transaction that was granted, in the owner's ledger and of the row's
/// amount, and none for others; and that the refunds and reversals are those of the row's state and round, so that at
/// most one refund is open. Dates, texts and metadata are not checked. Source: credit rules, section 5.
public struct LedgerAuditor: Sendable {
  public let store: any PurchaseStore
  public let pageSize: Int

  /// Creates an auditor, which reads at most `pageSize` rows at a time, and at least 1.
  public init(store: any PurchaseStore, pageSize: Int = 4096) {
    self.store = store
    self.pageSize = max(1, pageSize)
  }

  /// Checks all users and transactions, or those of one user, and returns the numbers of rows and violations.
  ///
  /// For all users, balances, entries and transactions are checked at the same time, so that violations come in no
  /// particular order, and several tasks report. `progress` is called after each page, and `report` for each
  /// violation; the audit waits for it.
  ///
  /// - Throws: The error of `report`; `CancellationError`; or an error of the store, such as for a transaction of an
  ///   unknown state.
  public func audit(
    _ userID: AccountID? = nil,
    progress: @escaping @Sendable (LedgerAuditProgress) -> Void = { _ in },
    report: @escaping @Sendable (LedgerViolation) async throws -> Void
  ) async throws -> LedgerAuditProgress {
    var start = LedgerAuditProgress()
    if userID == nil { start.extent = try await store.read { try await $0.ledgerAudit.extent() } }
    let run = Run(auditor: self, userID: userID, start: start, progress: progress, report: report)
    if userID == nil {
      async let balances: Void = run.checkBalances()
      async let entries: Void = run.checkEntries()
      try await run.checkTransactions()
      try await entries
      try await balances
    } else {
      try await run.checkBalances()
      try await run.checkEntries()
      try await run.checkTransactions()
    }
    return run.state.withLock { $0 }
  }

  private final class Run: Sendable {
    let state: Locked<LedgerAuditProgress>
    private let auditor: LedgerAuditor
    private let userID: AccountID?
    private let progress: @Sendable (LedgerAuditProgress) -> Void
    private let report: @Sendable (LedgerViolation) async throws -> Void

    init(
      auditor: LedgerAuditor, userID: AccountID?, start: LedgerAuditProgress,
      progress: @escaping @Sendable (LedgerAuditProgress) -> Void,
      report: @escaping @Sendable (LedgerViolation) async throws -> Void
    ) {
      self.auditor = auditor
      self.userID = userID
      self.progress = progress
      self.report = report
      state = Locked(start)
    }

    /// Compares all entries with the accounts.
    func checkBalances() async throws {
      let (userID, limit) = (userID, auditor.pageSize)
      var place: LedgerWalk? = LedgerWalk()
      while let walk = place {
        let page = try await auditor.store.read { records in
          try await walk.page(of: userID, limit: limit, in: records.ledgerAudit)
        }
        try await finish(page.progress, page.violations)
        place = page.next
      }
    }

    /// Compares the entries about purchases with their transactions.
    func checkEntries() async throws {
      let (userID, limit) = (userID, auditor.pageSize)
      try await check { audit, place in
        let rows = try await audit.examineEntries(of: userID, after: place, limit: limit)
        let examination = LedgerExamination(audit: audit)
        var violations: [LedgerViolation] = []
        for row in rows.doubtful { violations += try await examination.violations(of: row) }
        return Findings(last: rows.last, transactions: 0, violations: violations)
      }
    }

    /// Looks for the entries that transactions demand.
    func checkTransactions() async throws {
      let (userID, limit) = (userID, auditor.pageSize)
      try await check { audit, place in
        let rows = try await audit.examineTransactions(of: userID, after: place, limit: limit)
        let examination = LedgerExamination(audit: audit)
        var violations: [LedgerViolation] = []
        for row in rows.doubtful {
          violations += try await examination.violations(of: row, ownedBy: userID)
        }
        return Findings(last: rows.last, transactions: rows.count, violations: violations)
      }
    }

    /// The findings of a page of rows in the order of their numbers.
    private struct Findings: Sendable {
      /// The number of the last row; nil if there were none.
      let last: Int?
      let transactions: Int
      let violations: [LedgerViolation]
    }

    /// Goes from page to page, each in a unit of work of its own, until one has no rows.
    private func check(
      _ page:
        nonisolated(nonsending) @escaping @Sendable (
          any LedgerAuditRepository, Int?
        ) async throws -> Findings
    ) async throws {
      var place: Int?
      repeat {
        let start = place
        let found = try await auditor.store.read { try await page($0.ledgerAudit, start) }
        place = found.last
        var progress = LedgerAuditProgress()
        progress.transactions = found.transactions
        try await finish(progress, found.violations)
      } while place != nil
    }

    private func finish(
      _ done: LedgerAuditProgress, _ violations: [LedgerViolation]
    ) async throws {
      for violation in violations { try await report(violation) }
      let now = state.withLock { state in
        state.add(done)
        state.violations += violations.count
        return state
      }
      progress(now)
      try Task.checkCancellation()
    }
  }
}

/// The numbers of rows that an audit has checked, and of the violations that it found.
public struct LedgerAuditProgress: Hashable, Sendable {
  public var entries = 0
  public var accounts = 0
  public var transactions = 0
  public var violations = 0
  /// The approximate numbers of rows in all; 0 where they are not known.
  public var extent = LedgerExtent()

  /// Creates the progress of an audit that has checked nothing.
  public init() {}

  /// The part of the work that is done, from 0 to 1; nil if the numbers of rows are not known.
  public var fraction: Double? {
    let (done, whole) = (entries + transactions, extent.entries + extent.transactions)
    return whole > 0 ? min(1, Double(done) / Double(whole)) : nil
  }

  mutating func add(_ other: LedgerAuditProgress) {
    entries += other.entries
    accounts += other.accounts
    transactions += other.transactions
    violations += other.violations
  }
}

/// The result of one page of the walk over entries and accounts.
struct LedgerAuditPage: Sendable {
  var violations: [LedgerViolation] = []
  var progress = LedgerAuditProgress()
  /// The place of the next page; nil after the last one.
  var next: LedgerWalk?

  init(next: LedgerWalk?) { self.next = next }
}

extension CreditService {
  /// Checks whether a user's balance, entries and transactions agree, and returns the violations.
  ///
  /// For all users there is ``LedgerAuditor``, which also says what is checked. Source: credit rules, section 5.
  public func audit(_ userID: AccountID) async throws -> [LedgerViolation] {
    let found = Locked<[LedgerViolation]>([])
    _ = try await LedgerAuditor(store: store).audit(userID) { violation in
      found.withLock { $0.append(violation) }
    }
    return found.withLock { $0 }
  }
}
