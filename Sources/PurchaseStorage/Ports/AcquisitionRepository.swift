public import EntitlementPolicy
public import ReceiptModels

/// The products that users acquired through subscriptions (table `store_acquired`), each once for a user
/// and an app.
///
/// Texts are compared byte by byte; one that no row can have finds nothing.
public protocol AcquisitionRepository {
  /// Adds the products that are not stored yet; a stored one stays as it is.
  ///
  /// Of several acquisitions of one product the first is added. Rows are inserted in ascending order of the
  /// products' bytes. If another unit of work is adding one of them, this waits for its end: of any number
  /// of equal calls, one adds it.
  ///
  /// - Returns: The products that this call added, in ascending order of their bytes.
  /// - Throws: ``StorageFailure/invalidValue(field:)`` for a text that cannot be stored, or another
  ///   failure of the store.
  func add(
    _ products: [AcquiredProduct], to userID: AccountID, in bundleID: String
  ) async throws -> [String]

  /// Returns the products of a user in an app, in ascending order of their bytes.
  func products(of userID: AccountID, in bundleID: String) async throws -> [AcquiredProduct]
}
