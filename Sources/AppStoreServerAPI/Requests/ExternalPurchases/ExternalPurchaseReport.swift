public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A report of the external purchases of one token.
///
/// Apple takes the whole report or nothing of it. Reading and writing check no limits;
/// ``validate()`` does. Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseReport: CheckedRequest {
  /// The identifier of the report, which stays the same when it is sent again.
  public var requestIdentifier: UUID = .zero
  public var externalPurchaseID: String = ""
  public var status = ExternalPurchaseReportStatus(rawValue: "")
  /// The line items, exactly if the status is line item; not empty.
  public var lineItems: [ExternalPurchaseLineItem]?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a report without line items.
  public init(
    requestIdentifier: UUID, externalPurchaseID: String, status: ExternalPurchaseReportStatus
  ) {
    self.requestIdentifier = requestIdentifier
    self.externalPurchaseID = externalPurchaseID
    self.status = status
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("requestIdentifier", &requestIdentifier)
    try coder.required("externalPurchaseId", &externalPurchaseID)
    try coder.required("status", &status)
    try coder("lineItems", &lineItems)
  }

  /// Whether the token is one of the sandbox, so that the report belongs there.
  public var isSandbox: Bool { externalPurchaseID.utf8.starts(with: "SANDBOX".utf8) }

  /// Checks the documented limits.
  public func validate() throws(InvalidRequest) {
    try RequestCheck.notEmpty(externalPurchaseID, "externalPurchaseId")
    try RequestCheck.known(status, "status")
    guard status == .lineItem else {
      guard lineItems == nil else {
        throw InvalidRequest("lineItems", .notAllowed(with: "status"))
      }
      return
    }
    guard let lineItems else { throw InvalidRequest("lineItems", .missing) }
    try RequestCheck.notEmpty(lineItems, "lineItems")
    for (index, item) in lineItems.enumerated() { try item.check("lineItems[\(index)].") }
  }
}

/// The content of a report of external purchases.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseReportStatus: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Line items for the token.
  public static let lineItem = Self(rawValue: "LINE_ITEM")
  /// No purchase for the token.
  public static let noLineItem = Self(rawValue: "NO_LINE_ITEM")
  /// The server does not know the token.
  public static let unrecognizedToken = Self(rawValue: "UNRECOGNIZED_TOKEN")
  /// The server received the token before.
  public static let duplicateToken = Self(rawValue: "DUPLICATE_TOKEN")

  public static let allCases: [Self] = [lineItem, noLineItem, unrecognizedToken, duplicateToken]
}

/// The type of an external purchase event.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseEventType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let buy = Self(rawValue: "BUY")
  public static let refund = Self(rawValue: "REFUND")

  public static let allCases: [Self] = [buy, refund]
}

/// The type of an externally bought product.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseProductType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let oneTimeBuy = Self(rawValue: "ONE_TIME_BUY")
  public static let subscription = Self(rawValue: "SUBSCRIPTION")

  public static let allCases: [Self] = [oneTimeBuy, subscription]
}

/// The event of an external subscription.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseSubscriptionEvent: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let subscriptionStart = Self(rawValue: "SUBSCRIPTION_START")
  public static let renewal = Self(rawValue: "RENEWAL")
  public static let subscriptionChange = Self(rawValue: "SUBSCRIPTION_CHANGE")
  public static let subscriptionPayment = Self(rawValue: "SUBSCRIPTION_PAYMENT")

  public static let allCases: [Self] = [
    subscriptionStart, renewal, subscriptionChange, subscriptionPayment,
  ]
}

/// The errors of a report of external purchases, of which nothing was taken.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseReportErrors: FieldModel {
  public var errors: [ExternalPurchaseReportError]?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("errors", &errors)
  }
}

/// An error of a report of external purchases.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseReportError: FieldModel {
  /// The code, a small number that means something else than the codes of the other APIs.
  public var errorCode: Int?
  public var errorMessage: String?
  public var fieldName: String?
  public var lineItemID: String?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("errorCode", &errorCode)
    try coder("errorMessage", &errorMessage)
    try coder("fieldName", &fieldName)
    try coder("lineItemId", &lineItemID)
  }
}

/// The acceptance of a report of external purchases.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseReportResponse: FieldModel {
  /// The identifier of the report, as in the request.
  ///
  /// Text that is not a UUID leaves this nil and is kept in ``additionalMembers``.
  public var requestIdentifier: UUID?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("requestIdentifier", &requestIdentifier)
  }
}
