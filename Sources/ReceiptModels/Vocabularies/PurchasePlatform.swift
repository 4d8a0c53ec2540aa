public import JSONValues

/// The platform on which a customer first got the app.
///
/// Source: Apple, `originalPlatform`.
public struct PurchasePlatform: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// iPhone and iPad.
  public static let iOS = PurchasePlatform(rawValue: "iOS")
  /// Mac.
  public static let macOS = PurchasePlatform(rawValue: "macOS")
  /// Apple TV.
  public static let tvOS = PurchasePlatform(rawValue: "tvOS")
  /// Apple Vision.
  public static let visionOS = PurchasePlatform(rawValue: "visionOS")

  /// The values that Apple documents.
  public static let allCases: [PurchasePlatform] = [
    iOS, macOS, tvOS, visionOS,
  ]
}
