internal import JSONValues

/// The plan that a product grants: a level and a billing cycle.
public struct Plan: Hashable, Sendable {
  public var tier: Tier
  public var cycle: BillingCycle

  /// Creates a plan.
  public init(tier: Tier, cycle: BillingCycle) {
    self.tier = tier
    self.cycle = cycle
  }

  /// Creates a plan, as in `Plan("standard", every: .month)`.
  public init(_ tier: Tier, every cycle: BillingCycle) {
    self.init(tier: tier, cycle: cycle)
  }
}

/// The products that grant a membership, with their plans.
///
/// ```swift
/// let products: ProductMap = [
///   "reader.monthly": Plan("standard", every: .month),
///   "reader:yearly": Plan("standard", every: .year),
/// ]
/// ```
///
/// The identifier of a product may have a colon and a billing plan of the product after it: a base plan of Google's, or
/// Apple's `MONTHLY` or `BILLED_UPFRONT`. Such an entry counts for that plan; the one without a plan counts for all others.
///
/// Source: linking rules, section 1.4.
public struct ProductMap: Hashable, Sendable {
  public var plans: [String: Plan]

  /// Creates a map of products.
  public init(_ plans: [String: Plan]) { self.plans = plans }

  /// The plan of a product, or nil if the product isn't known.
  public subscript(productID: String) -> Plan? { plans[productID] }

  /// The plan of a purchase: that of its billing plan, or else that of its product; nil if neither is known.
  public subscript(purchase: PurchaseRecord) -> Plan? {
    purchase.planID.flatMap { plans["\(purchase.productID):\($0)"] } ?? plans[purchase.productID]
  }

  /// Returns whether a level is documented, or is that of a product.
  public func knows(_ tier: Tier) -> Bool {
    tier.isKnown || plans.values.contains { $0.tier == tier }
  }

  /// Returns whether a billing cycle is documented, or is that of a product.
  public func knows(_ cycle: BillingCycle) -> Bool {
    cycle.isKnown || plans.values.contains { $0.cycle == cycle }
  }
}

extension ProductMap: ExpressibleByDictionaryLiteral {
  /// Creates a map of products; of two plans for one product the last one counts.
  public init(dictionaryLiteral products: (String, Plan)...) {
    self.init(Dictionary(products) { $1 })
  }
}

/// The level of a plan.
///
/// Source: linking rules, sections 1.2 and 1.4.
public struct Tier: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let standard = Self(rawValue: "standard")
  /// The membership with everything.
  public static let premium = Self(rawValue: "premium")

  public static let allCases: [Self] = [standard, premium]
}

extension Tier: ExpressibleByStringLiteral {
  /// Creates a level of any text.
  public init(stringLiteral text: String) { self.init(rawValue: text) }
}

/// The billing cycle of a plan.
///
/// Source: linking rules, sections 1.2 and 1.4.
public struct BillingCycle: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let month = Self(rawValue: "month")
  public static let year = Self(rawValue: "year")

  public static let allCases: [Self] = [month, year]
}
