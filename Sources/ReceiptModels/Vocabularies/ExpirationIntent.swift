public import JSONValues

/// Why a subscription ended.
///
/// Source: Apple, `expirationIntent`.
public struct ExpirationIntent: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Takes any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The customer switched renewal off.
  public static let customerCancelled = ExpirationIntent(rawValue: 1)
  /// The renewal could not be charged.
  public static let billingError = ExpirationIntent(rawValue: 2)
  /// The customer did not consent to a higher price.
  public static let priceIncreaseNotConsented = ExpirationIntent(rawValue: 3)
  /// The product was not for sale at renewal.
  public static let productNotAvailable = ExpirationIntent(rawValue: 4)
  /// Any other reason.
  public static let other = ExpirationIntent(rawValue: 5)

  /// The values that Apple documents.
  public static let allCases: [ExpirationIntent] = [
    customerCancelled, billingError, priceIncreaseNotConsented, productNotAvailable, other,
  ]
}
