public import CreditPolicy
public import ReceiptModels

/// The rows that an audit of the ledgers reads.
///
/// An audit walks every row. To save time, a store may examine rows itself and return only the doubtful
/// ones, which the audit then examines in full. A row is doubtful unless the store knows that it is right. The
/// simplest store returns every entry about a purchase and every transaction.
///
/// Source: credit rules, section 5.
public protocol LedgerAuditRepository {
  /// Returns entries after a place, in ascending order of the bytes of the user and then of the entries'
  /// numbers.
  ///
  /// A walk over all entries begins without a place, and continues with that of the last entry until
  /// fewer come than the limit.
  ///
  /// - Parameters:
  ///   - userID: The user whose entries are read; nil for those of all users.
  ///   - place: The place; nil for the beginning.
  ///   - limit: The maximum number of entries.
  /// - Returns: The entries.
  /// - Throws: A failure of the store.
  func entries(
    of userID: AccountID?, after place: LedgerPlace?, limit: Int
  ) async throws -> [AuditedEntry]

  /// Returns a user's account, or nil if there is none.
  func account(of userID: AccountID) async throws -> CreditAccount?

  /// Returns accounts in ascending order of the bytes of the user.
  ///
  /// - Parameters:
  ///   - userID: The user whose account and all before it are left out; nil for none.
  ///   - last: The last user whose account is read; nil for all.
  ///   - limit: The maximum number of accounts.
  /// - Returns: The accounts.
  /// - Throws: A failure of the store.
  func accounts(
    after userID: AccountID?, through last: AccountID?, limit: Int
  ) async throws -> [CreditAccount]

  /// Examines entries whose numbers come after the given one, in ascending order of their numbers.
  ///
  /// An entry is as it has to be if it is the host's own, or if its transaction demands it with this
  /// event, user and amount.
  ///
  /// - Parameters:
  ///   - userID: The user; nil for the entries of all users.
  ///   - id: The number; nil for the beginning.
  ///   - limit: The maximum number of entries.
  /// - Returns: The entries.
  /// - Throws: A failure of the store.
  func examineEntries(
    of userID: AccountID?, after id: Int?, limit: Int
  ) async throws -> ExaminedRows<LedgerAuditRow>

  /// Examines transactions whose numbers come after the given one, in ascending order of their numbers.
  ///
  /// A transaction is as it has to be if the ledger has every entry that it demands.
  ///
  /// - Parameters:
  ///   - userID: The owner, in which case entries of other users count as missing; nil for all
  ///     transactions.
  ///   - id: The number; nil for the beginning.
  ///   - limit: The maximum number of transactions.
  /// - Returns: The transactions.
  /// - Throws: A failure of the store.
  func examineTransactions(
    of userID: AccountID?, after id: Int?, limit: Int
  ) async throws -> ExaminedRows<CreditTransaction>

  /// Returns the entry of an event, or nil if there is none.
  func entry(
    eventID: String, environment: AppStoreEnvironment
  ) async throws -> LedgerAuditRow?

  /// Returns the transaction with a number, or nil if there is none.
  func transaction(number id: Int) async throws -> CreditTransaction?

  /// Returns the approximate numbers of rows, at little cost.
  func extent() async throws -> LedgerExtent
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
