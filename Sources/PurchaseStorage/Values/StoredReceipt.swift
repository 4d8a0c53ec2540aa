public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A stored receipt of one original transaction id; printed without the receipt.
public struct StoredReceipt: Hashable, Sendable {
  /// The original transaction id: 1 to 64 digits.
  public let originalTransactionID: String
  /// The environment of the purchase: Production or Sandbox.
  public let environment: AppStoreEnvironment
  /// The App Store's `latest_receipt`, in base64.
  public let receipt: String
  /// The date of the answer that contained it.
  public let asOf: Date

  /// Creates a receipt to keep.
  public init(
    originalTransactionID: String, environment: AppStoreEnvironment, receipt: String, asOf: Date
  ) {
    self.originalTransactionID = originalTransactionID
    self.environment = environment
    self.receipt = receipt
    self.asOf = asOf
  }
}

extension StoredReceipt: CustomStringConvertible, CustomReflectable {
  /// The identifier and the environment, never the receipt.
  public var description: String { "StoredReceipt(\(originalTransactionID), \(environment))" }

  /// Empty, so that `dump` shows no receipt.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
