internal import JSONValues
public import ReceiptModels

/// The age of a customer's account.
///
/// Source: Apple, `accountTenure`.
public struct AccountTenure: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Not declared.
  public static let undeclared = AccountTenure(rawValue: 0)
  public static let zeroToThreeDays = AccountTenure(rawValue: 1)
  public static let threeToTenDays = AccountTenure(rawValue: 2)
  public static let tenToThirtyDays = AccountTenure(rawValue: 3)
  public static let thirtyToNinetyDays = AccountTenure(rawValue: 4)
  public static let ninetyTo180Days = AccountTenure(rawValue: 5)
  public static let from180To365Days = AccountTenure(rawValue: 6)
  public static let over365Days = AccountTenure(rawValue: 7)

  /// The values that Apple documents.
  public static let allCases: [AccountTenure] = [
    undeclared, zeroToThreeDays, threeToTenDays, tenToThirtyDays, thirtyToNinetyDays,
    ninetyTo180Days, from180To365Days, over365Days,
  ]
}

/// The time for which a customer used the app.
///
/// Source: Apple, `playTime`.
public struct PlayTime: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Not declared.
  public static let undeclared = PlayTime(rawValue: 0)
  public static let zeroToFiveMinutes = PlayTime(rawValue: 1)
  public static let fiveToSixtyMinutes = PlayTime(rawValue: 2)
  public static let oneToSixHours = PlayTime(rawValue: 3)
  public static let sixTo24Hours = PlayTime(rawValue: 4)
  public static let oneToFourDays = PlayTime(rawValue: 5)
  public static let fourToSixteenDays = PlayTime(rawValue: 6)
  public static let over16Days = PlayTime(rawValue: 7)

  /// The values that Apple documents.
  public static let allCases: [PlayTime] = [
    undeclared, zeroToFiveMinutes, fiveToSixtyMinutes, oneToSixHours, sixTo24Hours,
    oneToFourDays, fourToSixteenDays, over16Days,
  ]
}

/// The total of a customer's purchases in the app.
///
/// Source: Apple, `lifetimeDollarsPurchased`.
public struct LifetimeDollarsPurchased: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Not declared.
  public static let undeclared = LifetimeDollarsPurchased(rawValue: 0)
  /// 0 US dollars.
  public static let zero = LifetimeDollarsPurchased(rawValue: 1)
  /// 0.01 to 49.99 US dollars.
  public static let upTo50 = LifetimeDollarsPurchased(rawValue: 2)
  /// 50 to 99.99 US dollars.
  public static let upTo100 = LifetimeDollarsPurchased(rawValue: 3)
  /// 100 to 499.99 US dollars.
  public static let upTo500 = LifetimeDollarsPurchased(rawValue: 4)
  /// 500 to 999.99 US dollars.
  public static let upTo1000 = LifetimeDollarsPurchased(rawValue: 5)
  /// 1,000 to 1,999.99 US dollars.
  public static let upTo2000 = LifetimeDollarsPurchased(rawValue: 6)
  /// 2,000 US dollars and more.
  public static let from2000 = LifetimeDollarsPurchased(rawValue: 7)

  /// The values that Apple documents.
  public static let allCases: [LifetimeDollarsPurchased] = [
    undeclared, zero, upTo50, upTo100, upTo500, upTo1000, upTo2000, from2000,
  ]
}

/// The total of a customer's refunds in the app.
///
/// Source: Apple, `lifetimeDollarsRefunded`.
public struct LifetimeDollarsRefunded: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Not declared.
  public static let undeclared = LifetimeDollarsRefunded(rawValue: 0)
  /// 0 US dollars.
  public static let zero = LifetimeDollarsRefunded(rawValue: 1)
  /// 0.01 to 49.99 US dollars.
  public static let upTo50 = LifetimeDollarsRefunded(rawValue: 2)
  /// 50 to 99.99 US dollars.
  public static let upTo100 = LifetimeDollarsRefunded(rawValue: 3)
  /// 100 to 499.99 US dollars.
  public static let upTo500 = LifetimeDollarsRefunded(rawValue: 4)
  /// 500 to 999.99 US dollars.
  public static let upTo1000 = LifetimeDollarsRefunded(rawValue: 5)
  /// 1,000 to 1,999.99 US dollars.
  public static let upTo2000 = LifetimeDollarsRefunded(rawValue: 6)
  /// 2,000 US dollars and more.
  public static let from2000 = LifetimeDollarsRefunded(rawValue: 7)

  /// The values that Apple documents.
  public static let allCases: [LifetimeDollarsRefunded] = [
    undeclared, zero, upTo50, upTo100, upTo500, upTo1000, upTo2000, from2000,
  ]
}
