public import PurchaseStorage
public import ReceiptModels
internal import StorekeeperLocks

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
