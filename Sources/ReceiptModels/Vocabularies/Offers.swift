/// The kind of offer that set the price.
///
/// Source: Apple, `offerType`.
public struct OfferType: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// An offer for new subscribers of the group.
  public static let introductory = OfferType(rawValue: 1)
  /// An offer signed by the server for a current or former subscriber.
  public static let promotional = OfferType(rawValue: 2)
  /// An offer redeemed with a code.
  public static let offerCode = OfferType(rawValue: 3)
  /// An offer for former subscribers.
  public static let winBack = OfferType(rawValue: 4)

  /// The values that Apple documents.
  public static let allCases: [OfferType] = [
    introductory, promotional, offerCode, winBack,
  ]
}

/// The type of discount of an offer.
///
/// Source: Apple, `offerDiscountType`.
public struct OfferDiscountType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A free period.
  public static let freeTrial = OfferDiscountType(rawValue: "FREE_TRIAL")
  /// A reduced price for each of several periods.
  public static let payAsYouGo = OfferDiscountType(rawValue: "PAY_AS_YOU_GO")
  /// A reduced price paid once for several periods.
  public static let payUpFront = OfferDiscountType(rawValue: "PAY_UP_FRONT")
  /// A reduced price for one purchase.
  public static let oneTime = OfferDiscountType(rawValue: "ONE_TIME")

  /// The values that Apple documents.
  public static let allCases: [OfferDiscountType] = [
    freeTrial, payAsYouGo, payUpFront, oneTime,
  ]
}
