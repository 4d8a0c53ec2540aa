import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

/// Source: entitlement rules, section 5.1.
@Suite("Non-renewing subscriptions", .onEveryStore)
struct NonRenewingTests {
  private static func scene(days: Int?) async throws -> DrawScene {
    try await DrawScene { setup in
      setup.environment = .sandbox
      if let days { setup.durations = [DrawScene.id("season"): .days(days)] }
    }
  }

  @Test(
    "last as long as the host says, one after the other, by any evidence", arguments: [true, false])
  func duration(isReceipt: Bool) async throws {
    let scene = try await Self.scene(days: 90)
    let start = scene.appStore.now
    func bring() async throws {
      let purchase = try scene.appStore.buy(DrawScene.id("season"), by: "u-1")
      if isReceipt {
        try await scene.sendReceipt()
      } else {
        try await scene.send(purchase.signedTransactionInfo)
      }
    }
    try await bring()
    let first = try await scene.entitlements()
    #expect(first.isSubscriber)
    #expect(first.subscription?.subscription.expiresDate == start + 90 * 86_400)
    #expect(first.purchasedProducts == [])
    scene.appStore.clock.advance(by: .days(10))
    try await bring()
    let second = try await scene.entitlements()
    #expect(second.subscription?.subscription.expiresDate == start + 180 * 86_400)
    // In the Sandbox there is no grace.
    scene.appStore.clock.advance(by: .days(170))
    #expect(try await !scene.entitlements().isSubscriber)
  }

  @Test("unlock products while they last, and a refund ends them")
  func refund() async throws {
    let scene = try await Self.scene(days: 90)
    let purchase = try await scene.buy("season")
    _ = try await scene.service.acquire(
      DrawScene.id("brushes"), for: "u-1", in: DrawScene.draw)
    #expect(try await scene.allowed() == DrawScene.ids("brushes"))
    scene.appStore.clock.advance(by: .days(1))
    try await scene.receive(try scene.appStore.refund(purchase))
    #expect(try await scene.allowed() == [])
    #expect(try await !scene.entitlements().isSubscriber)
  }

  @Test("without a duration are bought for ever")
  func withoutDuration() async throws {
    let scene = try await Self.scene(days: nil)
    try await scene.buy("season")
    scene.appStore.clock.advance(by: .days(4000))
    let held = try await scene.entitlements()
    #expect(!held.isSubscriber)
    #expect(held.purchasedProducts == DrawScene.ids("season"))
    #expect(held.allowedProducts == DrawScene.ids("season"))
  }
}
