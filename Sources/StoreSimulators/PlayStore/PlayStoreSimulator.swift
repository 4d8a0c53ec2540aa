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
/// Google's other methods, such as those for orders.
///
/// Source: Google Play Developer API v3, and "Subscription lifecycle" of Google Play Billing.
public final class PlayStoreSimulator: HTTPTransport {
  /// The app in which the purchases are made.
  public let packageName: String
  /// The other apps of the developer, which have no purchases here.
  public let otherPackageNames: [String]
  /// The products for sale.
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
  ///
  /// - Parameters:
  ///   - packageName: The app.
  ///   - products: The products for sale.
  ///   - change: A closure that changes the options; by default it changes nothing.
  /// - Throws: An error of `change`, or an error of OpenSSL if no key can be made.
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

  /// The date by which signatures count.
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
