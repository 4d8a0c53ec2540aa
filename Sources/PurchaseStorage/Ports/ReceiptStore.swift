public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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

/// The key of a stored receipt, or of stored transactions, after which a walk over all of them continues.
public struct ReceiptCursor: Hashable, Sendable {
  /// The original transaction id: 1 to 64 digits.
  public var originalTransactionID: String
  /// The environment of the purchase: Production or Sandbox.
  public var environment: AppStoreEnvironment

  /// Creates a key, under which nothing need be stored.
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
