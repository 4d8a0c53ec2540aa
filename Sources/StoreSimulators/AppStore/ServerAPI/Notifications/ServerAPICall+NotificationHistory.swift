internal import HTTPMessages
internal import JSONValues
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
    let rest = records.filter {
      filter.includes($0) && $0.number > (place?.last ?? 0)
        && $0.number <= (place?.newest ?? .max)
    }
    let size = min(max(settings.pageSize, 1), 20)
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
