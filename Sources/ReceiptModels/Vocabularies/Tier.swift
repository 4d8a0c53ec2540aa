internal import JSONValues

/// The level of a plan.
///
/// Source: linking rules, sections 1.2 and 1.4.
public struct Tier: StringVocabulary, FieldValue {
  /// The stored text.
  public var rawValue: String
  /// Creates a level of any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The ordinary membership.
  public static let standard = Tier(rawValue: "standard")
  /// The membership with everything.
  public static let premium = Tier(rawValue: "premium")

  /// The documented levels.
  public static let allCases: [Tier] = [
    standard, premium,
  ]
}

extension Tier: ExpressibleByStringLiteral {
  /// Creates a level of any text.
  public init(stringLiteral text: String) { self.init(rawValue: text) }
}

/// The billing cycle of a plan.
///
/// Source: linking rules, sections 1.2 and 1.4.
public struct BillingCycle: StringVocabulary, FieldValue {
  /// The stored text.
  public var rawValue: String
  /// Creates a billing cycle of any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Every month.
  public static let month = BillingCycle(rawValue: "month")
  /// Every year.
  public static let year = BillingCycle(rawValue: "year")

  /// The documented billing cycles.
  public static let allCases: [BillingCycle] = [
    month, year,
  ]
}
