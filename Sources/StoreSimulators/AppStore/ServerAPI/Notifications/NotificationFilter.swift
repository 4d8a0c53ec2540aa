internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The body of a request for the notification history.
struct NotificationFilter {
  private let start: Date
  private let end: Date
  private let customer: String?
  private let type: String?
  private let subtype: String?
  private let onlyFailures: Bool

  init(_ call: ServerAPICall) throws(ServerAPIRefusal) {
    let body = try call.body()
    guard let start = body["startDate"]?.moment else { throw ServerAPIRefusal(4_000_015) }
    guard let end = body["endDate"]?.moment else { throw ServerAPIRefusal(4_000_016) }
    guard start < end else { throw ServerAPIRefusal(4_000_013) }
    let reach = call.server == .sandbox ? 30.0 : 180
    guard start >= call.now.addingTimeInterval(-reach * 86_400) else {
      throw ServerAPIRefusal(4_000_012)
    }
    self.start = start
    // The future has no notifications yet.
    self.end = min(end, call.now.addingTimeInterval(0.001))
    (type, subtype) = try Self.types(body)
    guard body["transactionId"] == nil || type == nil else { throw ServerAPIRefusal(4_000_019) }
    customer = try Self.customer(body["transactionId"], call)
    guard let onlyFailures = (body["onlyFailures"] ?? .boolean(false)).truth else {
      throw .malformedBody
    }
    self.onlyFailures = onlyFailures
  }

  func includes(_ record: SimulatedNotification) -> Bool {
    guard start <= record.date, record.date < end else { return false }
    if let customer, record.customer != customer { return false }
    if let type, record.type.rawValue != type { return false }
    if let subtype, record.subtype?.rawValue != subtype { return false }
    return !onlyFailures || record.hasFailed
  }

  private static func types(
    _ body: [String: JSONValue]
  ) throws(ServerAPIRefusal) -> (String?, String?) {
    let invalid = ServerAPIRefusal(4_000_018)
    guard let value = body["notificationType"] else {
      if body["notificationSubtype"] != nil { throw invalid }
      return (nil, nil)
    }
    guard let type = value.text,
      NotificationType.allCases.contains(NotificationType(rawValue: type))
    else { throw invalid }
    guard let value = body["notificationSubtype"] else { return (type, nil) }
    guard let subtype = value.text, subtypes[type]?.contains(subtype) == true else {
      throw invalid
    }
    return (type, subtype)
  }

  private static func customer(
    _ value: JSONValue?, _ call: ServerAPICall
  ) throws(ServerAPIRefusal) -> String? {
    guard let value else { return nil }
    guard let text = value.text else { throw .invalidTransactionID }
    let id = try ServerAPICall.number(text, or: .invalidTransactionID)
    guard let customer = call.store.customer(anyID: id) else { throw .unknownTransaction }
    return customer
  }

  /// The subtypes that each type may have.
  ///
  /// Source: Apple, `subtype`.
  private static let subtypes: [String: Set<String>] = [
    "SUBSCRIBED": ["INITIAL_BUY", "RESUBSCRIBE"],
    "DID_CHANGE_RENEWAL_PREF": ["DOWNGRADE", "UPGRADE"],
    "DID_CHANGE_RENEWAL_STATUS": ["AUTO_RENEW_ENABLED", "AUTO_RENEW_DISABLED"],
    "OFFER_REDEEMED": ["INITIAL_BUY", "RESUBSCRIBE", "UPGRADE", "DOWNGRADE"],
    "DID_RENEW": ["BILLING_RECOVERY"],
    "EXPIRED": ["VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE"],
    "DID_FAIL_TO_RENEW": ["GRACE_PERIOD"],
    "PRICE_INCREASE": ["PENDING", "ACCEPTED"],
    "RENEWAL_EXTENSION": ["SUMMARY", "FAILURE"],
    "EXTERNAL_PURCHASE_TOKEN": ["UNREPORTED", "ACTIVE_TOKEN_REMINDER", "CREATED"],
  ]
}
