public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A page of voided purchases.
///
/// Source: Google Play Developer API, `VoidedPurchasesListResponse`.
public struct VoidedPurchasesPage: GoogleModel {
  /// The answer as it came.
  public let json: JSONValue
  public let voidedPurchases: [VoidedPurchase]
  /// The token of the next page; nil on the last one.
  public let nextPageToken: String?

  /// Creates the value from its JSON form.
  ///
  /// - Throws: `FieldTypeFailure`.
  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    voidedPurchases = try members.models("voidedPurchases")
    let pagination: TokenPagination? = try members.model("tokenPagination")
    nextPageToken = pagination?.nextPageToken.flatMap { $0.isEmpty ? nil : $0 }
    self.json = json
  }
}

/// The place of a page.
private struct TokenPagination: GoogleModel {
  let json: JSONValue
  let nextPageToken: String?

  init(json: JSONValue) throws(FieldTypeFailure) {
    nextPageToken = try MemberReader(json).text("nextPageToken")
    self.json = json
  }
}

/// A purchase that was refunded, charged back or canceled.
///
/// Source: Google Play Developer API, `VoidedPurchase`.
public struct VoidedPurchase: GoogleModel {
  /// The purchase as it came.
  public let json: JSONValue
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
public struct VoidedSource: RawRepresentable, Hashable, Sendable {
  /// Google's number.
  public var rawValue: Int

  /// Creates a value, also one that this version does not know.
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let user = VoidedSource(rawValue: 0)
  public static let developer = VoidedSource(rawValue: 1)
  public static let google = VoidedSource(rawValue: 2)
}

/// The reason why a purchase was voided.
public struct VoidedReason: RawRepresentable, Hashable, Sendable {
  /// Google's number.
  public var rawValue: Int

  /// Creates a value, also one that this version does not know.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Another reason.
  public static let other = VoidedReason(rawValue: 0)
  /// The user changed their mind.
  public static let remorse = VoidedReason(rawValue: 1)
  /// The user did not receive the product.
  public static let notReceived = VoidedReason(rawValue: 2)
  /// The product does not work.
  public static let defective = VoidedReason(rawValue: 3)
  /// The user bought it by accident.
  public static let accidentalPurchase = VoidedReason(rawValue: 4)
  public static let fraud = VoidedReason(rawValue: 5)
  /// Fraud by someone whom the user knows.
  public static let friendlyFraud = VoidedReason(rawValue: 6)
  /// The user's bank took the money back.
  public static let chargeback = VoidedReason(rawValue: 7)
  /// Nobody acknowledged the purchase.
  public static let unacknowledgedPurchase = VoidedReason(rawValue: 8)
}
