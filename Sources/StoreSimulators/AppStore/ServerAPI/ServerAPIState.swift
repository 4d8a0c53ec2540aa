internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// All that the simulator keeps for the server APIs besides the purchases.
struct ServerAPIState: Sendable {
  var settings = AppStoreSimulator.ServerAPISettings()
  var keys: [RegisteredServerAPIKey]
  var faults: [DueServerAPIFault] = []
  var requests: [AppStoreSimulator.ServerAPIRequest] = []
  /// The dates of the requests of the last hour, by endpoint.
  var recentRequests: [String: [Date]] = [:]

  private(set) var notificationCount = 0
  var notifications: [SimulatedNotification] = []
  /// The number of notifications that are still to be lost.
  var lossesDue = 0
  /// The notifications of tests, by token.
  var testNotifications: [String: TestNotificationRun] = [:]

  /// Refunds that customers asked for, by transaction identifier.
  var refundRequests: [Int: SimulatedRefundRequest] = [:]
  /// The consumption information that was sent, by transaction identifier, oldest first.
  var consumption: [Int: [JSONValue]] = [:]
  var massExtensions: [MassExtension] = []
  var messaging = MessagingState()
  var advancedCommerce = AdvancedCommerceState()
  /// The external purchase reports that were accepted, by request identifier in lower case.
  var externalReports: [String: JSONValue] = [:]

  init(keys: [RegisteredServerAPIKey]) {
    self.keys = keys
  }

  /// Keeps a notification, and returns it with its place and its first attempt.
  mutating func keep(
    _ record: SimulatedNotification, after delay: Duration = .zero
  ) -> SimulatedNotification {
    var record = record
    if lossesDue > 0 {
      lossesDue -= 1
      record.isLost = true
    }
    // Without an address Apple sends nothing, and so has no history of it.
    guard settings.hasNotificationURL else { return record }
    if record.isLost {
      record.attempts = [.init(date: record.date, result: .noResponse)]
    } else if settings.sendsByItself {
      let date = record.date.addingTimeInterval(delay.timeInterval)
      record.attempts = [.init(date: date, result: .success)]
    }
    notificationCount += 1
    record.number = notificationCount
    notifications.append(record)
    return record
  }
}
