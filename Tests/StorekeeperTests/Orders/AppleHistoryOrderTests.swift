import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Orders of charges that were refunded or superseded", .onEveryStore)
struct AppleHistoryOrderTests {
  private static let day = Duration.seconds(86_400)

  @Test(
    "a refunded year does not come back with the cheapest month of its group",
    arguments: [true, false])
  func refundedYear(asks: Bool) async throws {
    let host = try await AppleHost(asks: asks)
    let year = try host.appStore.buy(ServiceScene.premium)
    let kept = try year.signedTransactionInfo
    try await host.tell(year.notification)
    #expect(try await host.order(kept).level == AppleHost.pro)
    host.appStore.clock.advance(by: Self.day * 5)
    try await host.tell(try host.appStore.refund(year))
    await #expect(throws: OrderFailure.refused(.expired)) { try await host.order(kept) }
    host.appStore.clock.advance(by: Self.day)
    let month = try host.appStore.buy(ServiceScene.monthly)
    try await host.tell(month.notification)
    #expect(try await host.order(kept).level == AppleHost.basic)
    #expect(try await host.order(month).level == AppleHost.basic)
    host.appStore.clock.advance(by: Self.day * 40)
    try await host.tell(try host.appStore.expire(month, for: .customerCancelled))
    for _ in 0..<2 {
      await #expect(throws: OrderFailure.refused(.expired)) { try await host.order(kept) }
      await #expect(throws: OrderFailure.refused(.expired)) {
        try await host.order(kept, by: "bob")
      }
      #expect(try await host.services.orders.subscriptionForProfile(of: "alice") == nil)
      #expect(try await host.subscribed() == nil)
      host.appStore.clock.advance(by: Self.day * 160)
    }
  }

  @Test(
    "a year that was refunded, and then bought and refunded again, gives nothing",
    arguments: [true, false])
  func refundedTwice(asks: Bool) async throws {
    let host = try await AppleHost(asks: asks)
    let first = try host.appStore.buy(ServiceScene.premium)
    let kept = try first.signedTransactionInfo
    try await host.tell(first.notification)
    host.appStore.clock.advance(by: Self.day)
    try await host.tell(try host.appStore.refund(first))
    host.appStore.clock.advance(by: Self.day)
    let second = try host.appStore.buy(ServiceScene.premium)
    try await host.tell(second.notification)
    host.appStore.clock.advance(by: Self.day)
    try await host.tell(try host.appStore.refund(second))
    await #expect(throws: OrderFailure.refused(.expired)) { try await host.order(kept) }
  }

  @Test("a charge that the statuses leave out is looked up, though nothing is stored of it")
  func lookedUp() async throws {
    let host = try await AppleHost()
    let first = try host.appStore.buy(ServiceScene.premium)
    let kept = try first.signedTransactionInfo
    _ = try host.appStore.refund(first)
    host.appStore.clock.advance(by: Self.day)
    let second = try host.appStore.buy(ServiceScene.premium)
    _ = try host.appStore.refund(second)
    await #expect(throws: OrderFailure.refused(.expired)) { try await host.order(kept) }
  }

  @Test(
    "who changes to another product has that alone, and nothing after it lapsed",
    arguments: [true, false])
  func superseded(asks: Bool) async throws {
    let host = try await AppleHost(asks: asks)
    let year = try host.appStore.buy(ServiceScene.yearly)
    let kept = try year.signedTransactionInfo
    try await host.tell(year.notification)
    #expect(try await host.order(kept).level == AppleHost.plus)
    host.appStore.clock.advance(by: Self.day * 10)
    let premium = try host.appStore.upgrade(year, to: ServiceScene.monthly)
    try await host.tell(premium.notification)
    #expect(try await host.order(kept).level == AppleHost.basic)
    #expect(
      try await host.services.orders.subscriptionForProfile(of: "alice")?.level
        == AppleHost.basic)
    host.appStore.clock.advance(by: Self.day * 60)
    try await host.tell(try host.appStore.expire(premium, for: .customerCancelled))
    await #expect(throws: OrderFailure.refused(.expired)) { try await host.order(kept) }
    #expect(try await host.services.orders.subscriptionForProfile(of: "alice") == nil)
    #expect(try await host.subscribed() == nil)
  }

  @Test("a receipt's upgraded entry gives nothing, before and after the upgrade lapsed")
  func upgradedInReceipt() async throws {
    let host = try await AppleHost(asks: false)
    let year = try host.appStore.buy(ServiceScene.yearly)
    #expect(try await host.order(year.receipt).level == AppleHost.plus)
    host.appStore.clock.advance(by: Self.day * 10)
    let upgraded = try host.appStore.upgrade(year, to: ServiceScene.monthly)
    #expect(try await host.order(upgraded.receipt).level == AppleHost.basic)
    host.appStore.clock.advance(by: Self.day * 60)
    _ = try host.appStore.expire(upgraded, for: .customerCancelled)
    await #expect(throws: OrderFailure.refused(.expired)) {
      try await host.order(year.receipt)
    }
    #expect(try await host.services.orders.subscriptionForProfile(of: "alice") == nil)
  }
}
