internal import JSONValues
public import ReceiptModels

/// The extent to which a customer consumed a purchase.
///
/// Source: Apple, `consumptionStatus`.
public struct ConsumptionStatus: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Not declared.
  public static let undeclared = ConsumptionStatus(rawValue: 0)
  public static let notConsumed = ConsumptionStatus(rawValue: 1)
  public static let partiallyConsumed = ConsumptionStatus(rawValue: 2)
  public static let fullyConsumed = ConsumptionStatus(rawValue: 3)

  /// The values that Apple documents.
  public static let allCases: [ConsumptionStatus] = [
    undeclared, notConsumed, partiallyConsumed, fullyConsumed,
  ]
}

/// The platform on which a customer consumed a purchase.
///
/// Source: Apple, `platform`.
public struct ConsumptionPlatform: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Not declared.
  public static let undeclared = ConsumptionPlatform(rawValue: 0)
  public static let apple = ConsumptionPlatform(rawValue: 1)
  /// Another platform.
  public static let nonApple = ConsumptionPlatform(rawValue: 2)

  /// The values that Apple documents.
  public static let allCases: [ConsumptionPlatform] = [
    undeclared, apple, nonApple,
  ]
}

/// Whether a purchase was delivered and works, in version 1.
///
/// Source: Apple, `deliveryStatus`, version 1.
public struct DeliveryStatusV1: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Delivered and working.
  public static let delivered = DeliveryStatusV1(rawValue: 0)
  /// Not delivered because of a quality issue.
  public static let qualityIssue = DeliveryStatusV1(rawValue: 1)
  /// The wrong item was delivered.
  public static let wrongItem = DeliveryStatusV1(rawValue: 2)
  /// Not delivered because of an outage.
  public static let serverOutage = DeliveryStatusV1(rawValue: 3)
  /// Not delivered because the currency in the game changed.
  public static let inGameCurrencyChange = DeliveryStatusV1(rawValue: 4)
  /// Not delivered for another reason.
  public static let other = DeliveryStatusV1(rawValue: 5)

  /// The values that Apple documents.
  public static let allCases: [DeliveryStatusV1] = [
    delivered, qualityIssue, wrongItem, serverOutage, inGameCurrencyChange, other,
  ]
}

/// The status of a customer's account.
///
/// Source: Apple, `userStatus`.
public struct UserStatus: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Not declared.
  public static let undeclared = UserStatus(rawValue: 0)
  public static let active = UserStatus(rawValue: 1)
  public static let suspended = UserStatus(rawValue: 2)
  public static let terminated = UserStatus(rawValue: 3)
  public static let limitedAccess = UserStatus(rawValue: 4)

  /// The values that Apple documents.
  public static let allCases: [UserStatus] = [
    undeclared, active, suspended, terminated, limitedAccess,
  ]
}

/// The outcome of a request for a refund that the server prefers, in version 1.
///
/// Source: Apple, `refundPreference`, version 1.
public struct RefundPreferenceV1: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Not declared.
  public static let undeclared = RefundPreferenceV1(rawValue: 0)
  public static let preferGrant = RefundPreferenceV1(rawValue: 1)
  /// No refund.
  public static let preferDecline = RefundPreferenceV1(rawValue: 2)
  public static let noPreference = RefundPreferenceV1(rawValue: 3)

  /// The values that Apple documents.
  public static let allCases: [RefundPreferenceV1] = [
    undeclared, preferGrant, preferDecline, noPreference,
  ]
}
