internal import AppStoreServerAPI
internal import CreditPolicy
internal import EntitlementPolicy
internal import OrderPolicy
internal import GooglePlayVerifier
internal import HTTPMessages
internal import JWSVerifier
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier
internal import Storekeeper
internal import StorekeeperLocks
internal import StorekeeperTesting

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A host with memberships, entitlements, orders and credits on one store, at a simulated App Store and a simulated Play store.
struct AgreementHost: Sendable {
  /// The app that both stores sell, about which Apple can be asked.
  static let reader = "com.example.reader"
  /// An app about which nobody can be asked: what Apple signed is all there is.
  static let signed = "com.example.signed"
  /// The products of both apps and stores, with the lengths of their periods in days.
  static let products = [("basic", 30), ("plus", 90), ("pro", 365)]
  /// The pack of credits that both stores sell.
  static let pack: CreditProduct = {
    var pack = CreditProduct(code: "coins", appStoreProductID: "coins", credits: 77)
    pack.googlePlayProductID = "coins"
    return pack
  }()

  let clock = ManualClock()
  /// The outages of the two stores.
  let outages = [Vendor.apple: Outage(), .google: Outage()]
  let appStore: AppStoreSimulator
  let play: PlayStoreSimulator
  let verifier: SignedDataVerifier
  let source: PlayPurchaseSource
  let subscriptions: SubscriptionService
  let entitlements: EntitlementService
  let orders: OrderService
  let credits: CreditService
  let notifications: NotificationService

  private static let keys = Locked<Keys?>(nil)

  /// Keys that take a moment to make.
  private struct Keys: Sendable {
    let authority: TestAuthority
    let signedDataAuthority: TestAuthority
    let account: TestServiceAccount
    let pushKey: TestPushKey

    init() throws {
      authority = try .forReceipts()
      signedDataAuthority = try .forSignedData()
      account = try TestServiceAccount()
      pushKey = try TestPushKey()
    }
  }

  private static func sharedKeys() throws -> Keys {
    if let keys = keys.withLock({ $0 }) { return keys }
    let made = try Keys()
    keys.withLock { $0 = made }
    return made
  }

  /// Creates the host.
  ///
  /// The store may have the purchases of other hosts, which have other numbers of a block.
  init(on store: any PurchaseStore, block: UInt64) async throws {
    let keys = try Self.sharedKeys()
    let clock = clock
    let appStore = try AppStoreSimulator(
      bundleID: Self.reader,
      products: Self.products.map { id, days in
        var product = TestProduct(id, .autoRenewable(period: .days(days), group: "20000001"))
        if id == "pro" { product.commitmentPrice = 60_000 }
        if id == "basic" { product.winBackOffers = ["return"] }
        return product
      } + [TestProduct(Self.pack.code, .consumable)]
    ) {
      $0.authority = keys.authority
      $0.signedDataAuthority = keys.signedDataAuthority
      $0.clock = clock
      $0.lastTransactionID = 2_000_000_000_000_000 + Int(block % 1_000_000) * 1_000_000
    }
    let play = try PlayStoreSimulator(
      packageName: Self.reader,
      products: Self.products.map { id, days in
        PlayProduct(
          id,
          .subscription([
            PlayBasePlan("base", period: .days(days), price: PlayPrice(units: 4)),
            PlayBasePlan("prepaid", .prepaid, period: .days(days), price: PlayPrice(units: 4)),
          ]))
      } + [PlayProduct(Self.pack.code, .oneTime)]
    ) {
      $0.serviceAccount = keys.account
      $0.pushKey = keys.pushKey
      $0.clock = clock
    }
    let now: @Sendable () -> Date = { appStore.now }
    let verifier = try SignedDataVerifier(
      apps: [
        App(bundleID: Self.reader, appAppleID: appStore.appAppleID),
        App(bundleID: Self.signed, appAppleID: 987_654_321),
      ], environments: [.production, .sandbox],
      trustAnchors: [keys.authority.trustAnchor, keys.signedDataAuthority.trustAnchor], now: now)
    let apple = OutageTransport(outage: outages[.apple], base: appStore)
    let google = OutageTransport(outage: outages[.google], base: play)
    let client = try Self.appStoreClient(of: appStore, apple, verifier)
    var configuration = VerifyReceiptClient.Configuration.entitlementService
    configuration.retries.attempts = 1
    configuration.clock = clock
    configuration.now = now
    let receipts = try VerifyReceiptClient(
      transport: apple, bundleIDs: [Self.reader], sharedSecret: appStore.sharedSecret,
      configuration: configuration)
    let playClient = try Self.playClient(of: play, google)
    let accounts = AnybodysAccounts()
    source = PlayPurchaseSource(playClient, store: store, now: now)
    var options = LinkOptions()
    options.allowedEnvironments = [.production]
    let plans = ProductMap(
      Dictionary(
        uniqueKeysWithValues: Self.products.map { id, _ in
          (id, Plan(tier: Tier(rawValue: id), cycle: .month))
        }))
    subscriptions = try SubscriptionService(
      PurchaseContext(
        store: store, accounts: accounts, sources: [client, source], now: now,
        // The histories are full of outages and contradictions.
        report: { _ in }),
      products: plans, appStore: receipts, options: options)
    let catalog = try ProductCatalog(
      json: Array(
        ("["
          + Self.products.map { id, _ in
            #"{"identifier":"\#(id)","productType":"renewableSubscription"},"#
          }.joined() + #"{"identifier":"\#(Self.pack.code)","productType":"consumable"}]"#).utf8))
    let settings = try EntitlementOptions(grace: .zero)
    let apps = EntitledApps([
      EntitledApp(
        bundleID: Self.reader, catalog: catalog, options: settings, googlePlay: playClient),
      EntitledApp(bundleID: Self.signed, catalog: catalog, options: settings),
    ])
    entitlements = try EntitlementService(
      subscriptions.context.with(verifier: verifier), subscriptions: subscriptions,
      appStore: receipts, apps: { apps })
    orders = try OrderService(
      entitlements.context,
      vendors: [
        AppleVendor(receipts: receipts, verifier: verifier, appStores: [client]),
        GoogleVendor(playClient),
      ], entitlements: entitlements)
    // Hosts differ in what a refund of a part takes.
    var creditOptions = CreditOptions()
    creditOptions.partialRefunds = block / 50 % 2 == 0 ? .whole : .share
    credits = try CreditService(
      entitlements.context, products: CreditProducts([Self.pack]), options: creditOptions,
      googlePlay: playClient)
    notifications = try NotificationService(
      entitlements.context, credits: credits, entitlements: entitlements, orders: orders)
    self.appStore = appStore
    self.play = play
    self.verifier = verifier
    try await orders.replaceLevels(
      with: SubscriptionLevels(
        Self.products.map { id, _ in
          SubscriptionLevel(
            name: id, description: id, quota: 1, fee: "1", appleProductID: id,
            googleProductID: id)
        }))
  }

  private static func appStoreClient(
    of appStore: AppStoreSimulator, _ transport: any HTTPTransport, _ verifier: SignedDataVerifier
  ) throws -> AppStoreServerClient {
    let key = appStore.serverAPIKey
    var configuration = AppStoreServerClient.Configuration()
    configuration.attempts = 1
    configuration.limiter = RequestLimiter(isLimiting: false)
    configuration.now = { appStore.now }
    return try AppStoreServerClient(
      key: SigningKey(pem: key.pem, keyID: key.keyID), issuerID: key.issuerID,
      bundleID: appStore.bundleID, verifier: verifier, transport: transport,
      configuration: configuration)
  }

  private static func playClient(
    of play: PlayStoreSimulator, _ transport: any HTTPTransport
  ) throws -> GooglePlayClient {
    var configuration = GooglePlayClient.Configuration()
    configuration.attempts = 1
    configuration.patience = .seconds(600)
    configuration.now = { play.now }
    return try GooglePlayClient(
      packageName: play.packageName,
      tokens: AccessTokenSource(
        account: GoogleServiceAccount(keyFile: play.serviceAccount.keyFile), transport: transport,
        now: { play.now }),
      transport: transport, configuration: configuration)
  }

  var now: Date { appStore.now }

  /// Moves the clock to an hour before a period ends, as Apple charges for the next one at most a day before.
  func approach(_ end: Date?) { pass(end?.addingTimeInterval(-3600)) }

  /// Moves the clock to a second after a moment, unless that is past.
  func pass(_ moment: Date?) {
    guard let moment else { return }
    let wait = moment.timeIntervalSince(now) + 1
    if wait > 0 { clock.advance(by: .milliseconds(Int(wait * 1000))) }
  }
}

// MARK: The three views

/// A product until a second.
struct ShownProduct: Hashable, Sendable, CustomStringConvertible {
  let productID: String
  let end: Int

  /// Creates a product that is shown at a moment; nil if it has ended by then.
  ///
  /// Memberships end at whole seconds, so that all three are compared by these.
  init?(_ productID: String, until end: Date, at now: Date) {
    self.productID = productID
    self.end = Int(end.timeIntervalSince1970.rounded(.down))
    guard Int(now.timeIntervalSince1970.rounded(.down)) < self.end else { return nil }
  }

  var description: String { "\(productID) until \(end)" }
}

/// The product that each service shows to a user, nil for none, and the credits.
struct ShownProducts: Hashable, Sendable, CustomStringConvertible {
  let membership: ShownProduct?
  let entitlement: ShownProduct?
  let order: ShownProduct?
  /// The balance of credits.
  let credits: Int
  /// Whether the state of a purchase could not be learned, as far as entitlements tell.
  let isStale: Bool
  /// The rows behind the membership and the entitlement, for the report of a difference.
  let rows: String

  var isNothing: Bool {
    membership == nil && entitlement == nil && order == nil && credits == 0
  }

  /// Whether all three show a product, or nothing, and the balance is that of some credits.
  func areAll(_ product: ShownProduct?, _ credits: Int) -> Bool {
    membership == product && entitlement == product && order == product && self.credits == credits
  }

  var description: String {
    func text(_ shown: ShownProduct?) -> String { shown?.description ?? "none" }
    return
      "membership \(text(membership)), entitlement \(text(entitlement)), order \(text(order)), \(credits) credits"
      + "\(isStale ? ", stale" : "") (\(rows))"
  }
}

extension AgreementHost {
  var partialRefunds: PartialRefundRule { credits.options.partialRefunds }

  /// Returns the product that each service shows to a user now.
  func shown(to user: AccountID, in bundleID: String) async throws -> ShownProducts {
    let now = now
    var rows: [String] = ["now \(now.timeIntervalSince1970)"]
    var membership: ShownProduct?
    if let held = try await subscriptions.membership(of: user), let id = held.originalTransactionID
    {
      let subscription = try await subscriptions.subscription(id)
      rows.append(
        "subscription \(id): charge \(subscription.lastTransactionID) of \(subscription.productID), "
          + "\(subscription.expiresDate.timeIntervalSince1970)")
      rows += try await charges(of: subscription)
      if case .date(let end) = held.accessEnd, held.grantsAccess(at: now) {
        // What the row says of the last day is part of what is shown.
        let isSameDay = held.expireDate == CalendarDay(end)
        membership = ShownProduct(
          (held.tier?.rawValue ?? "no tier") + (isSameDay ? "" : " with another last day"),
          until: end, at: now)
      }
    }
    var entitlement: ShownProduct?
    let answer = try await entitlements.products(of: user, in: bundleID)
    if let standing = answer.subscription {
      let held = standing.subscription
      rows.append(
        "candidate \(held.originalTransactionID) of \(held.productID), "
          + "\(held.expiresDate.timeIntervalSince1970)"
          + (held.cancellationDate.map { ", cancelled \($0.timeIntervalSince1970)" } ?? ""))
      if answer.isSubscriber {
        entitlement = ShownProduct(held.productID, until: held.expiresDate, at: now)
      }
    }
    var order: ShownProduct?
    if let ordered = try await orders.subscriptionForProfile(of: user) {
      order = ShownProduct(ordered.level.name, until: ordered.expiration, at: now)
    }
    return ShownProducts(
      membership: membership, entitlement: entitlement, order: order,
      credits: try await credits.balance(of: user), isStale: answer.isStale,
      rows: rows.joined(separator: "; "))
  }

  /// The stored charges of a subscription, for the report of a difference.
  private func charges(of subscription: Subscription) async throws -> [String] {
    try await subscriptions.store.read { records in
      try await records.purchases.transactions(
        of: [subscription.originalTransactionID], environment: subscription.environment)
    }.map { charge in
      func text(_ date: Date?) -> String { date.map { "\($0.timeIntervalSince1970)" } ?? "-" }
      return "\(charge.transactionID) \(charge.productID) \(text(charge.purchaseDate)) to "
        + "\(text(charge.expiresDate)) refunded \(text(charge.cancellationDate))"
        + (charge.isUpgraded ? " upgraded" : "")
    }
  }

  // MARK: Evidence

  /// Orders with evidence; a refusal is no error here.
  func order(_ evidence: String, from vendor: Vendor, by user: AccountID) async throws {
    do {
      _ = try await orders.order(
        SubscriptionOrder(userID: user, vendor: vendor, receiptData: evidence))
    } catch is OrderFailure {}
  }

  /// Links the subscription of facts; a refusal is no error here.
  func link(_ facts: PurchaseFacts, to user: AccountID) async throws {
    do {
      _ = try await subscriptions.link(user, to: facts, force: true)
    } catch is SubscriptionFailure {}
  }

  /// Uploads evidence; a refusal is no error here.
  func upload(_ evidence: UploadedEvidence, by user: AccountID, in bundleID: String) async throws {
    do {
      try await entitlements.validate(evidence, for: user, in: bundleID)
    } catch is EntitlementFailure {}
  }

  /// Asks about everything that a user has; a failure is no error here.
  func refresh(_ user: AccountID, in bundleID: String) async throws {
    if let id = try await subscriptions.membership(of: user)?.originalTransactionID {
      do { _ = try await subscriptions.refresh(id) } catch is SubscriptionFailure {}
    }
    do { try await entitlements.restore(user, in: bundleID) } catch is EntitlementFailure {}
  }
}

/// A directory in which every identifier is an account of its own.
private struct AnybodysAccounts: AccountDirectory {
  func account(_ id: AccountID) -> Account? { Account(id: id) }
}

final class Outage: Sendable {
  private let state = Locked(false)

  var isOn: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

/// A transport that connects with nobody during an outage.
private struct OutageTransport: HTTPTransport {
  let outage: Outage?
  let base: any HTTPTransport

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    guard outage?.isOn != true else { throw HTTPTransportFailure(.notConnected) }
    return try await base.send(request)
  }
}
