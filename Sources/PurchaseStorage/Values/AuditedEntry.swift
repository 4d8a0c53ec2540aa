public import CreditPolicy
public import ReceiptModels

/// An entry in a ledger, as far as an audit adds it up.
///
/// Source: credit rules, section 5.
public struct AuditedEntry: Hashable, Sendable {
  /// The number of the entry.
  public var id: Int
  /// The user.
  public var userID: AccountID
  /// The credits: positive if they were given, negative if they were taken, or 0.
  public var amount: Int
  /// The user's balance after the booking.
  public var balanceAfter: Int

  /// Creates an entry.
  public init(id: Int, userID: AccountID, amount: Int, balanceAfter: Int) {
    self.id = id
    self.userID = userID
    self.amount = amount
    self.balanceAfter = balanceAfter
  }

  /// The place of the entry among those of all users.
  public var place: LedgerPlace { LedgerPlace(userID: userID, id: id) }
}

/// A page of entries, as an audit reads them.
public struct AuditedEntries: Hashable, Sendable {
  /// The entries, in ascending order of the bytes of the user and then of their numbers.
  public var entries: [AuditedEntry]
  /// Those of them that are not the host's own, and of which the store does not know that they are as
  /// their transactions demand; in the same order.
  public var doubtful: [LedgerAuditRow]

  /// Creates a page.
  public init(_ entries: [AuditedEntry], doubtful: [LedgerAuditRow]) {
    self.entries = entries
    self.doubtful = doubtful
  }
}

/// A page of transactions of credit products, as an audit reads them.
///
/// Source: credit rules, section 5.
public struct AuditedTransactions: Hashable, Sendable {
  /// The number of transactions.
  public var count: Int
  /// The number of the last row; nil if there are no transactions.
  public var last: Int?
  /// Those of which the store does not know that the ledger has every entry that they demand, in
  /// ascending order of their numbers.
  public var doubtful: [CreditTransaction]

  /// Creates a page.
  public init(count: Int, last: Int?, doubtful: [CreditTransaction]) {
    self.count = count
    self.last = last
    self.doubtful = doubtful
  }
}

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
