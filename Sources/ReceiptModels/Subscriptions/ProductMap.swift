/// Which products are memberships, and which.
///
/// Source: contract on linking, section 1.4.
public struct ProductMap: Hashable, Sendable {
  /// What a product grants.
  public struct Plan: Hashable, Sendable {
    /// What the membership includes.
    public var tier: Tier
    /// How often it is paid.
    public var cycle: BillingCycle

    /// A plan.
    public init(tier: Tier, cycle: BillingCycle) {
      self.tier = tier
      self.cycle = cycle
    }
  }

  /// The plans by product id.
  public var plans: [String: Plan]

  /// A map of these products.
  public init(_ plans: [String: Plan]) { self.plans = plans }

  /// The plan of a product, or nil if it is not known.
  public subscript(productID: String) -> Plan? { plans[productID] }
}
