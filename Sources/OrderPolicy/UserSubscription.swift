public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The level of a user, and until when it was bought.
///
/// Source: entitlement rules, section 12.
public struct UserSubscription: Hashable, Sendable {
  public var level: SubscriptionLevel
  public var vendor: Vendor
  /// The environment of the purchase; nobody paid for one of the Sandbox.
  public var environment: AppStoreEnvironment
  /// The end of what the vendor has confirmed.
  ///
  /// It may be past while the vendor cannot be asked.
  public var expiration: Date
  /// Whether the purchase of the order was claimed and left unacknowledged, as another one is in use, so that the
  /// store refunds it.
  public var isOrderUnacknowledged = false

  /// Creates a subscription of a user.
  public init(
    level: SubscriptionLevel, vendor: Vendor, environment: AppStoreEnvironment = .production,
    expiration: Date
  ) {
    self.level = level
    self.vendor = vendor
    self.environment = environment
    self.expiration = expiration
  }
}
