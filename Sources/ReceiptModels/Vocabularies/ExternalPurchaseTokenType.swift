public import JSONValues

/// What a token for external purchases stands for.
///
/// Apple sends it with tokens for custom links only. `IN_APP` and `LINK_OUT` were reported for Japan
/// and are not documented; they pass as unknown values.
///
/// Source: Apple, `tokenType`.
public struct ExternalPurchaseTokenType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Towards the fee for acquiring customers.
  public static let acquisition = ExternalPurchaseTokenType(rawValue: "ACQUISITION")
  /// Towards the fee for the services of the store.
  public static let services = ExternalPurchaseTokenType(rawValue: "SERVICES")

  /// The values that Apple documents.
  public static let allCases: [ExternalPurchaseTokenType] = [
    acquisition, services,
  ]
}
