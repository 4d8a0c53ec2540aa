public import PurchaseStorage
public import ReceiptModels
internal import StorekeeperLocks

/// A receipt store in memory: a first tier that ends with the process, and a store for tests.
///
/// The number of receipts is not limited; a service with many customers keeps them in files or in its
/// database.
public final class InMemoryReceiptStore: ReceiptStore {
  private let receipts = Locked(Table<RowKey, StoredReceipt>())

  public let isOnDisk: Bool

  /// Creates an empty store, which may stand in for a disk.
  public init(isOnDisk: Bool = false) { self.isOnDisk = isOnDisk }

  /// Returns the latest receipt that was put, or nil if there is none.
  ///
  /// - Throws: ``/PurchaseStorage/StorageFailure/invalidValue(field:)`` for an id that is not 1 to 64 digits.
  public func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) throws -> StoredReceipt? {
    let key = try key(originalTransactionID, environment)
    return receipts.withLock { $0[key] }
  }

  /// Keeps the receipt unless a later one is stored.
  ///
  /// - Throws: ``/PurchaseStorage/StorageFailure/invalidValue(field:)`` for an id that is not 1 to 64 digits, an
  ///   environment other than Production and Sandbox, or a receipt of more than 8 MiB.
  public func put(_ receipt: StoredReceipt) throws {
    try receipt.checkTexts()
    receipts.withLock { $0.keepLatest(receipt, by: \.asOf) }
  }

  /// Removes the receipt, if there is one.
  ///
  /// - Throws: ``/PurchaseStorage/StorageFailure/invalidValue(field:)`` for an id that is not 1 to 64 digits.
  public func remove(_ originalTransactionID: String, environment: AppStoreEnvironment) throws {
    let key = try key(originalTransactionID, environment)
    receipts.withLock { $0[key] = nil }
  }

  private func key(
    _ id: String, _ environment: AppStoreEnvironment
  ) throws(StorageFailure) -> RowKey {
    try StoredReceipt.checkKey(id, environment)
    return RowKey(id, environment.rawValue)
  }
}
