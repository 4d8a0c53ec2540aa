import AppStoreServerAPI
import CreditPolicy
import EntitlementPolicy
import Foundation
import GooglePlayVerifier
import HTTPMessages
import InMemoryStorage
import JWSVerifier
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import StoreSimulators
import Storekeeper
import StorekeeperDesk
import StorekeeperHTTP
import StorekeeperTesting
import Testing

/// A host with all services and a desk, to which nora and rita may sign in; only nora may act.
struct DeskScene: Sendable {
  static let bundleID = "com.example.reader"
  static let pack = "com.example.reader.pack"
  static let android = "reader_monthly"
  static let season = "reader.season"
  static let start = Date(timeIntervalSince1970: 1_790_000_000)  // 2026-09-21T14:13:20Z
  static let agentToken = "token-of-nora-0123456789"
  static let readerToken = "token-of-rita-0123456789"
  static let authority = try? TestAuthority.forReceipts()
  static let account = try? TestServiceAccount()

  let store = InMemoryPurchaseStore()
  let accounts = InMemoryAccountDirectory()
  let appStore: AppStoreSimulator
  let play: PlayStoreSimulator
  let verifier: SignedDataVerifier
  let shop: PurchaseContext
  let subscriptions: SubscriptionService
  let credits: CreditService
  let entitlements: EntitlementService
  let notifications: NotificationService
  let playClient: GooglePlayClient
  let refundAnswers: ConsumptionDelivery?
  let desk: DeskAPI

  init(
    environment: AppStoreEnvironment = .production, options: LinkOptions = LinkOptions(),
    countsMoney: Bool = false, isOfApps: Bool = false, _ change: (inout Desk) -> Void = { _ in }
  ) throws {
    let clock = ManualClock()
    let month = TestProduct.Kind.autoRenewable(period: .days(30), group: "20000002")
    let appStore = try AppStoreSimulator(
      bundleID: Self.bundleID, environment: environment,
      products: TestProduct.samples + [
        TestProduct(Self.pack, .consumable), TestProduct("reader.puzzles", month),
        TestProduct(Self.season, .nonRenewing),
      ]
    ) {
      $0.authority = Self.authority
      $0.start = Self.start
      $0.clock = clock
    }
    let play = try PlayStoreSimulator(
      packageName: Self.bundleID,
      products: [
        PlayProduct(
          Self.android,
          .subscription([PlayBasePlan("monthly", period: .days(30), price: PlayPrice(units: 4))]))
      ]
    ) {
      $0.serviceAccount = Self.account
      $0.start = Self.start
      $0.clock = clock
    }
    play.settings.acknowledgementPeriod = .days(1000)
    self.appStore = appStore
    self.play = play
    for id in ["alice", "bob", "carol"] {
      accounts.add(Account(id: AccountID(stored: id)), emailAddress: "\(id)@example.com")
    }
    verifier = try SignedDataVerifier(
      apps: [App(bundleID: Self.bundleID, appAppleID: appStore.appAppleID)],
      environments: [.production, .sandbox],
      trustAnchors: [appStore.authority.trustAnchor, appStore.signedDataAuthority.trustAnchor],
      now: { appStore.now })
    let context = PurchaseContext(
      store: store, accounts: accounts, verifier: verifier, now: { appStore.now }, report: { _ in })
    shop = countsMoney ? context.keepingMoneyFigures() : context
    subscriptions = try SubscriptionService(
      shop,
      products: [
        "reader.monthly": Plan("standard", every: .month),
        "reader.yearly": Plan("standard", every: .year),
        "reader.premium": Plan("premium", every: .year),
        "reader.puzzles": Plan("standard", every: .month),
        Self.android: Plan("standard", every: .month),
      ], options: options)
    credits = try CreditService(
      shop,
      products: try CreditProducts([
        CreditProduct(code: "pack", appStoreProductID: Self.pack, credits: 100)
      ]))
    let list = """
      [{"identifier": "reader.lifetime", "productType": "nonConsumable"},
       {"identifier": "reader.season", "productType": "nonRenewingSubscription"},
       {"identifier": "reader.monthly", "productType": "renewableSubscription"},
       {"identifier": "reader.puzzles", "productType": "renewableSubscription"}]
      """
    let app = EntitledApp(
      bundleID: Self.bundleID, catalog: try ProductCatalog(json: Array(list.utf8)),
      options: try EntitlementOptions(
        grace: .zero, durations: try SubscriptionDurations([Self.season: .days(30)])))
    entitlements = try EntitlementService(
      shop, subscriptions: isOfApps ? nil : subscriptions, apps: { EntitledApps([app]) })
    notifications = try NotificationService(
      shop, subscriptions: subscriptions, credits: credits, entitlements: entitlements)
    let googleAccount = try GoogleServiceAccount(keyFile: play.serviceAccount.keyFile)
    playClient = try GooglePlayClient(
      packageName: Self.bundleID,
      tokens: AccessTokenSource(account: googleAccount, transport: play, now: { play.now }),
      transport: play)
    var desk = Desk(shop)
    if !isOfApps { desk.subscriptions = subscriptions }
    desk.credits = credits
    desk.entitlements = entitlements
    desk.eraser = AccountEraser(shop)
    let key = appStore.serverAPIKey
    var configuration = AppStoreServerClient.Configuration()
    configuration.now = { appStore.now }
    let client = try AppStoreServerClient(
      key: SigningKey(pem: key.pem, keyID: key.keyID), issuerID: key.issuerID,
      bundleID: Self.bundleID, verifier: verifier, transport: appStore,
      configuration: configuration)
    desk.appStores = [client]
    desk.refundAnswers = ConsumptionDelivery(
      appStore: client, play: playClient, store: store, now: { appStore.now }, report: { _ in })
    change(&desk)
    refundAnswers = desk.refundAnswers
    self.desk = DeskAPI(desk, access: try Self.access(now: { appStore.now }))
  }

  static func access(now: @escaping @Sendable () -> Date) throws -> DeskAccess {
    let tokens = BearerTokens([
      .init(name: "nora", digest: try BearerTokens.digest(of: agentToken)),
      .init(name: "rita", digest: try BearerTokens.digest(of: readerToken)),
    ])
    return try DeskAccess(
      tokens: tokens, agents: ["nora"], key: [UInt8](repeating: 7, count: 32), now: now)
  }

  func pass(_ days: Int) { appStore.clock.advance(by: .days(days)) }

  // MARK: What customers do

  func link(_ user: AccountID, to purchase: TestPurchase, force: Bool = false) async throws {
    _ = try await subscriptions.link(
      user, to: try verifier.transaction(try purchase.signedTransactionInfo), force: force)
  }

  /// Buys a subscription as a customer of Apple's, and links it.
  @discardableResult
  func linked(
    _ product: String = "reader.monthly", by customer: String = "c1", to user: AccountID = "alice"
  ) async throws -> TestPurchase {
    let purchase = try appStore.buy(product, by: customer)
    try await tell(purchase.notification)
    try await link(user, to: purchase)
    return purchase
  }

  func tell(_ notification: TestNotification) async throws {
    try await notifications.receive(signedPayload: notification.signedPayload)
  }

  /// Uploads the signed transaction of a purchase for products.
  func upload(_ purchase: TestPurchase, for user: AccountID) async throws {
    _ = try await entitlements.validate(
      UploadedEvidence(signedTransactions: [try purchase.signedTransactionInfo]), for: user,
      in: Self.bundleID)
  }

  // MARK: What support does

  /// The cookie of a member who has signed in.
  func cookie(_ token: String = Self.agentToken) async throws -> String {
    let answer = await post("/desk/sign-in", ["token": token], cookie: nil)
    let field = try #require(answer.headers["Set-Cookie"])
    return String(field.prefix { $0 != ";" })
  }

  func get(_ path: String, cookie: String?) async -> HTTPResponseMessage {
    var request = HTTPRequestMessage(url: path)
    if let cookie { try? request.headers.set(cookie, for: "Cookie") }
    return await desk.respond(to: request)
  }

  func post(
    _ path: String, _ fields: [String: String], cookie: String?
  ) async -> HTTPResponseMessage {
    let allowed = CharacterSet.alphanumerics
    let body = fields.map { field in
      "\(field.key)=\(field.value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
    }.joined(separator: "&")
    var request = HTTPRequestMessage(
      method: .post, url: path,
      headers: [.contentType: "application/x-www-form-urlencoded"], body: Array(body.utf8))
    if let cookie { try? request.headers.set(cookie, for: "Cookie") }
    return await desk.respond(to: request)
  }

  /// Finds something from any page, follows the answer, and returns the page: two clicks.
  func find(_ text: String) async throws -> String {
    let cookie = try await cookie()
    let answer = await post("/desk/find", ["q": text], cookie: cookie)
    guard answer.status == 303, let next = answer.headers[.location] else { return answer.text }
    return await get(next, cookie: cookie).text
  }
}

extension HTTPResponseMessage {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The sentences of the findings on a page.
  var sentences: [String] { text.sentences }
}

extension String {
  /// The sentences of the findings on a page, with the signs that HTML escapes.
  var sentences: [String] {
    matches(of: /<li class="(?:good|bad|notice)"><p>(.*?)<\/p>/).map { String($0.output.1) }
  }

  /// The hidden fields of the form on a page.
  var hiddenFields: [String: String] {
    Dictionary(
      matches(of: /<input name="(\w+)" type="hidden" value="([^"]*)">/).map {
        (String($0.output.1), String($0.output.2))
      }, uniquingKeysWith: { $1 })
  }
}

/// The day of the scene's start and after it, as the pages show moments.
func moment(after days: Int) -> String {
  let date = DeskScene.start + Double(days) * 86_400
  return "\(date.formatted(.iso8601.year().month().day())) 14:13 UTC"
}
