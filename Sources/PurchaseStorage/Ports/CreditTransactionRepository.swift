public import CreditPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The transactions of credit products (table `apple_iap_transactions`), each under environment and
/// transaction identifier.
///
/// Identifiers of transactions are opaque texts of 1 to 200 bytes; environments, which are stored as
/// Apple writes them, have at most 64 bytes. Rows are never removed.
public protocol CreditTransactionRepository {
  /// Returns a transaction, or nil if it is not stored.
  ///
  /// In a unit of work that writes, the row is locked until its end.
  func find(
    transactionID: String, environment: AppStoreEnvironment
  ) async throws -> CreditTransaction?

  /// Adds a transaction, unless one of the same environment and identifier is stored.
  ///
  /// If another unit of work is adding that transaction, this waits for its end. Of any number of units
  /// of work, one adds it; in the others the unit of work may go on.
  ///
  /// - Parameters:
  ///   - transaction: The transaction, without ``/CreditPolicy/CreditTransaction/id``.
  ///   - now: The present moment.
  /// - Returns: The transaction with its number, or nil if one is stored.
  /// - Throws: ``StorageFailure/invalidValue(field:)`` for a text that cannot be stored, or another
  ///   failure of the store.
  func insert(_ transaction: CreditTransaction, now: Date) async throws -> CreditTransaction?

  /// Replaces the values of a stored transaction, except environment and identifier.
  ///
  /// - Parameters:
  ///   - transaction: The transaction, with its number.
  ///   - now: The present moment.
  /// - Throws: ``StorageFailure/invalidValue(field:)`` for a text that cannot be stored, or another
  ///   failure of the store.
  func update(_ transaction: CreditTransaction, now: Date) async throws

  /// Returns a user's transactions whose numbers come after the given one, in ascending order of their
  /// numbers.
  func transactions(
    of userID: AccountID, after id: Int?, limit: Int
  ) async throws -> [CreditTransaction]

  /// Returns all transactions whose numbers come after the given one, in ascending order of their
  /// numbers.
  func transactions(after id: Int?, limit: Int) async throws -> [CreditTransaction]
}
