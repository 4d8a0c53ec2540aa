public import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import StorekeeperLocks
public import StorekeeperTesting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The server side of Google Play in memory: tests sell, renew and refund by calls, and send it the
/// requests of a server.
///
/// It is an ``/HTTPMessages/HTTPTransport``: pass it to a client instead of the network. It answers at
/// three hosts of Google: access tokens at `oauth2.googleapis.com`, purchases at
/// `androidpublisher.googleapis.com`, and the keys of pushes at `www.googleapis.com`.
///
/// ```swift
/// let playStore = try PlayStoreSimulator(packageName: "com.example.reader")
/// let purchase = try playStore.subscribe("reader_standard")
/// playStore.clock.advance(by: .days(30))
/// try playStore.renew(purchase)
///
/// for notification in playStore.notifications {
///   let push = try playStore.push(notification)   // a POST that is signed as Google signs it
/// }
/// ```
///
/// A request for an access token has to be signed with ``serviceAccount``. Time stands still until the
/// test advances ``clock``. A renewal happens when the test orders it, and until then a subscription stays
/// `ACTIVE` with an expiry in the past, as with Google while it charges. What ends, ends by itself:
/// cancellations, prepaid time, grace periods, account holds, pauses, and purchases that nobody
/// acknowledged within three days. Calls that make no sense throw a ``PlayStoreFailure``.
///
/// The ``Options`` of a new simulator are changed where it is made:
/// `try PlayStoreSimulator(packageName: "com.example.reader") { $0.start = Date() }`.
///
/// Not simulated: taxes, free trials, the price of an upgrade, the shorter periods of license testers, and
/// Google's methods about anything but purchases, orders and external transactions.
///
/// Source: Google Play Developer API v3, and "Subscription lifecycle" of Google Play Billing.
public final class PlayStoreSimulator: HTTPTransport {
  /// The app in which the purchases are made.
  public let packageName: String
  /// The other apps of the developer, which have no purchases here.
  public let otherPackageNames: [String]
  public let products: [PlayProduct]
  /// The account with whose key requests for access tokens are signed.
  public let serviceAccount: TestServiceAccount
  public let clock: ManualClock

  let state: Locked<State>
  private let start: Date
  let delays: any Clock<Duration>
  private let signingDate: (@Sendable () -> Date)?

  struct State {
    var world = PlayWorld()
    var settings = Settings()
    var access: PlayAccess
    var pushes: PlayPushConfiguration
    var pushKeys: PlayPushKeys
    var faults: [DuePlayFault] = []
    var requests: [Request] = []
    var quotas = PlayQuotas()
  }

  /// Creates a Play store without purchases.
  public init(
    packageName: String, products: [PlayProduct] = PlayProduct.samples,
    _ change: (inout Options) throws -> Void = { _ in }
  ) throws {
    var options = Options()
    try change(&options)
    self.packageName = packageName
    self.otherPackageNames = options.otherPackageNames
    self.products = products
    let serviceAccount = try options.serviceAccount ?? TestServiceAccount()
    self.serviceAccount = serviceAccount
    self.clock = options.clock
    self.start = options.start
    self.delays = options.delays ?? options.clock
    self.signingDate = options.signingDate
    state = Locked(
      State(
        access: PlayAccess(serviceAccount), pushes: options.pushes,
        pushKeys: PlayPushKeys(try options.pushKey ?? TestPushKey())))
  }

  /// The simulator's time: its start, plus the time by which the clock was advanced.
  public var now: Date {
    // Only a simulation may convert a clock to a date.
    start.addingTimeInterval(clock.now.elapsed.timeInterval)
  }

  var signatureNow: Date { signingDate?() ?? now }

  /// The settings; changes hold from the next call or request on.
  public var settings: Settings {
    get { state.withLock { $0.settings } }
    set { state.withLock { $0.settings = newValue } }
  }

  /// The address and the identities of pushes; changes hold from the next push on.
  public var pushes: PlayPushConfiguration {
    get { state.withLock { $0.pushes } }
    set { state.withLock { $0.pushes = newValue } }
  }

  /// The address that requests for access tokens may name as their audience, besides Google's own.
  ///
  /// A simulator that serves a port sets its own; at first it is that of ``serviceAccount``.
  public var tokenURI: String {
    get { state.withLock { $0.access.tokenURI } }
    set { state.withLock { $0.access.tokenURI = newValue } }
  }
}

extension PlayStoreSimulator {
  /// The options of a new simulator.
  ///
  /// Making a key takes a moment, so tests may share accounts and keys.
  public struct Options: Sendable {
    /// The other apps of the developer, which have no purchases.
    public var otherPackageNames: [String] = []
    /// The account that may ask; nil for a new one.
    public var serviceAccount: TestServiceAccount?
    /// The address and the identities of pushes.
    public var pushes = PlayPushConfiguration()
    /// The key that signs pushes at first; nil for a new one.
    public var pushKey: TestPushKey?
    /// The clock; by default a new one.
    public var clock = ManualClock()
    /// The date at which the clock stands at zero.
    public var start = Date(timeIntervalSince1970: 1_700_000_000)
    /// The clock of slow answers; nil for ``clock``.
    public var delays: (any Clock<Duration>)?
    /// Returns the date by which signatures of both sides count: those of requests for access tokens,
    /// and those of pushes; nil for the simulator's date.
    ///
    /// A program that tries a server on real time passes the machine's.
    public var signingDate: (@Sendable () -> Date)?

    /// Creates the default options.
    public init() {}
  }
}

extension PlayStoreSimulator {
  /// The settings of a simulated Play store.
  public struct Settings: Hashable, Sendable {
    /// The time for acknowledging a purchase; a prepaid plan of less than a week has half of its period.
    public var acknowledgementPeriod: Duration = .days(3)
    /// The time that a license tester's purchase has for that.
    public var testAcknowledgementPeriod: Duration = .seconds(3 * 60)
    /// The time after its end for which a subscription can be asked for; after it the answer is 410.
    public var availability: Duration = .days(60)
    /// The time for which a replaced purchase still looks as it did before, beside the one in its place; none by
    /// default.
    public var replacementLag: Duration = .zero
    /// The number of decimals in the seconds of times, from 0 to 9.
    public var fractionDigits = 3
    /// Whether the time of a notification is a number, rather than a text with one.
    public var writesEventTimeAsNumber = false
    /// The status of an answer without a body: Google answers 204 or 200.
    public var emptyAnswer: EmptyAnswer = .noContent
    /// Whether requests beyond Google's quotas are refused.
    public var limitsRequests = false
    /// The number of requests a minute for each kind of purchase.
    public var requestsPerMinute = 3000
    /// The number of requests for voided purchases in half a minute.
    public var voidedRequestsPerHalfMinute = 30
    /// The number of requests for voided purchases a day.
    public var voidedRequestsPerDay = 6000

    /// Creates the settings of a new simulator.
    public init() {}

    /// A status of an answer without a body.
    public enum EmptyAnswer: Hashable, Sendable {
      case noContent
      case emptyObject
    }
  }
}

/// A call of a ``PlayStoreSimulator`` that makes no sense.
@nonexhaustive
public enum PlayStoreFailure: Error, Hashable, Sendable {
  case unknownProduct(String)
  case unknownBasePlan(String)
  /// The product is of the other kind: a subscription, or a one-time product.
  case otherKind
  case unknownPurchase
  /// No order of the purchase has this number.
  case unknownOrder
  /// The customer owns a subscription to the product already.
  case alreadyOwned
  /// The state of the purchase does not permit the call, such as a renewal after its end.
  case wrongState
  /// The purchase has to be acknowledged first, as Google demands before a change of plan.
  case notAcknowledged
  /// The plan does not renew by itself, or is not prepaid.
  case otherPlan
  /// The number of items is not from 1 to the number that can be refunded.
  case quantity
  case alreadyRefunded
}
