public import HTTPMessages
internal import JSONValues
public import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension AppStoreSimulator {
  /// The settings of the server APIs; changes hold from the next request on.
  public var serverAPI: ServerAPISettings {
    get { state.withLock { $0.serverAPI.settings } }
    set { state.withLock { $0.serverAPI.settings = newValue } }
  }

  /// Registers another key of the same issuer, as a rotation of keys needs.
  ///
  /// - Returns: The new key; the others stay valid.
  public func addServerAPIKey() throws -> TestServerAPIKey {
    let key = try TestServerAPIKey(issuerID: serverAPIKey.issuerID)
    let registered = try RegisteredServerAPIKey(key)
    state.withLock { $0.serverAPI.keys.append(registered) }
    return key
  }

  /// Revokes a key: requests with its tokens are refused with 401 from now on.
  public func revokeServerAPIKey(_ keyID: String) {
    state.withLock { $0.serverAPI.keys.removeAll { $0.keyID == keyID } }
  }

  /// A request to the server APIs that arrived, without its token.
  public struct ServerAPIRequest: Hashable, Sendable {
    public let environment: AppStoreEnvironment
    public let method: HTTPRequestMethod
    /// The path with its query, as it was sent.
    public let target: String
    public let body: [UInt8]
    /// The fault that affected the request.
    public let fault: ServerAPIFault?
  }

  /// The requests to the server APIs that arrived, in order.
  public var serverAPIRequests: [ServerAPIRequest] { state.withLock { $0.serverAPI.requests } }
}

extension AppStoreSimulator {
  /// The settings of the simulator's server APIs.
  public struct ServerAPISettings: Hashable, Sendable {
    /// The number of transactions or notifications on a page, from 1 to 20.
    public var pageSize = 20
    /// Whether the app was released; Production refuses the keys of one that never was with 401.
    public var isReleased = true
    /// Whether App Store Connect has an address for notifications; without one nothing is sent or
    /// kept in the history, and a test is refused with 4040007.
    public var hasNotificationURL = true
    /// Whether a notification counts as accepted by the host's server as soon as it is made.
    ///
    /// False if something else sends it and says how that went with
    /// ``AppStoreSimulator/recordAttempt(_:of:)``.
    public var sendsByItself = true
    /// The time until a test notification was sent; before that its status is 4040008.
    public var testNotificationDelay: Duration = .zero
    /// The time after which the pagination token of a notification history expires.
    public var paginationTokenLifetime: Duration = .days(1)
    /// The time that an extension for all subscribers takes; it is carried out by the first request
    /// after that time.
    public var massExtensionDelay: Duration = .zero
    /// Whether requests beyond Apple's limits are refused with 429, counted for each endpoint over an
    /// hour; a tenth of the limits holds in the Sandbox.
    public var limitsRequests = false
    /// The number of requests an hour for each endpoint if ``limitsRequests`` is set; nil for
    /// Apple's numbers.
    public var requestsPerHour: Int?
    /// Whether Apple admitted the app to Retention Messaging; without that its calls answer 404
    /// without a code.
    public var offersRetentionMessaging = true
    /// Whether a performance test of Retention Messaging ends well.
    public var passesPerformanceTests = true
    /// Whether a performance test was passed in the Sandbox, which Production wants to see before it
    /// takes a realtime URL; the Sandbox sets it itself.
    public var hasPassedPerformanceTest = false
    /// Whether Apple admitted the app to Advanced Commerce; without that its calls answer 4010000.
    public var offersAdvancedCommerce = true

    /// Creates the settings of a new simulator.
    public init() {}
  }
}

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
  /// The tokens for external purchases, oldest first.
  var externalTokens: [SimulatedToken] = []

  init(keys: [RegisteredServerAPIKey]) { self.keys = keys }

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
