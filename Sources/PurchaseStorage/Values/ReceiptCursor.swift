public import ReceiptModels

/// The key of a stored receipt, after which a walk over all of them continues.
public struct ReceiptCursor: Hashable, Sendable {
  /// The original transaction id: 1 to 64 digits.
  public var originalTransactionID: String
  /// The environment of the purchase: Production or Sandbox.
  public var environment: AppStoreEnvironment

  /// Creates the key of a receipt, which need not be stored.
  public init(originalTransactionID: String, environment: AppStoreEnvironment) {
    self.originalTransactionID = originalTransactionID
    self.environment = environment
  }

  /// Creates the key of a stored receipt.
  public init(_ receipt: StoredReceipt) {
    originalTransactionID = receipt.originalTransactionID
    environment = receipt.environment
  }
}
