/// The settings of orders.
///
/// Source: entitlement rules, section 12.
public struct OrderOptions: Hashable, Sendable {
  /// The time for which the answer of a vendor is enough, so that a login does not ask again; 0 by default.
  public var minimumRevalidationInterval: Duration = .zero
  /// The time that a login or a token refresh waits for a vendor; 5 seconds by default.
  public var hookLimit: Duration = .seconds(5)

  /// Creates the default settings.
  public init() {}
}
