public import ReceiptModels

/// Receipts by original transaction id and environment, outside of the unit of work: a cache before
/// the one in the database.
///
/// Laws: `put` replaces older with newer by stamp, never the other way round, and a reader sees one
/// whole receipt or none; the id is checked to be 1 to 64 digits before any name is built.
public protocol ReceiptStore: Sendable {
  /// The receipt, or nil if there is none.
  func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws -> StoredReceipt?

  /// Keeps the receipt unless a later one is there.
  func put(_ receipt: StoredReceipt) async throws

  /// Removes the receipt, so that a stale one is not served.
  func remove(
    _ originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws
}
