internal import PurchaseStorage
internal import ReceiptModels

/// The keys under which orders know purchases.
enum PurchaseKeys {
  /// Returns the key of a purchase with an original transaction ID, which stays the same through renewals.
  static func key(
    of originalTransactionID: String, in environment: AppStoreEnvironment
  ) -> String {
    switch TransactionIDs.vendor(of: originalTransactionID) {
    case .google: String(originalTransactionID.dropFirst(TransactionIDs.google.count))
    default: prefix(of: environment) + originalTransactionID
    }
  }

  /// Returns the original transaction ID of the purchase with a key; nil for one of a vendor whose purchases no
  /// other capability knows.
  static func originalTransactionID(
    of key: String, from vendor: Vendor, in environment: AppStoreEnvironment
  ) -> String? {
    switch vendor {
    case .google: TransactionIDs.google + key
    case .apple: String(key.dropFirst(prefix(of: environment).count))
    default: nil
    }
  }

  private static func prefix(of environment: AppStoreEnvironment) -> String {
    environment.rawValue.lowercased() + ":"
  }
}
