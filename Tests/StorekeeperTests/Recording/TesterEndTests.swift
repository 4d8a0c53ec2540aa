import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

/// Source: entitlement rules, section 12.
@Suite("Purchases of the Sandbox, after the end of their tester", .onEveryStore)
struct TesterEndTests {
  /// The Sandbox counts for one user, for ten days.
  private func rule(for user: AccountID) -> CountedEnvironments {
    var rule = CountedEnvironments([.production], testers: [user])
    rule.testerEnds[user] = ServiceScene.start + 10 * 86_400
    return rule
  }

  @Test("unlock nothing, and are not taken any more")
  func entitlements() async throws {
    let scene = try await DrawScene {
      $0.environment = .sandbox
      $0.environments = rule(for: "u-1")
    }
    try await scene.buy("frames")
    try await scene.buy("full.monthly")
    #expect(try await scene.allowed() == DrawScene.ids("frames"))
    #expect(try await scene.entitlements().isSubscriber)
    scene.appStore.clock.advance(by: .days(10))
    #expect(try await scene.allowed().isEmpty)
    #expect(try await !scene.entitlements().isSubscriber)
    #expect(
      try await entitlementFailure { try await scene.buy("paper") } == .environmentNotAllowed)
  }

  @Test("give no access by a membership, and are linked no more")
  func memberships() async throws {
    var options = LinkOptions()
    options.allowedEnvironments = rule(for: "alice")
    let scene = try await ServiceScene(environment: .sandbox, options: options)
    let purchase = try await scene.linked()
    let membership = try await scene.service.membership(of: "alice")
    #expect(membership?.grantsAccess(at: scene.now) == true)
    #expect(membership?.accessEnd == .date(ServiceScene.start + 10 * 86_400))
    scene.appStore.clock.advance(by: .days(10))
    #expect(
      try await scene.service.membership(of: "alice")?.grantsAccess(at: scene.now) == false)
    #expect(
      try await failure {
        _ = try await scene.service.link("alice", to: purchase.originalTransactionID)
      } == .refused(.environmentNotAllowed))
  }

  @Test("give no credits; what they gave is still taken back")
  func credits() async throws {
    let scene = try await CreditScene {
      $0.environment = .sandbox
      $0.options.environments = rule(for: "u1")
    }
    #expect(try await scene.verify(scene.transaction()).creditsAdded == 500)
    scene.appStore.clock.advance(by: .days(10))
    #expect(
      try await creditFailure { try await scene.verify(scene.transaction(CreditScene.y)) }
        == .environmentNotAllowed(.sandbox))
    var refunded = scene.transaction()
    refunded.revocationDate = scene.appStore.now
    #expect(try await scene.notify(.refund, refunded) == .clawedBack)
    #expect(try await scene.balance() == 100)
  }
}
