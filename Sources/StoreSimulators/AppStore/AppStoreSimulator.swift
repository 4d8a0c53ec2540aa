public import HTTPMessages
internal import JSONValues
public import ReceiptModels
public import ReceiptVerifier
internal import StorekeeperCrypto
internal import StorekeeperLocks
public import StorekeeperTesting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An App Store in memory: tests buy, renew and refund by calls, and send it Apple's requests.
///
/// It is an ``/HTTPMessages/HTTPTransport``: pass it to a client instead of the network.
///
/// ```swift
/// let appStore = try AppStoreSimulator(bundleID: "com.example.reader")
/// let client = try VerifyReceiptClient(
///   transport: appStore, bundleIDs: ["com.example.reader"], sharedSecret: appStore.sharedSecret)
///
/// let purchase = try appStore.buy("reader.monthly")
/// appStore.clock.advance(by: .days(31))
/// let receipt = try await client.verify(base64: purchase.receipt)
/// receipt.subscriptions(at: receipt.requestDate).first?.state   // .expired
/// ```
///
/// It answers verifyReceipt at both of Apple's addresses, in the style of iOS 7, and Apple's server
/// APIs at theirs: requests need a token that is really signed with ``serverAPIKey``. Receipts are
/// really signed, by ``authority``, and signed data by ``signedDataAuthority``. Each call returns Apple's notification of the event, a
/// ``TestNotification``: `try appStore.refund(purchase).signedPayload`. Time stands still until the
/// test advances ``clock``, and nothing happens by itself: a subscription renews when the test says
/// so. Calls that make no sense, such as renewing a consumable, throw a ``SimulatorFailure``.
///
/// The ``Options`` of a new simulator are changed where it is made:
/// `try AppStoreSimulator(bundleID: "com.example.reader") { $0.start = Date() }`.
///
/// Source: `Documentation/rules/app-store-rules.md`, sections 5 and 8.
public final class AppStoreSimulator: HTTPTransport {
  /// The app in which the purchases are made.
  public let bundleID: String
  public let environment: AppStoreEnvironment
  /// The secret that requests have to contain; nil accepts any.
  public let sharedSecret: AppSharedSecret?
  public let products: [TestProduct]
  public let appAppleID: Int
  /// The authority that signs the receipts; give its trust anchor to a verifier of receipts.
  public let authority: TestAuthority
  /// The authority that signs notifications of version 2 and the signed data inside; give its trust
  /// anchor to a verifier of signed data.
  public let signedDataAuthority: TestAuthority
  /// The key with which requests to the server APIs are signed; give its parts to a client.
  public let serverAPIKey: TestServerAPIKey
  /// The clock of the simulator and of its delays.
  public let clock: ManualClock

  let state: Locked<State>
  let verifier: AppReceiptVerifier
  private let start: Date
  /// The secret of the simulator's own tokens, such as revisions.
  let tokenSecret: [UInt8]

  struct State {
    var store: SimulatedStore
    var faults: [Fault] = []
    var requests: [Request] = []
    var serverAPI: ServerAPIState
  }

  /// Creates an App Store without purchases.
  ///
  /// The environment, Production or the Sandbox, decides which server accepts the receipts.
  ///
  /// - Throws: ``SimulatorFailure/environmentNotServed(_:)``, an error of `change`, or an error of
  ///   OpenSSL if no certificates can be made.
  public init(
    bundleID: String, environment: AppStoreEnvironment = .production,
    products: [TestProduct] = TestProduct.samples, appAppleID: Int = 1_234_567_890,
    _ change: (inout Options) throws -> Void = { _ in }
  ) throws {
    guard environment == .production || environment == .sandbox else {
      throw SimulatorFailure.environmentNotServed(environment)
    }
    var options = Options()
    try change(&options)
    let authority = try options.authority ?? .forReceipts()
    self.bundleID = bundleID
    self.environment = environment
    self.sharedSecret = options.sharedSecret
    self.products = products
    self.appAppleID = appAppleID
    self.authority = authority
    self.signedDataAuthority = try options.signedDataAuthority ?? .forSignedData()
    let serverAPIKey = try options.serverAPIKey ?? TestServerAPIKey()
    self.serverAPIKey = serverAPIKey
    let (clock, start) = (options.clock, options.start)
    self.clock = clock
    self.start = start
    state = Locked(
      State(
        store: SimulatedStore(
          lastID: options.lastTransactionID ?? Self.lastTransactionID(before: environment)),
        serverAPI: ServerAPIState(keys: [try RegisteredServerAPIKey(serverAPIKey)])))
    tokenSecret = try SecureRandom.bytes(count: 16)
    verifier = try AppReceiptVerifier(
      bundleIDs: nil, environments: [.production, .sandbox], trustAnchors: [authority.trustAnchor],
      now: { Self.date(clock, from: start) })
  }

  /// The simulator's time: its start, plus the time by which the clock was advanced.
  public var now: Date { Self.date(clock, from: start) }

  /// Returns a number in the range that Apple uses for the environment.
  static func lastTransactionID(before environment: AppStoreEnvironment) -> Int {
    environment == .sandbox ? 2_000_000_000_000_000 : 300_000_000_000_000
  }

  /// Converts the clock to a date; only a simulation may do so.
  private static func date(_ clock: ManualClock, from start: Date) -> Date {
    start.addingTimeInterval(clock.now.elapsed.timeInterval)
  }
}

extension AppStoreSimulator {
  /// The options of a new simulator, and of a ``TestDeveloper``.
  ///
  /// Making an authority takes a moment, so tests may share it.
  public struct Options: Sendable {
    /// The secret that requests have to contain; nil accepts any.
    public var sharedSecret: AppSharedSecret? = AppSharedSecret("0123456789abcdef0123456789abcdef")
    /// The authority that signs the receipts; nil for a new one.
    public var authority: TestAuthority?
    /// The authority that signs notifications and transactions; nil for a new one with a root of its
    /// own, as Apple has two.
    public var signedDataAuthority: TestAuthority?
    /// The key for the server APIs; nil for a new one.
    public var serverAPIKey: TestServerAPIKey?
    /// The clock; by default a new one.
    public var clock = ManualClock()
    /// The date at which the clock stands at zero.
    public var start = Date(timeIntervalSince1970: 1_700_000_000)
    /// The number before that of the first transaction; nil for one like Apple's.
    ///
    /// Simulators that share a server need distinct numbers.
    public var lastTransactionID: Int?

    /// Creates the default options.
    public init() {}
  }
}

/// The reason why an ``AppStoreSimulator`` refuses a call; nothing has changed then.
@nonexhaustive
public enum SimulatorFailure: Error, Hashable, Sendable {
  /// Apple sells in Production and in the Sandbox only.
  case environmentNotServed(AppStoreEnvironment)
  /// A developer has at least one app.
  case noApps
  /// The simulator does not sell this product; see ``AppStoreSimulator/products``.
  case unknownProduct(String)
  /// The purchase was made at another simulator.
  case unknownPurchase
  /// The change is only possible for a subscription that renews.
  case notASubscription
  /// The customer has an active subscription of this group, and cannot have a second one.
  case subscriptionRunning
  case otherGroup
  /// A purchase cannot be shared with its buyer.
  case sharedWithBuyer
  /// A consumable is used up by the one who bought it.
  case notShareable
  /// Only a purchase that is shared or assigned is revoked; a paid one is refunded.
  case notShared
  /// Only a consumable is finished; other products stay in the receipt.
  case notAConsumable
  case alreadyRefunded
  /// The change is only possible while the subscription runs.
  case notRunning
  /// The product has no plan with a commitment.
  case noCommitment
  /// The customer may not redeem the offer: an introductory one is for those who had none in the group, a promotional
  /// one for those who have or had a subscription in it, and one to win back for those whose paid subscription has
  /// lapsed.
  case offerNotAvailable
  /// The customer has not asked for a refund of the charge.
  case refundNotRequested
  /// Apple does not extend the subscription: it does not run, is free or shared, or was extended
  /// twice in a year.
  case notExtensible
}
