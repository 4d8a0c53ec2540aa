internal import JSONValues
public import ReceiptModels

/// The age of a customer's account.
///
/// Source: Apple, `accountTenure`.
public struct AccountTenure: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let undeclared = Self(rawValue: 0)
  public static let zeroToThreeDays = Self(rawValue: 1)
  public static let threeToTenDays = Self(rawValue: 2)
  public static let tenToThirtyDays = Self(rawValue: 3)
  public static let thirtyToNinetyDays = Self(rawValue: 4)
  public static let ninetyTo180Days = Self(rawValue: 5)
  public static let from180To365Days = Self(rawValue: 6)
  public static let over365Days = Self(rawValue: 7)

  public static let allCases: [Self] = [
    undeclared, zeroToThreeDays, threeToTenDays, tenToThirtyDays, thirtyToNinetyDays,
    ninetyTo180Days, from180To365Days, over365Days,
  ]
}

/// The time for which a customer used the app.
///
/// Source: Apple, `playTime`.
public struct PlayTime: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let undeclared = Self(rawValue: 0)
  public static let zeroToFiveMinutes = Self(rawValue: 1)
  public static let fiveToSixtyMinutes = Self(rawValue: 2)
  public static let oneToSixHours = Self(rawValue: 3)
  public static let sixTo24Hours = Self(rawValue: 4)
  public static let oneToFourDays = Self(rawValue: 5)
  public static let fourToSixteenDays = Self(rawValue: 6)
  public static let over16Days = Self(rawValue: 7)

  public static let allCases: [Self] = [
    undeclared, zeroToFiveMinutes, fiveToSixtyMinutes, oneToSixHours, sixTo24Hours, oneToFourDays,
    fourToSixteenDays, over16Days,
  ]
}

/// The total of a customer's purchases in the app.
///
/// Source: Apple, `lifetimeDollarsPurchased`.
public struct LifetimeDollarsPurchased: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let undeclared = Self(rawValue: 0)
  public static let zero = Self(rawValue: 1)
  /// 0.01 to 49.99 US dollars.
  public static let upTo50 = Self(rawValue: 2)
  /// 50 to 99.99 US dollars.
  public static let upTo100 = Self(rawValue: 3)
  /// 100 to 499.99 US dollars.
  public static let upTo500 = Self(rawValue: 4)
  /// 500 to 999.99 US dollars.
  public static let upTo1000 = Self(rawValue: 5)
  /// 1,000 to 1,999.99 US dollars.
  public static let upTo2000 = Self(rawValue: 6)
  /// 2,000 US dollars and more.
  public static let from2000 = Self(rawValue: 7)

  public static let allCases: [Self] = [
    undeclared, zero, upTo50, upTo100, upTo500, upTo1000, upTo2000, from2000,
  ]
}

/// The total of a customer's refunds in the app.
///
/// Source: Apple, `lifetimeDollarsRefunded`.
public struct LifetimeDollarsRefunded: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let undeclared = Self(rawValue: 0)
  public static let zero = Self(rawValue: 1)
  /// 0.01 to 49.99 US dollars.
  public static let upTo50 = Self(rawValue: 2)
  /// 50 to 99.99 US dollars.
  public static let upTo100 = Self(rawValue: 3)
  /// 100 to 499.99 US dollars.
  public static let upTo500 = Self(rawValue: 4)
  /// 500 to 999.99 US dollars.
  public static let upTo1000 = Self(rawValue: 5)
  /// 1,000 to 1,999.99 US dollars.
  public static let upTo2000 = Self(rawValue: 6)
  /// 2,000 US dollars and more.
  public static let from2000 = Self(rawValue: 7)

  public static let allCases: [Self] = [
    undeclared, zero, upTo50, upTo100, upTo500, upTo1000, upTo2000, from2000,
  ]
}
