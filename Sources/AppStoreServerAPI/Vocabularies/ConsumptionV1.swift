internal import JSONValues
public import ReceiptModels

/// The extent to which a customer consumed a purchase.
///
/// Source: Apple, `consumptionStatus`.
public struct ConsumptionStatus: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let undeclared = Self(rawValue: 0)
  public static let notConsumed = Self(rawValue: 1)
  public static let partiallyConsumed = Self(rawValue: 2)
  public static let fullyConsumed = Self(rawValue: 3)

  public static let allCases: [Self] = [undeclared, notConsumed, partiallyConsumed, fullyConsumed]
}

/// The platform on which a customer consumed a purchase.
///
/// Source: Apple, `platform`.
public struct ConsumptionPlatform: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let undeclared = Self(rawValue: 0)
  public static let apple = Self(rawValue: 1)
  public static let nonApple = Self(rawValue: 2)

  public static let allCases: [Self] = [undeclared, apple, nonApple]
}

/// Whether a purchase was delivered and works, in version 1.
///
/// Source: Apple, `deliveryStatus`, version 1.
public struct DeliveryStatusV1: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let delivered = Self(rawValue: 0)
  public static let qualityIssue = Self(rawValue: 1)
  public static let wrongItem = Self(rawValue: 2)
  public static let serverOutage = Self(rawValue: 3)
  /// Not delivered because the currency in the game changed.
  public static let inGameCurrencyChange = Self(rawValue: 4)
  public static let other = Self(rawValue: 5)

  public static let allCases: [Self] = [
    delivered, qualityIssue, wrongItem, serverOutage, inGameCurrencyChange, other,
  ]
}

/// The status of a customer's account.
///
/// Source: Apple, `userStatus`.
public struct UserStatus: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let undeclared = Self(rawValue: 0)
  public static let active = Self(rawValue: 1)
  public static let suspended = Self(rawValue: 2)
  public static let terminated = Self(rawValue: 3)
  public static let limitedAccess = Self(rawValue: 4)

  public static let allCases: [Self] = [undeclared, active, suspended, terminated, limitedAccess]
}

/// The outcome of a request for a refund that the server prefers, in version 1.
///
/// Source: Apple, `refundPreference`, version 1.
public struct RefundPreferenceV1: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let undeclared = Self(rawValue: 0)
  public static let preferGrant = Self(rawValue: 1)
  public static let preferDecline = Self(rawValue: 2)
  public static let noPreference = Self(rawValue: 3)

  public static let allCases: [Self] = [undeclared, preferGrant, preferDecline, noPreference]
}
