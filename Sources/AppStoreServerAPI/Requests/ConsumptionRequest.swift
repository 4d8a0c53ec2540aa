public import JSONValues
public import ReceiptModels

/// The consumption data of a purchase for which the customer wants a refund, version 2.
///
/// Reading and writing check no limits; ``validate()`` and ``validate(for:)`` do. Source: Apple,
/// `ConsumptionRequest`.
public struct ConsumptionRequest: CheckedRequest {
  /// Whether the customer consented to sending these data; must be true.
  public var customerConsented: Bool = false
  /// Whether the purchase was delivered and works.
  public var deliveryStatus = DeliveryStatus(rawValue: "")
  /// Whether the customer could try the content before the purchase.
  public var sampleContentProvided: Bool = false
  /// The consumed part, in thousandths of a percent, 0 to 100,000; nil for auto-renewable
  /// subscriptions, for which Apple computes it.
  public var consumptionPercentage: Int?
  public var refundPreference: RefundPreference?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates consumption data without percentage and preference.
  public init(customerConsented: Bool, deliveryStatus: DeliveryStatus, sampleContentProvided: Bool)
  {
    self.customerConsented = customerConsented
    self.deliveryStatus = deliveryStatus
    self.sampleContentProvided = sampleContentProvided
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("customerConsented", &customerConsented)
    try coder.required("deliveryStatus", &deliveryStatus)
    try coder.required("sampleContentProvided", &sampleContentProvided)
    try coder("consumptionPercentage", &consumptionPercentage)
    try coder("refundPreference", &refundPreference)
  }

  /// Checks the documented limits and the members against each other.
  ///
  /// The rules that depend on the transaction are not checked; ``validate(for:)`` does.
  public func validate() throws(InvalidRequest) {
    guard customerConsented else { throw InvalidRequest("customerConsented", .notAccepted) }
    try RequestCheck.known(deliveryStatus, "deliveryStatus")
    try RequestCheck.known(refundPreference, "refundPreference")
    guard let consumptionPercentage else { return }
    try RequestCheck.range(consumptionPercentage, 0...100_000, Self.percentage)
    guard deliveryStatus == .delivered || consumptionPercentage == 0 else {
      throw InvalidRequest(Self.percentage, .inconsistent(with: "deliveryStatus"))
    }
    if refundPreference == .grantProrated {
      try RequestCheck.range(consumptionPercentage, 1...99_999, Self.percentage)
    }
  }

  /// Checks the documented limits and whether they fit the transaction.
  ///
  /// A family-shared or assigned transaction is not supported. A transaction of the Advanced
  /// Commerce API requires ``ConsumptionRequestV1``. The percentage is left out for an
  /// auto-renewable subscription, and required for other types if a prorated refund is preferred.
  public func validate(for transaction: Transaction?) throws(InvalidRequest) {
    try validate()
    guard let transaction else { return }
    switch transaction.inAppOwnershipType {
    case .familyShared, .assigned:
      throw InvalidRequest("transactionId", .notAllowed(with: "inAppOwnershipType"))
    default: break
    }
    guard transaction.advancedCommerceInfo == nil else {
      throw InvalidRequest("transactionId", .notAllowed(with: "advancedCommerceInfo"))
    }
    guard let type = transaction.type else { return }
    if type == .autoRenewableSubscription {
      guard consumptionPercentage == nil else {
        throw InvalidRequest(Self.percentage, .notAllowed(with: "type"))
      }
    } else if refundPreference == .grantProrated, consumptionPercentage == nil {
      throw InvalidRequest(Self.percentage, .missing)
    }
  }

  private static let percentage = "consumptionPercentage"
}

/// Whether a purchase was delivered and works.
///
/// Source: Apple, `deliveryStatus`.
public struct DeliveryStatus: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let delivered = Self(rawValue: "DELIVERED")
  public static let undeliveredQualityIssue = Self(rawValue: "UNDELIVERED_QUALITY_ISSUE")
  public static let undeliveredWrongItem = Self(rawValue: "UNDELIVERED_WRONG_ITEM")
  public static let undeliveredServerOutage = Self(rawValue: "UNDELIVERED_SERVER_OUTAGE")
  public static let undeliveredOther = Self(rawValue: "UNDELIVERED_OTHER")

  public static let allCases: [Self] = [
    delivered, undeliveredQualityIssue, undeliveredWrongItem, undeliveredServerOutage,
    undeliveredOther,
  ]
}

/// The outcome of a request for a refund that the server prefers.
///
/// Source: Apple, `refundPreference`.
public struct RefundPreference: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let decline = Self(rawValue: "DECLINE")
  public static let grantFull = Self(rawValue: "GRANT_FULL")
  /// A refund of the part that was not consumed.
  public static let grantProrated = Self(rawValue: "GRANT_PRORATED")

  public static let allCases: [Self] = [decline, grantFull, grantProrated]
}
