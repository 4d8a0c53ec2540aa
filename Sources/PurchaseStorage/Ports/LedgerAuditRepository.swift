public import CreditPolicy
public import ReceiptModels

/// What an audit of the ledger reads: much of it, and of each row as little as possible.
///
/// A store may leave the examination of a row to the audit by calling it doubtful; it must do so unless
/// the row is as it has to be. Records that have nothing faster use those of ``CreditRecords``.
///
/// Source: credit rules, section 5.
public protocol LedgerAuditRepository {
  /// Returns entries after a place, in ascending order of the bytes of the user and then of the entries'
  /// numbers.
  ///
  /// - Parameters:
  ///   - userID: The user whose entries are read; nil for those of all users.
  ///   - place: The place; nil for the beginning.
  ///   - limit: The maximum number of entries.
  /// - Returns: The entries.
  /// - Throws: A failure of the store.
  func entries(
    of userID: AccountID?, after place: LedgerPlace?, limit: Int
  ) async throws -> AuditedEntries

  /// Returns the entry of an event, or nil if there is none.
  func entry(
    eventID: String, environment: AppStoreEnvironment
  ) async throws -> LedgerAuditRow?

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

  /// Returns transactions whose numbers come after the given one, in ascending order of their numbers.
  ///
  /// - Parameters:
  ///   - userID: The owner, in which case entries of other users count as missing; nil for all
  ///     transactions.
  ///   - id: The number; nil for the beginning.
  ///   - limit: The maximum number of transactions.
  /// - Returns: The transactions.
  /// - Throws: A failure of the store.
  func transactions(
    of userID: AccountID?, after id: Int?, limit: Int
  ) async throws -> AuditedTransactions

  /// Returns the transaction with a number, or nil if there is none.
  func transaction(number id: Int) async throws -> CreditTransaction?

  /// Returns the approximate numbers of rows, at little cost.
  func extent() async throws -> LedgerExtent
}

extension CreditRecords {
  /// The rows of an audit, read through the other repositories.
  public var ledgerAudit: any LedgerAuditRepository { PlainLedgerAudit(records: self) }
}
