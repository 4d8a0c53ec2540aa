import Foundation
import StoreSimulators
import StorekeeperHTTP
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Notifications where a revocation checker is configured")
struct NotificationRevocationTests {
  private let scene: NotificationScene
  private let responder: TestRevocationResponder

  init() async throws {
    let authority = try TestAuthority {
      $0.leaf.revocationResponder = "http://ocsp.example/leaf"
      $0.intermediate.revocationResponder = "http://ocsp.example/intermediate"
    }
    let responder = try authority.revocationResponder(now: { ServiceScene.start })
    scene = try await NotificationScene(
      authority: authority,
      revocationChecker: RevocationChecker(
        transport: responder, clock: ManualClock(), now: { ServiceScene.start }))
    self.responder = responder
  }

  private func token(_ change: (inout Transaction) -> Void = { _ in }) throws -> String {
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly, by: UUID().uuidString)
    var transaction = scene.transaction(purchase, expires: ServiceScene.start + 30 * 86_400)
    change(&transaction)
    return try scene.signed(.subscribed, transaction, scene.renewal(purchase, willRenew: true))
  }

  private func status() async throws -> Int? {
    let token = try token()
    return try await refusal { try await scene.service.receive(signedPayload: token) }?
      .answer.status
  }

  @Test("are taken when all is good")
  func good() async throws {
    #expect(try await status() == nil)
    #expect(responder.requests.count == 2)
  }

  @Test(
    "are refused when a certificate was revoked", arguments: TestRevocationResponder.Role.allCases)
  func revoked(role: TestRevocationResponder.Role) async throws {
    responder.setReply(.revoked, about: role)
    let token = try token()
    let failure = try await refusal { try await scene.service.receive(signedPayload: token) }
    #expect(
      failure == .notAuthentic(.certificateRevoked(role == .leaf ? 0 : 1)))
    #expect(failure?.answer.status == 403)
    let seen = try await scene.scene.store.read { records in
      try await records.notifications.isSeen(
        notificationKey: "v2:002e14d5-51f5-4503-b5a8-c3a1af68eb20")
    }
    #expect(!seen)
  }

  @Test("are to come again when Apple could not be asked")
  func unknown() async throws {
    responder.setReply(.httpStatus(500), about: .leaf)
    #expect(try await status() == 503)
  }

  @Test("that do not decode are not kept with a revoked certificate")
  func undecoded() async throws {
    responder.setReply(.revoked, about: .leaf)
    let data = JSONValue.object([
      "environment": .string("Production"), "bundleId": .string(ServiceScene.bundleID),
      "appAppleId": .integer(1_234_567_890), "status": .string("active"),
    ])
    let payload = JSONValue.object(["notificationUUID": .string("u"), "data": data])
    let token = try scene.authority.sign(payload)
    #expect(
      try await refusal { try await scene.service.receive(signedPayload: token) }
        == .notAuthentic(.certificateRevoked(0)))
    let kept = try await scene.scene.store.read { records in
      try await records.notifications.keptNotifications(after: nil, limit: 1)
    }
    #expect(kept.isEmpty)
  }
}
