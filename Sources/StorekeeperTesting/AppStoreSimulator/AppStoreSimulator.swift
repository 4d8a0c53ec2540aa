public import HTTPMessages
internal import StorekeeperLocks
public import ReceiptModels
public import ReceiptVerifier

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The App Store in memory: a test buys, renews and refunds by calls, and asks it like Apple.
///
/// It is an ``/HTTPMessages/HTTPTransport``: hand it to a client in the place of the network.
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
/// It answers verifyReceipt at both of Apple's addresses, in the style of iOS 7. Receipts are really
/// signed, by ``authority``. What Apple would tell the app's server comes with each call, as a
/// ``TestNotification``: `try appStore.refund(purchase).signedPayload`. Time stands still until the test moves ``clock``, and nothing happens
/// by itself: a subscription renews when the test says so. Calls that make no sense, such as
/// renewing a consumable, throw a ``SimulatorFailure``.
///
/// Source: contract on signed data, sections 5 and 8.1.
public final class AppStoreSimulator: HTTPTransport {
  /// The app that the purchases are made in.
  public let bundleID: String
  /// Where all purchases are made.
  public let environment: AppStoreEnvironment
  /// The secret that requests have to name; nil accepts any.
  public let sharedSecret: AppSharedSecret?
  /// What can be bought.
  public let products: [TestProduct]
  /// Apple's number of the app.
  public let appAppleID: Int
  /// What signs the receipts; give its trust anchor to a verifier.
  public let authority: TestAuthority
  /// What signs the notifications of version 2, and all that is inside of them.
  public let signedDataAuthority: TestAuthority
  /// What moves the simulator's time, and the waiting of delays.
  public let clock: ManualClock

  let state: Locked<State>
  let verifier: AppReceiptVerifier
  private let start: Date

  struct State {
    var store: SimulatedStore
    var faults: [Fault] = []
    var requests: [Request] = []
  }

  /// An App Store without purchases.
  ///
  /// - Parameters:
  ///   - bundleID: The app.
  ///   - environment: Production or the Sandbox; decides which server accepts the receipts.
  ///   - sharedSecret: The secret that requests have to name; nil accepts any.
  ///   - products: What can be bought.
  ///   - appAppleID: Apple's number of the app.
  ///   - authority: What signs the receipts; by default a new one. Making one takes a moment, so
  ///     tests may share it.
  ///   - signedDataAuthority: What signs notifications; by default a new one below the root of the
  ///     other, so that one trust anchor serves for both.
  ///   - clock: What moves the time.
  ///   - start: The time of day when the clock stands at zero.
  ///   - lastTransactionID: The number before that of the first transaction; nil for one like
  ///     Apple's. Simulators that share a server need numbers of their own.
  /// - Throws: ``SimulatorFailure/environmentNotServed(_:)``, or when OpenSSL refuses to make
  ///   certificates.
  public init(
    bundleID: String,
    environment: AppStoreEnvironment = .production,
    sharedSecret: AppSharedSecret? = AppSharedSecret("0123456789abcdef0123456789abcdef"),
    products: [TestProduct] = TestProduct.samples,
    appAppleID: Int = 1_234_567_890,
    authority: TestAuthority? = nil,
    signedDataAuthority: TestAuthority? = nil,
    clock: ManualClock = ManualClock(),
    start: Date = Date(timeIntervalSince1970: 1_700_000_000),
    lastTransactionID: Int? = nil
  ) throws {
    guard environment == .production || environment == .sandbox else {
      throw SimulatorFailure.environmentNotServed(environment)
    }
    let authority = try authority ?? .forReceipts()
    self.bundleID = bundleID
    self.environment = environment
    self.sharedSecret = sharedSecret
    self.products = products
    self.appAppleID = appAppleID
    self.authority = authority
    self.signedDataAuthority = try signedDataAuthority ?? authority.forSignedData()
    self.clock = clock
    self.start = start
    state = Locked(
      State(
        store: SimulatedStore(
          lastID: lastTransactionID ?? Self.lastTransactionID(before: environment))))
    verifier = try AppReceiptVerifier(
      bundleIDs: nil, environments: [.production, .sandbox], trustAnchors: [authority.trustAnchor],
      now: { Self.date(clock, from: start) })
  }

  /// The simulator's time: where it started, and how far the clock was moved since.
  public var now: Date { Self.date(clock, from: start) }

  /// Apple's numbers tell the environments apart.
  private static func lastTransactionID(before environment: AppStoreEnvironment) -> Int {
    environment == .sandbox ? 2_000_000_000_000_000 : 300_000_000_000_000
  }

  /// In a simulation the clock is the time of day; elsewhere the two are never mixed.
  private static func date(_ clock: ManualClock, from start: Date) -> Date {
    start.addingTimeInterval(clock.now.elapsed.timeInterval)
  }
}
