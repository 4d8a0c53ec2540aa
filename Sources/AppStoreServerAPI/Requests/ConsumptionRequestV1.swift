public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The consumption data of a purchase for which the customer wants a refund, version 1.
///
/// Apple deprecated this version, but it is the one for purchases of the Advanced Commerce API. Its
/// JSON form always has eleven members; only the preference may be missing. Reading and writing
/// check no limits; ``validate()`` does. Source: Apple, `ConsumptionRequestV1`.
public struct ConsumptionRequestV1: CheckedRequest {
  /// Whether the customer consented to sending these data; must be true.
  public var customerConsented: Bool = false
  public var consumptionStatus = ConsumptionStatus.undeclared
  public var platform = ConsumptionPlatform.undeclared
  /// Whether the customer could try the content before the purchase.
  public var sampleContentProvided: Bool = false
  /// Whether the purchase was delivered and works.
  public var deliveryStatus = DeliveryStatusV1.delivered
  /// The account of the customer in the app, written as the empty text if nil.
  ///
  /// Text that is not a UUID leaves this nil.
  public var appAccountToken: UUID?
  public var accountTenure = AccountTenure.undeclared
  public var playTime = PlayTime.undeclared
  public var lifetimeDollarsRefunded = LifetimeDollarsRefunded.undeclared
  public var lifetimeDollarsPurchased = LifetimeDollarsPurchased.undeclared
  public var userStatus = UserStatus.undeclared
  public var refundPreference: RefundPreferenceV1?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates consumption data that declare nothing else.
  public init(
    customerConsented: Bool, deliveryStatus: DeliveryStatusV1, sampleContentProvided: Bool
  ) {
    self.customerConsented = customerConsented
    self.deliveryStatus = deliveryStatus
    self.sampleContentProvided = sampleContentProvided
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("customerConsented", &customerConsented)
    try coder.preset("consumptionStatus", &consumptionStatus)
    try coder.preset("platform", &platform)
    try coder.required("sampleContentProvided", &sampleContentProvided)
    try coder.preset("deliveryStatus", &deliveryStatus)
    var token = appAccountToken.map { RequestPart.uuid($0) } ?? ""
    try coder.preset("appAccountToken", &token)
    appAccountToken = UUID(uuidString: token)
    try coder.preset("accountTenure", &accountTenure)
    try coder.preset("playTime", &playTime)
    try coder.preset("lifetimeDollarsRefunded", &lifetimeDollarsRefunded)
    try coder.preset("lifetimeDollarsPurchased", &lifetimeDollarsPurchased)
    try coder.preset("userStatus", &userStatus)
    try coder("refundPreference", &refundPreference)
  }

  /// Checks the documented limits.
  public func validate() throws(InvalidRequest) {
    guard customerConsented else { throw InvalidRequest("customerConsented", .notAccepted) }
    try RequestCheck.known(consumptionStatus, "consumptionStatus")
    try RequestCheck.known(platform, "platform")
    try RequestCheck.known(deliveryStatus, "deliveryStatus")
    try RequestCheck.known(accountTenure, "accountTenure")
    try RequestCheck.known(playTime, "playTime")
    try RequestCheck.known(lifetimeDollarsRefunded, "lifetimeDollarsRefunded")
    try RequestCheck.known(lifetimeDollarsPurchased, "lifetimeDollarsPurchased")
    try RequestCheck.known(userStatus, "userStatus")
    try RequestCheck.known(refundPreference, "refundPreference")
  }
}

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
/// The ranges are those of ``LifetimeDollarsPurchased``. Source: Apple, `lifetimeDollarsRefunded`.
public struct LifetimeDollarsRefunded: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let undeclared = Self(rawValue: 0)
  public static let zero = Self(rawValue: 1)
  public static let upTo50 = Self(rawValue: 2)
  public static let upTo100 = Self(rawValue: 3)
  public static let upTo500 = Self(rawValue: 4)
  public static let upTo1000 = Self(rawValue: 5)
  public static let upTo2000 = Self(rawValue: 6)
  public static let from2000 = Self(rawValue: 7)

  public static let allCases: [Self] = [
    undeclared, zero, upTo50, upTo100, upTo500, upTo1000, upTo2000, from2000,
  ]
}
