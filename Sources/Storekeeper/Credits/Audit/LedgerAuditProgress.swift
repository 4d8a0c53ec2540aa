public import PurchaseStorage

/// The numbers of rows that an audit has checked, and of the violations that it found.
public struct LedgerAuditProgress: Hashable, Sendable {
  /// The number of entries.
  public var entries = 0
  /// The number of accounts.
  public var accounts = 0
  /// The number of transactions.
  public var transactions = 0
  /// The number of violations.
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
