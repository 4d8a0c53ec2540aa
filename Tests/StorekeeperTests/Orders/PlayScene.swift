import Foundation
import StoreSimulators
import Storekeeper

/// A host that sells two levels in a simulated Play store.
struct PlayScene: Sendable {
  static let packageName = "com.example.snips"
  static let account = try? TestServiceAccount()
  static let pushKey = try? TestPushKey()
  static let email = "push@snips.iam.gserviceaccount.com"
  static let audience = "https://snips.example.com/api/v1/webhook/google"

  let orders: OrderScene
  let play: PlayStoreSimulator
  let client: GooglePlayClient
  let service: OrderService
  let notifications: PlayNotificationService

  init(
    environments: CountedEnvironments = .all, packageName: String = Self.packageName
  ) async throws {
    orders = try await OrderScene()
    var pushes = PlayPushConfiguration()
    pushes.url = Self.audience
    pushes.email = Self.email
    let month = Duration.seconds(30 * 86_400)
    play = try PlayStoreSimulator(
      packageName: Self.packageName,
      products: ["basic_monthly", "pro_monthly", "trial_monthly"].map { id in
        PlayProduct(
          id,
          .subscription([
            PlayBasePlan("monthly", period: month, price: PlayPrice(units: 4))
          ]))
      } + ["gold_theme", "gems_big"].map { PlayProduct($0, .oneTime) }
    ) {
      $0.serviceAccount = Self.account
      $0.pushes = pushes
      $0.pushKey = Self.pushKey
      $0.start = OrderScene.start
    }
    let play = play
    client = try Self.client(of: play, play, packageName: packageName)
    var options = OrderOptions()
    options.environments = environments
    service = try OrderService(
      PurchaseContext(
        store: orders.store, accounts: orders.accounts, now: { play.now },
        report: { [incidents = orders.incidents] in incidents.add($0) }),
      vendors: [GoogleVendor(client)], options: options)
    notifications = try PlayNotificationService(
      service.context, play: client,
      tokens: try PushTokenVerifier(
        configuration: .init(audience: Self.audience, email: Self.email), transport: play,
        now: { play.now }),
      orders: service)
  }

  static func client(
    of play: PlayStoreSimulator, _ transport: any HTTPTransport,
    packageName: String = Self.packageName
  ) throws -> GooglePlayClient {
    var configuration = GooglePlayClient.Configuration()
    configuration.attempts = 1
    configuration.now = { play.now }
    // A test waits for the machine, not for Google.
    configuration.timeout = .seconds(600)
    configuration.patience = .seconds(600)
    let account = try GoogleServiceAccount(keyFile: play.serviceAccount.keyFile)
    return try GooglePlayClient(
      packageName: packageName,
      tokens: AccessTokenSource(account: account, transport: play, now: { play.now }),
      transport: transport, configuration: configuration)
  }

  func order(
    _ purchase: TestPlayPurchase, by userID: AccountID = "u-1"
  ) async throws -> UserSubscription {
    try await service.order(
      SubscriptionOrder(
        userID: userID, vendor: .google, receiptData: purchase.purchaseToken))
  }

  /// The word of Google about a purchase.
  func word(
    about purchase: TestPlayPurchase, for purpose: VendorCheckPurpose = .order
  ) async -> VendorAnswer {
    await GoogleVendor(client).check(purchase.purchaseToken, for: purpose, at: play.now)
  }

  func key(of purchase: TestPlayPurchase) -> PurchaseKey {
    GoogleVendor(client).purchaseKey(of: purchase.purchaseToken) ?? .google("")
  }

  /// Acknowledges what waits for it.
  func acknowledge() async throws -> OutboxDelivery.Report {
    try await OutboxDelivery(
      store: orders.store,
      handler: AcknowledgementDelivery(client, store: orders.store, now: { play.now }),
      now: { play.now }
    ).deliverDue()
  }

  /// Pushes everything that has happened, to a server that answers as the HTTP API does.
  func push() async throws -> [PlayStoreSimulator.PushAttempt] {
    try await play.deliverPushes(by: PushReceiver(notifications: notifications))
  }
}

/// A server that only receives pushes.
struct PushReceiver: HTTPTransport {
  let notifications: PlayNotificationService

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    do {
      try await notifications.receive(
        body: request.body, authorization: request.headers[.authorization])
      return HTTPResponseMessage(status: .noContent)
    } catch is PushTokenFailure {
      return HTTPResponseMessage(status: .unauthorized)
    } catch {
      return HTTPResponseMessage(status: .serviceUnavailable)
    }
  }
}
