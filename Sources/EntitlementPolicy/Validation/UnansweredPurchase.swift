public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A purchase whose present state could not be learned, since every source that may speak about it failed.
///
/// Source: entitlement rules, sections 4.1 and 9.
public struct UnansweredPurchase: Hashable, Sendable {
  public var environment: AppStoreEnvironment
  public var originalTransactionID: String
  /// The date of the first failure since the state was last proven.
  public var firstFailureDate: Date

  /// Creates a purchase whose present state could not be learned.
  public init(
    environment: AppStoreEnvironment, originalTransactionID: String, firstFailureDate: Date
  ) {
    self.environment = environment
    self.originalTransactionID = originalTransactionID
    self.firstFailureDate = firstFailureDate
  }
}
