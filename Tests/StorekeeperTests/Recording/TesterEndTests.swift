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

/// Source: entitlement rules, section 12.
@Suite("The end of testing for all", .onEveryStore)
struct TestingEndTests {
  @Test("is kept at its first moment until testing is resumed")
  func moments() async throws {
    let scene = try await ServiceScene(environment: .sandbox)
    let end = TestingEnd(scene.store, now: { scene.appStore.now })
    #expect(try await end.date == nil)
    #expect(try await end.set() == ServiceScene.start)
    scene.appStore.clock.advance(by: .days(1))
    #expect(try await end.set() == ServiceScene.start)
    #expect(try await TestingEnd(scene.store).date == ServiceScene.start)
    try await end.remove()
    #expect(try await end.date == nil)
    #expect(try await end.set() == ServiceScene.start + 86_400)
  }

  @Test("takes what testers have, and gives it back when testing is resumed")
  func entitlements() async throws {
    let scene = try await DrawScene {
      $0.environment = .sandbox
      $0.environments = CountedEnvironments([.production], testers: ["u-1"])
    }
    try await scene.buy("frames")
    try await scene.buy("full.monthly")
    let end = TestingEnd(scene.store, now: { scene.appStore.now })
    try await end.set()
    #expect(try await scene.allowed().isEmpty)
    #expect(try await !scene.entitlements().isSubscriber)
    #expect(
      try await entitlementFailure { try await scene.buy("paper") } == .environmentNotAllowed)
    try await end.remove()
    #expect(try await scene.allowed() == DrawScene.ids("frames"))
    #expect(try await scene.entitlements().isSubscriber)
  }

  @Test("takes nothing where the Sandbox counts for everybody")
  func everybody() async throws {
    let scene = try await DrawScene {
      $0.environment = .sandbox
      $0.environments = CountedEnvironments([.production, .sandbox], testers: ["u-1"])
    }
    try await scene.buy("frames")
    try await TestingEnd(scene.store, now: { scene.appStore.now }).set()
    #expect(try await scene.allowed() == DrawScene.ids("frames"))
  }

  @Test("ends access by memberships, and links")
  func memberships() async throws {
    var options = LinkOptions()
    options.allowedEnvironments = CountedEnvironments([.production], testers: ["alice"])
    let scene = try await ServiceScene(environment: .sandbox, options: options)
    let purchase = try await scene.linked()
    #expect(
      try await scene.service.membership(of: "alice")?.grantsAccess(at: scene.now) == true)
    try await TestingEnd(scene.store, now: { scene.appStore.now }).set()
    let membership = try await scene.service.membership(of: "alice")
    #expect(membership?.grantsAccess(at: scene.now) == false)
    #expect(membership?.accessEnd == .date(ServiceScene.start))
    #expect(
      try await failure {
        _ = try await scene.service.link("alice", to: purchase.originalTransactionID)
      } == .refused(.environmentNotAllowed))
  }

  @Test("ends credits")
  func credits() async throws {
    let scene = try await CreditScene {
      $0.environment = .sandbox
      $0.options.environments = CountedEnvironments([.production], testers: ["u1"])
    }
    #expect(try await scene.verify(scene.transaction()).creditsAdded == 500)
    try await TestingEnd(scene.store, now: { scene.appStore.now }).set()
    #expect(
      try await creditFailure { try await scene.verify(scene.transaction(CreditScene.y)) }
        == .environmentNotAllowed(.sandbox))
  }
}
