internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ServerAPIRoute {
  /// The calls about notifications: section 2.3 of the App Store Server API rules.
  static let notificationCalls: [ServerAPIRoute] = [
    ServerAPIRoute(.post, "inApps/v1/notifications/history", limit: 50) {
      try $0.notificationHistory()
    },
    ServerAPIRoute(.post, "inApps/v1/notifications/test", limit: 1) {
      try $0.requestTestNotification()
    },
    ServerAPIRoute(.get, "inApps/v1/notifications/test/{token}", limit: 1) {
      try $0.testNotificationStatus()
    },
  ]
}

extension ServerAPICall {
  /// Answers with a page of the notification history.
  ///
  /// The token of a page holds its place, the body of the request, and when it was made; a page of
  /// another body is refused.
  func notificationHistory() throws -> ServerAPIAnswer {
    let filter = try NotificationFilter(self)
    let scope = JSONValue.object(try body())
    let place = try value("paginationToken").map { try self.place(in: $0, scope: scope) }
    let records = isElsewhere ? [] : appStore.state.withLock { $0.serverAPI.notifications }
    let size = min(max(settings.pageSize, 1), 20)
    // Each has its number, from 1.
    let rest = Array(
      records.dropFirst(place?.last ?? 0).lazy.filter {
        filter.includes($0) && $0.number <= (place?.newest ?? .max)
      }.prefix(size + 1))
    let page = rest.prefix(size)
    var members: [String: JSONValue] = [
      "notificationHistory": .array(try page.map { .object(try self.members(of: $0)) }),
      "hasMore": .boolean(rest.count > size),
    ]
    if rest.count > size, let last = page.last {
      members["paginationToken"] = .string(
        try tokens.seal([
          "scope": scope, "last": .integer(last.number), "made": .milliseconds(now),
          "newest": .integer(place?.newest ?? records.last?.number ?? 0),
        ]))
    }
    return .json(members)
  }

  /// The place of a page: the last notification before it, and the newest one when paging began.
  private struct Place {
    let last: Int
    let newest: Int
  }

  private func place(in token: String, scope: JSONValue) throws(ServerAPIRefusal) -> Place {
    guard let members = tokens.open(token), members["scope"] == scope,
      let last = members["last"]?.whole, let newest = members["newest"]?.whole,
      let made = members["made"]?.moment
    else { throw ServerAPIRefusal(4_000_014) }
    guard now.timeIntervalSince(made) < settings.paginationTokenLifetime.timeInterval else {
      throw ServerAPIRefusal(4_000_017)
    }
    return Place(last: last, newest: newest)
  }
}

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
