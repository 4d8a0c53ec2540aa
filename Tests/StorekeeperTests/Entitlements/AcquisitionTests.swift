import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Acquiring products through a subscription", .onEveryStore)
struct AcquisitionServiceTests {
  private func acquire(
    _ scene: DrawScene, _ name: String
  ) async throws -> AcquisitionAnswer {
    try await scene.service.acquire(DrawScene.id(name), for: "u-1", in: DrawScene.draw)
  }

  @Test("a subscription allows nothing until products are acquired (rows 7 to 9)")
  func acquire() async throws {
    let scene = try await DrawScene()
    #expect(try await scene.allowed().isEmpty)
    try await scene.buy("full25.monthly")
    #expect(try await scene.allowed().isEmpty)
    let first = try await acquire(scene, "brushes")
    #expect(first.created == DrawScene.ids("brushes"))
    #expect(first.entitlements.allowedProducts == DrawScene.ids("brushes"))
    #expect(try await acquire(scene, "brushes").created.isEmpty)
    #expect(try await scene.entitlements().acquiredProducts == DrawScene.ids("brushes"))
  }

  @Test("of fifty equal calls at once, one acquires the product (row 9)")
  func race() async throws {
    let scene = try await DrawScene()
    try await scene.buy("full.monthly")
    let created = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 {
        group.addTask { try await self.acquire(scene, "brushes").created.count }
      }
      return try await group.reduce(0, +)
    }
    #expect(created == 1)
    #expect(try await scene.entitlements().acquiredProducts == DrawScene.ids("brushes"))
  }

  @Test("refusals say why (rows 10 and 11)")
  func refusals() async throws {
    let scene = try await DrawScene()
    func refusal(_ name: String) async throws -> EntitlementFailure? {
      try await entitlementFailure { try await acquire(scene, name) }
    }
    #expect(try await refusal("brushes") == .refused(.notSubscriber))
    try await scene.buy("lite.monthly")
    #expect(try await refusal("brushes") == .refused(.notUnlocked))
    for name in ["full.monthly", "coins"] {
      #expect(try await refusal(name) == .refused(.notAcquirable))
    }
    #expect(try await refusal("nope") == .refused(.unknownProduct))
    #expect(
      try await entitlementFailure {
        try await scene.service.acquire("x", for: "u-1", in: "com.example.other")
      } == .unknownApp)
  }

  @Test(
    "all products at once, through a change of plan, a lapse and a new subscription (rows 12 to 14)"
  )
  func all() async throws {
    let scene = try await DrawScene()
    let everything = DrawScene.ids("brushes", "frames", "frames.gold", "paper")
    func acquireAll() async throws -> [String] {
      try await scene.service.acquireAll(for: "u-1", in: DrawScene.draw).created
    }
    #expect(try await entitlementFailure { try await acquireAll() } == .refused(.notSubscriber))
    let full = try await scene.buy("full.monthly")
    #expect(try await acquireAll() == everything)
    #expect(try await acquireAll().isEmpty)
    #expect(try await scene.allowed() == everything)
    scene.appStore.clock.advance(by: .days(3))
    try await scene.receive(try scene.appStore.refund(full))
    #expect(try await scene.allowed().isEmpty)
    #expect(try await scene.entitlements().acquiredProducts == everything)
    scene.appStore.clock.advance(by: .days(3))
    let lite = try await scene.buy("lite.monthly")
    #expect(try await scene.allowed() == DrawScene.ids("frames", "frames.gold", "paper"))
    // Seven days of grace follow the month.
    scene.appStore.clock.advance(by: .days(37))
    #expect(try await scene.allowed().isEmpty)
    _ = lite
    try await scene.buy("full.monthly", on: "another-device")
    #expect(try await scene.allowed() == everything)
  }

  @Test("one subscription for several apps unlocks, and users and apps are kept apart (row 26)")
  func severalApps() async throws {
    let scene = try await DrawScene()
    let purchase = try scene.paintStore.buy(DrawScene.multiApp, by: "u-1")
    try await scene.send(try purchase.signedTransactionInfo, in: DrawScene.paint)
    #expect(try await acquire(scene, "brushes").created == DrawScene.ids("brushes"))
    let answer = try await scene.entitlements()
    #expect(answer.allowedProducts == DrawScene.ids("brushes"))
    #expect(answer.subscription?.subscription.bundleID == DrawScene.paint)
    #expect(answer.isSubscriptionUnlisted)
    let other = try await scene.service.products(of: "u-1", in: DrawScene.paint)
    #expect(other.acquiredProducts.isEmpty && other.isSubscriber)
    #expect(try await !scene.entitlements(of: "u-2").isSubscriber)
    #expect(try await scene.service.isSubscriber("u-1", of: DrawScene.paint).isSubscriber)
    #expect(try await !scene.service.isSubscriber("u-1", of: DrawScene.draw).isSubscriber)
    #expect(try await !scene.service.isSubscriber("nobody", of: DrawScene.paint).isSubscriber)
  }

  @Test("a subscription of another app without the marker does not count, but is shared (row 27)")
  func unmarked() async throws {
    let scene = try await DrawScene()
    let purchase = try scene.paintStore.buy("com.example.paint.pro.monthly", by: "u-1")
    try await scene.send(try purchase.signedTransactionInfo, in: DrawScene.paint)
    #expect(try await scene.entitlements().subscription == nil)
    let answer = try await scene.service.isSubscriber("u-1", of: DrawScene.paint)
    #expect(answer.isSubscriber && answer.validatedDate == scene.appStore.now)
  }

  @Test("opaque user IDs are compared byte by byte")
  func users() async throws {
    let scene = try await DrawScene()
    let (one, other) = (try AccountID(opaque: " Ju\u{308}rgen"), try AccountID(opaque: " Jürgen"))
    try await scene.buy("frames", by: one)
    #expect(try await scene.allowed(of: one) == DrawScene.ids("frames"))
    #expect(try await scene.allowed(of: other).isEmpty)
  }
}
