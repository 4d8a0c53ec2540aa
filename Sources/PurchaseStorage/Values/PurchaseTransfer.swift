public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The record that a purchase moved from one account to another.
///
/// Source: linking rules, section 2.4.
public struct PurchaseTransfer: Hashable, Sendable {
  public var environment: AppStoreEnvironment
  public var originalTransactionID: String
  /// The account that had the purchase, by its key.
  public var previousOwner: AccountID
  /// The account that has it since, by its key.
  public var owner: AccountID
  /// The capability whose rule allowed it.
  public var capability: StoreCapability
  /// The date, in milliseconds.
  public var date: Date

  /// Creates a record.
  public init(
    environment: AppStoreEnvironment, originalTransactionID: String, from previousOwner: AccountID,
    to owner: AccountID, by capability: StoreCapability, date: Date
  ) {
    self.environment = environment
    self.originalTransactionID = originalTransactionID
    self.previousOwner = previousOwner
    self.owner = owner
    self.capability = capability
    self.date = date
  }
}
