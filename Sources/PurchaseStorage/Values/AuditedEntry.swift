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

/// Rows that a store has examined for an audit, in ascending order of their numbers.
///
/// Source: credit rules, section 5.
public struct ExaminedRows<Row: Hashable & Sendable>: Hashable, Sendable {
  /// The number of rows.
  public var count: Int
  /// The number of the last row; nil if there are no rows.
  public var last: Int?
  /// Those of which the store does not know that they are as they have to be.
  public var doubtful: [Row]

  /// Creates rows that were examined.
  public init(count: Int, last: Int?, doubtful: [Row]) {
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
