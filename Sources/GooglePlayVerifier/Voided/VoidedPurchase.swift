public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A page of voided purchases.
///
/// Source: Google Play Developer API, `VoidedPurchasesListResponse`.
public struct VoidedPurchasesPage: GoogleModel, PlayPage {
  public let json: JSONValue
  public let voidedPurchases: [VoidedPurchase]
  /// The token of the next page; nil on the last one.
  public let nextPageToken: String?
  /// The token of the page before; nil on the first one.
  public let previousPageToken: String?
  /// The place and the size of the page, if Google tells them.
  public let pageInfo: PageInfo?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    voidedPurchases = try members.models("voidedPurchases")
    let pagination: TokenPagination? = try members.model("tokenPagination")
    nextPageToken = pagination?.nextPageToken
    previousPageToken = pagination?.previousPageToken
    pageInfo = try members.model("pageInfo")
    self.json = json
  }
}

/// The place of a page.
private struct TokenPagination: GoogleModel {
  let json: JSONValue
  let nextPageToken: String?
  let previousPageToken: String?

  init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    nextPageToken = try members.nonEmptyText("nextPageToken")
    previousPageToken = try members.nonEmptyText("previousPageToken")
    self.json = json
  }
}

/// The place and the size of a page.
///
/// Source: Google Play Developer API, `PageInfo`.
public struct PageInfo: GoogleModel {
  public let json: JSONValue
  public let totalResults: Int?
  public let resultPerPage: Int?
  /// The place of the first result, from 0 on.
  public let startIndex: Int?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    totalResults = try members.int64("totalResults")
    resultPerPage = try members.int64("resultPerPage")
    startIndex = try members.int64("startIndex")
    self.json = json
  }
}

/// A purchase that was refunded, charged back or canceled.
///
/// Source: Google Play Developer API, `VoidedPurchase`.
public struct VoidedPurchase: GoogleModel {
  public let json: JSONValue
  /// Google's name of the type, `androidpublisher#voidedPurchase`.
  public let kind: String?
  /// The purchase token, which renewals of a subscription share.
  public let purchaseToken: String
  /// The ID of the order, which tells renewals apart.
  public let orderID: String?
  public let purchaseTime: Date?
  /// The time at which the purchase was voided.
  public let voidedTime: Date?
  /// The party that voided the purchase.
  public let voidedSource: VoidedSource?
  public let voidedReason: VoidedReason?
  /// The number of pieces that were voided, if that is not the whole purchase.
  public let voidedQuantity: Int?

  /// Creates the value from its JSON form.
  ///
  /// - Throws: `FieldTypeFailure`; only the purchase token is required.
  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    kind = try members.text("kind")
    purchaseToken = try members.requiredText("purchaseToken")
    orderID = try members.text("orderId")
    purchaseTime = try members.milliseconds("purchaseTimeMillis")
    voidedTime = try members.milliseconds("voidedTimeMillis")
    voidedSource = try members.value("voidedSource")
    voidedReason = try members.value("voidedReason")
    voidedQuantity = try members.int64("voidedQuantity")
    self.json = json
  }
}

/// The party that voided a purchase.
public struct VoidedSource: IntegerVocabulary {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let user = Self(rawValue: 0)
  public static let developer = Self(rawValue: 1)
  public static let google = Self(rawValue: 2)

  public static let allCases: [Self] = [user, developer, google]
}

/// The reason why a purchase was voided.
public struct VoidedReason: IntegerVocabulary {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Another reason.
  public static let other = Self(rawValue: 0)
  /// The user changed their mind.
  public static let remorse = Self(rawValue: 1)
  /// The user did not receive the product.
  public static let notReceived = Self(rawValue: 2)
  /// The product does not work.
  public static let defective = Self(rawValue: 3)
  /// The user bought it by accident.
  public static let accidentalPurchase = Self(rawValue: 4)
  public static let fraud = Self(rawValue: 5)
  /// Fraud by someone whom the user knows.
  public static let friendlyFraud = Self(rawValue: 6)
  /// The user's bank took the money back.
  public static let chargeback = Self(rawValue: 7)
  /// Nobody acknowledged the purchase.
  public static let unacknowledgedPurchase = Self(rawValue: 8)

  public static let allCases: [Self] = [
    other, remorse, notReceived, defective, accidentalPurchase, fraud, friendlyFraud, chargeback,
    unacknowledgedPurchase,
  ]
}
