/// The kind of offer that set the price.
///
/// Source: Apple, `offerType`.
public struct OfferType: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// An offer for new subscribers of the group.
  public static let introductory = Self(rawValue: 1)
  /// An offer signed by the server for a current or former subscriber.
  public static let promotional = Self(rawValue: 2)
  public static let offerCode = Self(rawValue: 3)
  public static let winBack = Self(rawValue: 4)

  public static let allCases: [Self] = [introductory, promotional, offerCode, winBack]
}

/// The type of discount of an offer.
///
/// Source: Apple, `offerDiscountType`.
public struct OfferDiscountType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let freeTrial = Self(rawValue: "FREE_TRIAL")
  /// A reduced price for each of several periods.
  public static let payAsYouGo = Self(rawValue: "PAY_AS_YOU_GO")
  /// A reduced price paid once for several periods.
  public static let payUpFront = Self(rawValue: "PAY_UP_FRONT")
  /// A reduced price for one purchase.
  public static let oneTime = Self(rawValue: "ONE_TIME")

  public static let allCases: [Self] = [freeTrial, payAsYouGo, payUpFront, oneTime]
}
