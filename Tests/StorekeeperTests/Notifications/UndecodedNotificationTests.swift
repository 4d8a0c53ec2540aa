import Foundation
import StoreSimulators
import StorekeeperHTTP
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("A notification that is authentic, but not as the models have it", .onEveryStore)
struct UndecodedNotificationTests {
  /// The incidents that a service reports.
  private final class Incidents: Sendable {
    private let list = Locked<[String]>([])
    func add(_ incident: ServiceIncident) {
      guard case .notificationNotDecoded(let path) = incident else { return }
      list.withLock { $0.append(path) }
    }
    var paths: [String] { list.withLock { $0 } }
  }

  private static let end = ServiceScene.start + 30 * 86_400

  /// A refund whose nested transaction has a number where Apple documents a text.
  private func refund(
    _ scene: NotificationScene, _ purchase: TestPurchase, uuid: String = "u-1",
    change: (inout [String: JSONValue]) -> Void = { $0["storefrontId"] = .integer(143_441) }
  ) throws -> String {
    var refunded = scene.transaction(purchase, expires: Self.end)
    refunded.revocationDate = scene.scene.now
    guard case .object(var members) = refunded.json else { throw Unexpected() }
    change(&members)
    let nested = try scene.authority.sign(JSONValue.object(members))
    return try scene.signed(.refund, nil, uuid: uuid) { $0.data?.signedTransactionInfo = nested }
  }

  private struct Unexpected: Error {}

  private func kept(_ scene: NotificationScene) async throws -> [KeptNotification] {
    try await scene.scene.store.read { records in
      try await records.notifications.keptNotifications(after: nil, limit: 10)
    }
  }

  @Test("is kept as it came and reported with the field, once")
  func kept() async throws {
    let incidents = Incidents()
    let scene = try await NotificationScene(report: { incidents.add($0) })
    let purchase = try await scene.scene.bought()
    scene.scene.appStore.clock.advance(by: .days(2))
    let token = try refund(scene, purchase)
    try await scene.service.receive(signedPayload: token)
    #expect(incidents.paths == ["data.signedTransactionInfo.storefrontId"])
    let kept = try await kept(scene)
    #expect(kept.map(\.signedPayload) == [token])
    #expect(kept.map(\.key) == ["v2:u-1"])
    #expect(kept.map(\.environment) == [.production])
    #expect(kept.map(\.path) == ["data.signedTransactionInfo.storefrontId"])
    // Nothing is granted or taken by it.
    let id = purchase.originalTransactionID
    #expect(try await scene.scene.service.subscription(id).expiresDate == Self.end)

    // Apple's repetition is signed anew; it is the same notification.
    try await scene.service.receive(signedPayload: try refund(scene, purchase))
    #expect(try await self.kept(scene).map(\.signedPayload) == [token])
  }

  @Test("stays while the models do not decode it either")
  func stillUndecoded() async throws {
    let scene = try await NotificationScene()
    let purchase = try await scene.scene.bought()
    try await scene.service.receive(signedPayload: try refund(scene, purchase))
    let result = try await scene.service.decodeKept()
    #expect([result.applied, result.undecoded, result.refused] == [0, 1, 0] as [Int])
    #expect(try await kept(scene).count == 1)
  }

  /// The models of a later version decode it; here, what was kept is exchanged for what they would read.
  @Test("is applied in its place once it is decoded, and then removed")
  func decoded() async throws {
    let scene = try await NotificationScene()
    let purchase = try await scene.scene.bought()
    let id = purchase.originalTransactionID
    _ = try await scene.scene.service.link("alice", to: id)
    scene.scene.appStore.clock.advance(by: .days(2))
    let readable = try refund(scene, purchase) { $0["storefrontId"] = .string("143441") }
    let now = scene.scene.now
    // A second one came later, and says that the refund was taken back.
    scene.scene.appStore.clock.advance(by: .days(1))
    let reversed = try scene.signed(
      .refundReversed, scene.transaction(purchase, expires: Self.end), uuid: "u-2")
    func keep(_ token: String, _ key: String) async throws {
      let notification = KeptNotification(
        key: key, environment: .production, signedPayload: token, path: "x", receivedDate: now)
      try await scene.scene.store.write { records in
        try await records.notifications.keep(notification)
      }
    }
    try await keep(readable, "v2:u-1")
    let first = try await scene.service.decodeKept(limit: 1)
    #expect([first.applied, first.undecoded, first.refused] == [1, 0, 0] as [Int])
    #expect(
      try await scene.scene.membership(of: "alice")?.expireDate == CalendarDay("2023-11-16"))
    #expect(try await kept(scene).isEmpty)

    try await scene.service.receive(signedPayload: reversed)
    #expect(try await scene.scene.membership(of: "alice")?.expireDate == CalendarDay("2023-12-14"))
    // Late, it loses to what Apple said afterwards.
    let late = try refund(scene, purchase, uuid: "u-3") {
      $0["signedDate"] = .integer(Int((now.timeIntervalSince1970 * 1000).rounded()))
    }
    try await keep(late, "v2:u-3")
    let second = try await scene.service.decodeKept()
    #expect([second.applied, second.undecoded, second.refused] == [1, 0, 0] as [Int])
    #expect(try await scene.scene.membership(of: "alice")?.expireDate == CalendarDay("2023-12-14"))
  }

  @Test("of a product that is not known stays for the next call")
  func unknownProduct() async throws {
    let scene = try await NotificationScene(products: ProductMap([:]))
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    let token = try refund(scene, purchase) { _ in }
    let kept = KeptNotification(
      key: "v2:u-1", environment: .production, signedPayload: token, path: "x",
      receivedDate: scene.scene.now)
    try await scene.scene.store.write { records in try await records.notifications.keep(kept) }
    let result = try await scene.service.decodeKept()
    #expect([result.applied, result.undecoded, result.refused] == [0, 0, 1] as [Int])
    #expect(try await self.kept(scene).count == 1)
  }

  @Test("is kept too where the notification itself does not decode")
  func envelope() async throws {
    let incidents = Incidents()
    let scene = try await NotificationScene(report: { incidents.add($0) })
    let data = JSONValue.object([
      "environment": .string("Production"), "bundleId": .string(ServiceScene.bundleID),
      "appAppleId": .integer(1_234_567_890), "status": .string("active"),
    ])
    let payload = JSONValue.object([
      "notificationType": .string("SUBSCRIBED"), "notificationUUID": .string("U-9"), "data": data,
    ])
    try await scene.service.receive(signedPayload: try scene.authority.sign(payload))
    #expect(incidents.paths == ["data.status"])
    #expect(try await kept(scene).map(\.key) == ["v2:u-9"])
  }

  @Test("is refused where it is another app's, another environment's, or forged inside")
  func foreign() async throws {
    let scene = try await NotificationScene()
    let purchase = try await scene.scene.bought()
    let stranger = try TestAuthority()
    var transaction = scene.transaction(purchase, expires: Self.end)
    transaction.bundleID = "com.example.other"
    guard case .object(var members) = transaction.json else { throw Unexpected() }
    members["storefrontId"] = .integer(1)
    let strange = try scene.authority.sign(JSONValue.object(members))
    let forged = try stranger.sign(JSONValue.object(members))
    members["bundleId"] = .string(ServiceScene.bundleID)
    members["environment"] = .string("Sandbox")
    let sandbox = try scene.authority.sign(JSONValue.object(members))
    for nested in [strange, forged, sandbox] {
      let token = try scene.signed(.refund, nil) { $0.data?.signedTransactionInfo = nested }
      let failure = try await refusal { try await scene.service.receive(signedPayload: token) }
      #expect(failure?.answer.status == 403)
    }
    let otherApp = try refund(scene, purchase)
    let service = try NotificationService(
      scene.scene.service.context.with(
        verifier: try SignedDataVerifier(
          apps: [App(bundleID: "com.example.other", appAppleID: 1_234_567_890)],
          environments: [.production], trustAnchors: [scene.authority.trustAnchor],
          now: { scene.scene.now })), subscriptions: scene.scene.service)
    #expect(
      try await refusal { try await service.receive(signedPayload: otherApp) }
        == .otherApp(.bundleMismatch(found: ServiceScene.bundleID)))
    #expect(try await kept(scene).isEmpty)
  }
}
