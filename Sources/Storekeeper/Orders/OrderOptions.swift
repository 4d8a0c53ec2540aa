public import ReceiptModels

/// The settings of orders.
///
/// Source: entitlement rules, section 12.
public struct OrderOptions: Hashable, Sendable {
  /// The environments whose purchases count; Production and the Sandbox by default.
  ///
  /// The Sandbox also stands for the purchases of Google's license testers.
  public var environments = CountedEnvironments.all
  /// The time for which the answer of a vendor is enough, so that a login does not ask again; 0 by default.
  public var minimumRevalidationInterval: Duration = .zero
  /// The time that a login or a token refresh waits for a vendor; 5 seconds by default.
  public var hookLimit: Duration = .seconds(5)
  /// The purchases of Google that are acknowledged; all that are claimed by default.
  public var acknowledgement = AcknowledgedPurchases.claimed

  /// Creates the default settings.
  public init() {}
}

/// The purchases of Google that are acknowledged; Google refunds the others after three days.
///
/// Source: entitlement rules, section 13.
public enum AcknowledgedPurchases: Hashable, Sendable, CaseIterable {
  /// Every purchase that a user has claimed, in use or not: the claim is a promise.
  case claimed
  /// Only the purchase that a user's subscription rests on.
  ///
  /// The answer to an order whose purchase is not in use then says so.
  case inUse
}
