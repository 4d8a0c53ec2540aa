import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Events of notifications of which a host hears", .onEveryStore)
struct HostEventTests {
  private func scene() async throws -> (NotificationScene, NotificationService) {
    let scene = try await NotificationScene()
    var service = scene.service
    service.events = NotificationService.hostEvents
    return (scene, service)
  }

  private func messages(_ scene: NotificationScene) async throws -> [OutboxMessage] {
    let now = scene.scene.now
    return try await scene.scene.store.write { records in
      try await records.outbox.lease(
        limit: 100, except: [], now: now, until: now.addingTimeInterval(60), token: "test"
      ).map(\.message)
    }
  }

  private func received(
    _ type: NotificationType, _ subtype: NotificationSubtype? = nil, times: Int = 2,
    renewalDate: Date? = nil
  ) async throws -> [OutboxMessage] {
    let (scene, service) = try await scene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    var renewal = scene.renewal(purchase, willRenew: true)
    renewal.renewalDate = renewalDate
    let token = try scene.signed(
      type, scene.transaction(purchase, expires: ServiceScene.start.addingTimeInterval(86_400)),
      renewal
    ) { $0.subtype = subtype }
    for _ in 0..<times { try await service.receive(signedPayload: token) }
    let found = try await messages(scene)
    #expect(found.allSatisfy { $0.originalTransactionID == purchase.originalTransactionID })
    return found
  }

  @Test("a question about a higher price is told once, until the renewal")
  func priceIncrease() async throws {
    let renewal = ServiceScene.start.addingTimeInterval(20 * 86_400)
    let asked = try await received(.priceIncrease, .pending, renewalDate: renewal)
    #expect(asked.map(\.kind) == [.priceIncrease])
    #expect(asked.first?.deadline == renewal)
    #expect(asked.first?.reference == "v2:002e14d5-51f5-4503-b5a8-c3a1af68eb20")
    // Without a date of the renewal, the end of what is paid.
    let undated = try await received(.priceIncrease, .pending)
    #expect(undated.map(\.deadline) == [ServiceScene.start.addingTimeInterval(86_400)])
    let agreed = try await received(.priceIncrease, .accepted, renewalDate: renewal)
    #expect(agreed.map(\.kind) == [.priceIncrease])
    #expect(agreed.first?.deadline == nil)
  }

  @Test("a redeemed offer is told once")
  func offer() async throws {
    #expect(try await received(.offerRedeemed, .upgrade).map(\.kind) == [.offerRedeemed])
  }

  @Test("offers by which a lapsed customer may come back are told of once")
  func winBack() async throws {
    let (scene, service) = try await scene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    for (type, offers) in [
      (NotificationType.didRenew, nil), (.expired, []), (.expired, ["half-price"]),
    ] as [(NotificationType, [String]?)] {
      var renewal = scene.renewal(purchase, willRenew: false)
      renewal.eligibleWinBackOfferIDs = offers
      let token = try scene.signed(
        type, scene.transaction(purchase, expires: ServiceScene.start.addingTimeInterval(86_400)),
        renewal
      ) { $0.notificationUUID = UUID().uuidString }
      for _ in 0..<2 { try await service.receive(signedPayload: token) }
      let expected: [OutboxMessage.Kind] = offers?.isEmpty == false ? [.winBackEligible] : []
      #expect(try await messages(scene).map(\.kind) == expected)
    }
  }

  @Test("a renewal is no event, and without the setting nothing is")
  func silence() async throws {
    #expect(try await received(.didRenew).isEmpty)
    let scene = try await NotificationScene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    let token = try scene.signed(
      .offerRedeemed, scene.transaction(purchase, expires: scene.scene.now.addingTimeInterval(60)))
    try await scene.service.receive(signedPayload: token)
    #expect(try await messages(scene).isEmpty)
  }

  @Test("an event about an unknown product is told when its notification is taken at last")
  func unknownProduct() async throws {
    let (scene, service) = try await scene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    var transaction = scene.transaction(
      purchase, expires: scene.scene.now.addingTimeInterval(86_400))
    transaction.productID = "unknown"
    let token = try scene.signed(.offerRedeemed, transaction)
    await #expect(throws: NotificationFailure.self) {
      try await service.receive(signedPayload: token)
    }
    #expect(try await messages(scene).isEmpty)
  }

  @Test("withdrawn consent names the app transaction")
  func consent() async throws {
    let (scene, service) = try await scene()
    var app = AppTransaction()
    app.bundleID = ServiceScene.bundleID
    app.appAppleID = 1_234_567_890
    app.receiptType = .production
    app.appTransactionID = "704289572311513293"
    app.receiptCreationDate = scene.scene.now
    var data = NotificationAppData()
    data.environment = .production
    data.bundleID = ServiceScene.bundleID
    data.appAppleID = 1_234_567_890
    data.signedAppTransactionInfo = try scene.authority.sign(app)
    let token = try scene.signed(.rescindConsent, nil) {
      $0.data = nil
      $0.appData = data
    }
    for _ in 0..<2 { try await service.receive(signedPayload: token) }
    let found = try await messages(scene)
    #expect(found.map(\.kind) == [.consentRescinded])
    #expect(found.map(\.originalTransactionID) == ["704289572311513293"])
  }
}
