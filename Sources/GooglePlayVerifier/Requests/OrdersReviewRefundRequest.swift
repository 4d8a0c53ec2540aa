public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The answer to Google's question about a chargeback: the wanted outcome, and how the purchase was used.
///
/// Google asks with a `pendingRefundReviewNotification`, and waits 24 hours. Source: Google Play Developer
/// API, `OrdersReviewRefundRequest`.
public struct OrdersReviewRefundRequest: CheckedPlayRequest {
  /// The token of the notification.
  public var pendingRefundToken = ""
  public var refundPreference = RefundPreference.unspecified
  /// Whether the customer could try the content before the purchase, or was told what it does.
  public var sampleContentProvided = false
  /// The consumed part, in thousandths of a percent, 0 to 100,000 (`45200` is 45.2 %); nil for the app itself.
  public var consumptionPercentageMilliunits: Int?
  /// The times at which the customer used the purchase, at most 1000.
  public var consumptionUsageEvents: [ConsumptionUsageEvent]?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates an answer without particulars of the use.
  public init(
    pendingRefundToken: String, refundPreference: RefundPreference, sampleContentProvided: Bool
  ) {
    self.pendingRefundToken = pendingRefundToken
    self.refundPreference = refundPreference
    self.sampleContentProvided = sampleContentProvided
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("pendingRefundToken", &pendingRefundToken)
    try coder.required("refundPreference", &refundPreference)
    try coder.preset("sampleContentProvided", &sampleContentProvided)
    try coder("consumptionPercentageMilliunits", &consumptionPercentageMilliunits)
    try coder("consumptionUsageEvents", &consumptionUsageEvents)
  }

  /// Checks Google's rules: the numbers, the number of events, and what has to be there.
  public func validate() throws(InvalidCall) {
    try PlayRequestCheck.text(pendingRefundToken, .pendingRefundToken)
    try PlayRequestCheck.known(refundPreference, .refundPreference)
    if let consumptionPercentageMilliunits {
      guard (0...100_000).contains(consumptionPercentageMilliunits) else {
        throw .outOfRange(
          .consumptionPercentageMilliunits, allowed: 0...100_000,
          found: consumptionPercentageMilliunits)
      }
    }
    let events = consumptionUsageEvents ?? []
    guard events.count <= 1000 else {
      throw .outOfRange(.consumptionUsageEvents, allowed: 0...1000, found: events.count)
    }
    for event in events { try event.validate() }
  }

  /// The outcome that the developer wants.
  public struct RefundPreference: StringVocabulary, FieldValue {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not accepted.
    public static let unspecified = Self(rawValue: "REFUND_PREFERENCE_UNSPECIFIED")
    public static let decline = Self(rawValue: "DECLINE")
    /// A refund of the whole amount.
    public static let approve = Self(rawValue: "APPROVE")
    public static let neutral = Self(rawValue: "NEUTRAL")

    public static let allCases: [Self] = [unspecified, decline, approve, neutral]
  }
}

/// A use of what was bought.
///
/// Source: Google Play Developer API, `ConsumptionUsageEvent`.
public struct ConsumptionUsageEvent: CheckedPlayRequest {
  public var consumptionTime: Date?
  /// The developer's words about what was used, at most 5000 characters.
  public var consumptionItemDescription: String?
  public var ipAddress: String?
  public var location: CoarseLocation?
  /// The identifier of the account, in a form that tells Google nothing.
  public var obfuscatedAccountID: String?
  /// The identifier of the profile in the account, in such a form.
  public var obfuscatedProfileID: String?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates a use without particulars.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.time("consumptionTime", &consumptionTime)
    try coder("consumptionItemDescription", &consumptionItemDescription)
    try coder("ipAddress", &ipAddress)
    try coder("location", &location)
    try coder("obfuscatedAccountId", &obfuscatedAccountID)
    try coder("obfuscatedProfileId", &obfuscatedProfileID)
  }

  package func validate() throws(InvalidCall) {
    try PlayRequestCheck.length(
      consumptionItemDescription, atMost: 5000, .consumptionItemDescription)
    if let location { try PlayRequestCheck.text(location.regionCode, .regionCode) }
  }
}

/// The place where something was used, down to a part of a town.
///
/// Source: Google Play Developer API, `CoarseLocation`.
public struct CoarseLocation: FieldModel, GoogleModel {
  /// The country or region (CLDR).
  public var regionCode = ""
  public var administrativeArea: String?
  public var locality: String?
  public var sublocality: String?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a place in a country or region.
  public init(regionCode: String) { self.regionCode = regionCode }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("regionCode", &regionCode)
    try coder("administrativeArea", &administrativeArea)
    try coder("locality", &locality)
    try coder("sublocality", &sublocality)
  }
}
