import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Google's notifications on a host without orders", .onEveryStore)
struct PlayFollowerTests {
  @Test("a push ends a membership and an entitlement, with no order service")
  func revoked() async throws {
    let host = try await PlayHost()
    let (services, bought) = (host.services, try host.sell("pro_monthly"))
    let facts = try await host.facts(of: bought)
    _ = try await services.subscriptions.link("alice", to: facts)
    try await services.entitlements.validate(
      UploadedEvidence(purchaseTokens: [bought.purchaseToken]), for: "alice",
      in: PlayHost.bundleID)
    #expect(try await host.subscribed("alice") == "pro_monthly")
    host.play.clock.advance(by: .seconds(60))
    _ = try host.play.revoke(bought)
    let notifications = try PlayNotificationService(
      services.entitlements.context, play: host.scene.client,
      tokens: host.scene.notifications.tokens, entitlements: services.entitlements)
    let pushes = try await host.play.deliverPushes(by: PushReceiver(notifications: notifications))
    let isAcknowledged = pushes.allSatisfy(\.isAcknowledged)
    #expect(isAcknowledged)
    #expect(try await host.subscribed("alice") == nil)
    let held = try #require(try await services.subscriptions.membership(of: "alice"))
    #expect(!held.grantsAccess(at: host.play.now))
  }

  @Test("a host that accepts no pushes refuses them, and still reads the list of voided purchases")
  func voided() async throws {
    let host = try await PlayHost()
    let (services, bought) = (host.services, try host.sell("pro_monthly"))
    _ = try await services.subscriptions.link("alice", to: try await host.facts(of: bought))
    let notifications = try PlayNotificationService(
      services.subscriptions.context, play: host.scene.client, tokens: nil,
      subscriptions: services.subscriptions)
    await #expect(throws: PushTokenFailure.notAccepted) {
      try await notifications.receive(body: [], authorization: nil)
    }
    host.play.clock.advance(by: .seconds(60))
    _ = try host.play.revoke(bought)
    let report = try await VoidedPurchaseRecovery(notifications, clock: host.play.clock).recover()
    #expect(report.new == 1)
    let held = try #require(try await services.subscriptions.membership(of: "alice"))
    #expect(!held.grantsAccess(at: host.play.now))
  }
}
