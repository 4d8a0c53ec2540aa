public import ReceiptModels

/// A cache of receipts before the database, outside of its units of work, by original transaction id and
/// environment.
///
/// Laws: `put` replaces an older receipt with a newer one, never the reverse, and a reader sees a whole
/// receipt or none. The id is checked to be 1 to 64 digits before a name is made of it.
public protocol ReceiptStore: Sendable {
  /// Whether the receipts are files of this machine, which can be asked for alone; false unless a store says otherwise.
  var isOnDisk: Bool { get }

  /// Returns the receipt, or nil if there is none.
  func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws -> StoredReceipt?

  /// Keeps the receipt unless a later one is stored.
  func put(_ receipt: StoredReceipt) async throws

  /// Removes the receipt, so that a stale one is never served.
  func remove(
    _ originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws
}

extension ReceiptStore {
  public var isOnDisk: Bool { false }
}
