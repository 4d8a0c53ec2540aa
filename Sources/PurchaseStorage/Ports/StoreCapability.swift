/// A capability whose records a store may have, beside those that all have in common.
public struct StoreCapability: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral {
  public let rawValue: String

  /// Creates a capability.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a capability.
  public init(stringLiteral name: String) { rawValue = name }

  public static let subscriptions: StoreCapability = "subscriptions"
  public static let credits: StoreCapability = "credits"
  public static let entitlements: StoreCapability = "entitlements"
  public static let orders: StoreCapability = "orders"
}

extension StoreCapability {
  public static let all: Set<StoreCapability> = [.subscriptions, .credits, .entitlements, .orders]
}
