public import JSONValues

/// How an offer is paid.
///
/// Source: Apple, `offerDiscountType`.
public struct OfferDiscountType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Nothing is paid for some time.
  public static let freeTrial = OfferDiscountType(rawValue: "FREE_TRIAL")
  /// A reduced price is paid every period.
  public static let payAsYouGo = OfferDiscountType(rawValue: "PAY_AS_YOU_GO")
  /// A reduced price is paid once for several periods.
  public static let payUpFront = OfferDiscountType(rawValue: "PAY_UP_FRONT")
  /// A reduced price is paid for one purchase.
  public static let oneTime = OfferDiscountType(rawValue: "ONE_TIME")

  /// The values that Apple documents.
  public static let allCases: [OfferDiscountType] = [
    freeTrial, payAsYouGo, payUpFront, oneTime,
  ]
}
