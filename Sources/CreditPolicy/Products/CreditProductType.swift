public import ReceiptModels

/// The type of a credit product, which decides how often it can be bought.
///
/// Hosts may register further types with the loader of their product mapping; all but ``starter`` are
/// sold without limit.
///
/// Source: credit rules, section 8.
public struct CreditProductType: StringVocabulary {
  /// The text in the product mapping.
  public var rawValue: String
  /// Creates a type of any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Sold once to each e-mail identity; see ``StarterIdentity``.
  public static let starter = CreditProductType(rawValue: "starter")
  /// Sold without limit.
  public static let standard = CreditProductType(rawValue: "standard")

  /// The types of this version.
  public static let allCases: [CreditProductType] = [starter, standard]
}
