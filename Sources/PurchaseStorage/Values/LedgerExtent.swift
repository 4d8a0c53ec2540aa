/// The approximate numbers of rows that an audit reads; 0 where they are not known.
public struct LedgerExtent: Hashable, Sendable {
  /// The number of entries.
  public var entries: Int
  /// The number of transactions.
  public var transactions: Int

  /// Creates an extent; 0 stands for a number that is not known.
  public init(entries: Int = 0, transactions: Int = 0) {
    self.entries = entries
    self.transactions = transactions
  }
}
