internal import ReceiptModels

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
