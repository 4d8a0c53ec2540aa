#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An auto-renewable subscription as the service stores it: one for each original transaction ID.
///
/// Source: linking rules, section 1.2.
public struct Subscription: Hashable, Sendable {
  public var environment: AppStoreEnvironment
  /// The identifier of the first charge: 1 to 64 digits, or for Google Play a text that begins with `google:`.
  public var originalTransactionID: String
  /// The identifier of the latest transaction, of the same form.
  public var lastTransactionID: String
  public var productID: String
  /// The moment at which the latest transaction was charged.
  public var purchaseDate: Date
  /// The moment at which the subscription ends; a refund brings it forward.
  public var expiresDate: Date
  public var tier: Tier
  public var cycle: BillingCycle
  public var autoRenewal: Bool
  /// The moment at which the row was first stored, or nil if it isn't stored.
  public var createdDate: Date?
  /// The moment at which the stored row last changed, or nil if it isn't stored.
  public var updatedDate: Date?
  public var owner: AccountID?
  /// Whether a membership carries this subscription and belongs to its owner.
  public var isInUse: Bool = false

  /// Creates a subscription that isn't stored yet.
  ///
  /// The identifiers of transactions are not checked.
  public init(
    environment: AppStoreEnvironment, originalTransactionID: String, lastTransactionID: String,
    productID: String, purchaseDate: Date, expiresDate: Date, tier: Tier, cycle: BillingCycle,
    autoRenewal: Bool
  ) {
    self.environment = environment
    self.originalTransactionID = originalTransactionID
    self.lastTransactionID = lastTransactionID
    self.productID = productID
    self.purchaseDate = purchaseDate
    self.expiresDate = expiresDate
    self.tier = tier
    self.cycle = cycle
    self.autoRenewal = autoRenewal
  }

  /// The store that sold the subscription, which its identifier tells.
  public var vendor: Vendor { TransactionIDs.vendor(of: originalTransactionID) }

  public var plan: Plan { Plan(tier: tier, cycle: cycle) }
}
