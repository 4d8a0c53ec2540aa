import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting

/// A host with two apps at Apple and one at Google, each of which a test may make fail.
struct OutageScene: Sendable {
  static let account = try? TestServiceAccount()
  static let packageName = "com.example.draw.android"

  let draw: DrawScene
  let play: PlayStoreSimulator
  let drawAPI: ServerAPI
  let paintAPI: ServerAPI
  let service: EntitlementService
  let notifications: NotificationService
  let incidents = Incidents()

  /// Creates a host; the app that is named first is asked first.
  init(
    firstApp: String = DrawScene.draw, _ change: (inout DrawScene.Setup) -> Void = { _ in }
  ) async throws {
    let draw = try await DrawScene(change)
    play = try PlayStoreSimulator(
      packageName: Self.packageName,
      products: [
        PlayProduct(
          DrawScene.id("full.monthly"),
          .subscription([
            PlayBasePlan("monthly", period: .days(30), price: PlayPrice(units: 4))
          ]))
      ]
    ) {
      $0.serviceAccount = Self.account
      $0.clock = draw.appStore.clock
      $0.start = ServiceScene.start
    }
    drawAPI = ServerAPI(draw.appStore)
    paintAPI = ServerAPI(draw.paintStore)
    let clients = [
      try ServerScene.client(of: draw.appStore, drawAPI, draw.verifier),
      try ServerScene.client(of: draw.paintStore, paintAPI, draw.verifier),
    ]
    let google = try PlayScene.client(of: play, play, packageName: Self.packageName)
    let apps = EntitledApps(
      [DrawScene.draw, DrawScene.paint].compactMap { bundleID in
        draw.service.apps[bundleID].map { app in
          EntitledApp(
            bundleID: app.bundleID, catalog: app.catalog, options: app.options,
            googlePlay: app.bundleID == DrawScene.draw ? google : nil)
        }
      })
    let isDrawFirst = firstApp == DrawScene.draw
    service = try EntitlementService(
      PurchaseContext(
        store: draw.store, accounts: UnlistedAccounts(), verifier: draw.verifier,
        sources: isDrawFirst ? clients : clients.reversed(), now: { draw.appStore.now },
        report: { [incidents] in incidents.add($0) }), chance: { 0.5 }, apps: { apps })
    notifications = try NotificationService(
      service.context.with(verifier: draw.verifier), entitlements: service)
    self.draw = draw
  }

  var now: Date { draw.appStore.now }

  func pass(_ days: Int) { draw.appStore.clock.advance(by: .days(days)) }

  /// Buys a product at Apple, and sends what the device signed for it.
  @discardableResult
  func buy(_ name: String, by user: AccountID = "u-1") async throws -> TestPurchase {
    let purchase = try draw.appStore.buy(DrawScene.id(name), by: user.rawValue)
    try await service.validate(
      UploadedEvidence(signedTransactions: [try purchase.signedTransactionInfo]), for: user,
      in: DrawScene.draw)
    return purchase
  }

  /// Buys the subscription for several apps in the bundled one.
  @discardableResult
  func buyPaint(by user: AccountID = "u-1") async throws -> TestPurchase {
    let purchase = try draw.paintStore.buy(DrawScene.multiApp, by: user.rawValue)
    try await service.validate(
      UploadedEvidence(signedTransactions: [try purchase.signedTransactionInfo]), for: user,
      in: DrawScene.paint)
    return purchase
  }

  /// Subscribes at Google, and sends the token.
  @discardableResult
  func subscribeAtGoogle(by user: AccountID = "u-1") async throws -> TestPlayPurchase {
    let purchase = try play.acknowledge(play.subscribe(DrawScene.id("full.monthly")))
    try await service.validate(
      UploadedEvidence(purchaseTokens: [purchase.purchaseToken]), for: user, in: DrawScene.draw)
    return purchase
  }

  func products(
    of user: AccountID = "u-1", in bundleID: String = DrawScene.draw
  ) async throws -> Entitlements {
    try await service.products(of: user, in: bundleID)
  }
}

/// The App Store Server API of a simulated App Store, which answers with a status while it fails.
final class ServerAPI: HTTPTransport {
  private let appStore: AppStoreSimulator
  private let failure = Locked<HTTPStatusCode?>(nil)
  let count = Locked(0)
  /// Things that happen once, while the next question is under way.
  let meanwhile = Locked<(@Sendable () async throws -> Void)?>(nil)

  init(_ appStore: AppStoreSimulator) { self.appStore = appStore }

  func fail(_ status: HTTPStatusCode?) { failure.withLock { $0 = status } }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    count.withLock { $0 += 1 }
    let happens = meanwhile.withLock { next in
      defer { next = nil }
      return next
    }
    try await happens?()
    if let status = failure.withLock({ $0 }) { return HTTPResponseMessage(status: status) }
    return try await appStore.send(request)
  }
}
