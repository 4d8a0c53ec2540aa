import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Evidence that is late, repeated or out of order", .onEveryStore)
struct EvidenceOrderTests {
  @Test("of a renewal lets the membership follow, without an e-mail")
  func renewal() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.bought()
    let id = purchase.originalTransactionID
    let before = try await scene.service.link("alice", to: id)
    _ = try scene.appStore.renew(purchase)
    try await scene.verify()

    let after = try #require(try await scene.membership(of: "alice"))
    #expect(after.expireDate == CalendarDay("2024-01-13"))
    #expect(after.id == before.id)
    #expect(try await scene.history(of: id).map(\.kind) == [.snapshot(before.copy, .verify)])
    #expect(try await scene.messages().map(\.kind) == [.link, .sync])
  }

  @Test("of a refund ends the membership at the refund")
  func refund() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.linked()
    scene.appStore.clock.advance(by: .days(3))
    try scene.appStore.refund(purchase)
    try await scene.verify()
    let membership = try #require(try await scene.membership(of: "alice"))
    #expect(membership.expireDate == CalendarDay("2023-11-17"))
    #expect(!membership.autoRenew)
  }

  @Test("of a refunded earlier period leaves the later, paid one")
  func refundOfEarlierPeriod() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.linked()
    scene.appStore.clock.advance(by: .days(30))
    _ = try scene.appStore.renew(purchase)
    try scene.appStore.refund(purchase)
    try await scene.verify()
    #expect(try await scene.membership(of: "alice")?.expireDate == CalendarDay("2024-01-13"))
  }

  @Test("of a refunded renewal falls back to the period before it")
  func refundOfRenewal() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.linked()
    scene.appStore.clock.advance(by: .days(29))
    let renewal = try scene.appStore.renew(purchase)
    try await scene.verify()
    #expect(try await scene.membership(of: "alice")?.expireDate == CalendarDay("2024-01-13"))
    try scene.appStore.refund(renewal)
    try await scene.verify()
    #expect(try await scene.membership(of: "alice")?.expireDate == CalendarDay("2023-12-14"))
  }

  @Test("of a reversed refund restores the membership")
  func reversedRefund() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.linked()
    try scene.appStore.refund(purchase)
    try await scene.verify()
    try scene.appStore.reverseRefund(purchase)
    scene.appStore.clock.advance(by: .seconds(1))
    try await scene.verify()
    #expect(try await scene.membership(of: "alice")?.expireDate == CalendarDay("2023-12-14"))
  }

  @Test("that is older never overwrites what is newer")
  func stale() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.linked()
    let id = purchase.originalTransactionID
    scene.appStore.clock.advance(by: .days(1))
    // An answer from before the refund, that arrives after it.
    let early = RecordedAnswers(scene.appStore)
    try await early.record(purchase.receipt)
    scene.appStore.clock.advance(by: .days(1))
    try scene.appStore.refund(purchase)
    try await scene.verify()
    let refunded = try await scene.service.subscription(id)
    let membership = try await scene.membership(of: "alice")

    let late = try SubscriptionService(
      PurchaseContext(store: scene.store, accounts: scene.accounts, now: { scene.now }),
      products: ServiceScene.products, appStore: try early.client())
    _ = try await late.verify(receipt: purchase.receipt)
    #expect(try await scene.service.subscription(id) == refunded)
    #expect(try await scene.membership(of: "alice") == membership)
    #expect(refunded.expiresDate == ServiceScene.start + 2 * 86_400)
    #expect(!refunded.autoRenewal)
    let kept = try await scene.store.read { records in
      try await records.purchases.receipt(of: id, environment: .production)?.asOf
    }
    #expect(kept == ServiceScene.start + 2 * 86_400)
  }

  @Test("that comes twice changes nothing the second time")
  func repeated() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.linked()
    let id = purchase.originalTransactionID
    _ = try scene.appStore.renew(purchase)
    try await scene.verify()
    let history = try await scene.history(of: id)
    let subscription = try await scene.service.subscription(id)
    try await scene.verify()
    #expect(try await scene.history(of: id) == history)
    #expect(try await scene.service.subscription(id) == subscription)
    #expect(try await scene.messages().map(\.kind) == [.link, .sync])
  }

  @Test("of an upgrade changes tier and cycle")
  func upgrade() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.linked()
    scene.appStore.clock.advance(by: .days(3))
    try scene.appStore.upgrade(purchase, to: ServiceScene.premium)
    try await scene.verify()
    let membership = try #require(try await scene.membership(of: "alice"))
    #expect(membership.tier == .premium)
    #expect(membership.cycle == .year)
    #expect(membership.expireDate == CalendarDay(ServiceScene.start + 368 * 86_400))
  }

  @Test("of the Sandbox never changes a membership that production alone may change")
  func gate() async throws {
    var open = LinkOptions()
    open.allowedEnvironments = [.production, .sandbox]
    let scene = try await ServiceScene(environment: .sandbox, options: open)
    let purchase = try await scene.bought()
    let before = try await scene.service.link("alice", to: purchase.originalTransactionID)
    _ = try scene.appStore.renew(purchase)
    let closed = try scene.service(asking: scene.appStore)
    _ = try await closed.verify(receipt: purchase.receipt)
    #expect(try await scene.membership(of: "alice") == before)
    #expect(
      try await scene.service.subscription(purchase.originalTransactionID).expiresDate
        == ServiceScene.start + 60 * 86_400)
  }
}
