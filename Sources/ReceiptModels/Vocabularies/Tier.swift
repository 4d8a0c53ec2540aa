/// What a membership includes.
///
/// Source: contract on linking, sections 1.2 and 1.4.
public struct Tier: StringVocabulary, FieldValue {
  /// The contract's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The ordinary membership.
  public static let standard = Tier(rawValue: "standard")
  /// The membership with everything.
  public static let premium = Tier(rawValue: "premium")

  /// The values of the contract.
  public static let allCases: [Tier] = [
    standard, premium,
  ]
}
