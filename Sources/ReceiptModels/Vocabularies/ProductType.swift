public import JSONValues

/// What kind of product a transaction is about.
///
/// Source: Apple, `type`.
public struct ProductType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A subscription that Apple renews.
  public static let autoRenewableSubscription = ProductType(rawValue: "Auto-Renewable Subscription")
  /// Bought once, owned for good.
  public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
  /// Used up, and may be bought again.
  public static let consumable = ProductType(rawValue: "Consumable")
  /// A period whose length only the app knows.
  public static let nonRenewingSubscription = ProductType(rawValue: "Non-Renewing Subscription")

  /// The values that Apple documents.
  public static let allCases: [ProductType] = [
    autoRenewableSubscription, nonConsumable, consumable, nonRenewingSubscription,
  ]
}
