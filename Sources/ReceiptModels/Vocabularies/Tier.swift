internal import JSONValues

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
