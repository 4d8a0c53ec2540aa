/// A capability whose records a store may have, beside those that all have in common.
public struct StoreCapability: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral {
  /// The name, such as `credits`.
  public let rawValue: String

  /// Creates a capability.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a capability.
  public init(stringLiteral name: String) { rawValue = name }

  /// Subscriptions and memberships (``SubscriptionRecords``).
  public static let subscriptions: StoreCapability = "subscriptions"
  /// Credits (``CreditRecords``).
  public static let credits: StoreCapability = "credits"
  /// Entitlements (``EntitlementRecords``).
  public static let entitlements: StoreCapability = "entitlements"
  /// Orders (``OrderRecords``).
  public static let orders: StoreCapability = "orders"
}

extension StoreCapability {
  /// The capabilities of this version.
  public static let all: Set<StoreCapability> = [.subscriptions, .credits, .entitlements, .orders]
}
