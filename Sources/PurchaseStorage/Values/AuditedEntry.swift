public import CreditPolicy
public import ReceiptModels

/// An entry in a ledger, as an audit reads it.
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
  /// The entry itself, unless the store knows that it is the host's own or as its transaction demands.
  public var doubtful: LedgerAuditRow?

  /// Creates an entry.
  public init(
    id: Int, userID: AccountID, amount: Int, balanceAfter: Int, doubtful: LedgerAuditRow? = nil
  ) {
    self.id = id
    self.userID = userID
    self.amount = amount
    self.balanceAfter = balanceAfter
    self.doubtful = doubtful
  }

  /// The place of the entry among those of all users.
  public var place: LedgerPlace { LedgerPlace(userID: userID, id: id) }
}

/// A transaction of a credit product, as an audit reads it.
///
/// Source: credit rules, section 5.
public struct AuditedTransaction: Hashable, Sendable {
  /// The number of the row.
  public var id: Int
  /// The transaction itself, unless the store knows that the ledger has every entry that it demands.
  public var doubtful: CreditTransaction?

  /// Creates a transaction.
  public init(id: Int, doubtful: CreditTransaction? = nil) {
    self.id = id
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
