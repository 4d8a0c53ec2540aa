public import JSONValues

/// The kind of offer that set the price.
///
/// Source: Apple, `offerType`.
public struct OfferType: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Takes any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// For new subscribers of the group.
  public static let introductory = OfferType(rawValue: 1)
  /// Signed by the server for a present or past subscriber.
  public static let promotional = OfferType(rawValue: 2)
  /// Redeemed by a code.
  public static let offerCode = OfferType(rawValue: 3)
  /// For former subscribers.
  public static let winBack = OfferType(rawValue: 4)

  /// The values that Apple documents.
  public static let allCases: [OfferType] = [
    introductory, promotional, offerCode, winBack,
  ]
}
