import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Validation again", .onEveryStore)
struct RevalidationTests {
  @Test("after a failure the stored state answers, and is stale; a success ends that")
  func stale() async throws {
    let scene = try await DrawScene()
    try await scene.buy("full.monthly")
    try await scene.sendReceipt()
    scene.appStore.fail(with: .transportFailure(.notConnected))
    let failed = try await scene.service.validate(for: "u-1", in: DrawScene.draw)
    #expect(failed.entitlements.isStale && failed.entitlements.isSubscriber)
    let state = try #require(try await scene.validation())
    #expect(state.firstFailureDate == scene.appStore.now)
    #expect(state.lastFailure == .unreachable)
    #expect(state.nextValidationDate == scene.appStore.now + 300)
    let answer = try await scene.service.validate(for: "u-1", in: DrawScene.draw)
    #expect(!answer.entitlements.isStale)
    #expect(try await scene.validation()?.firstFailureDate == nil)
  }

  @Test("where no source can answer, what is stored does, and nothing failed")
  func silent() async throws {
    let scene = try await DrawScene()
    try await scene.buy("full.monthly")
    let answer = try await scene.service.validate(for: "u-1", in: DrawScene.draw)
    #expect(answer.entitlements.isSubscriber && !answer.entitlements.isStale)
    #expect(scene.appStore.requests.isEmpty)
  }

  @Test("the App Store Server API tells renewals, refunds and what was bought once")
  func serverAPI() async throws {
    let scene = try await DrawScene { $0.hasServerAPI = true }
    let full = try await scene.buy("full.monthly")
    let frames = try await scene.buy("frames")
    scene.appStore.clock.advance(by: .days(30))
    _ = try scene.appStore.renew(full)
    _ = try scene.appStore.refund(frames)
    let answer = try await scene.service.restore("u-1", in: DrawScene.draw)
    #expect(answer.failed.isEmpty)
    #expect(answer.entitlements.purchasedProducts.isEmpty)
    #expect(
      answer.entitlements.subscription?.subscription.expiresDate
        == ServiceScene.start + 60 * 86_400)
  }

  @Test(
    "restoring names the purchases whose state could not be learned, and keeps what was acquired")
  func restore() async throws {
    let scene = try await DrawScene()
    let full = try await scene.buy("full.monthly")
    try await scene.sendReceipt()
    try await scene.service.acquire(DrawScene.id("paper"), for: "u-1", in: DrawScene.draw)
    scene.appStore.fail(with: .httpStatus(503))
    let failed = try await scene.service.restore("u-1", in: DrawScene.draw)
    #expect(failed.failed == [full.originalTransactionID])
    #expect(failed.entitlements.isStale)
    #expect(failed.entitlements.allowedProducts == DrawScene.ids("paper"))
    let good = try await scene.service.restore("u-1", in: DrawScene.draw)
    #expect(good.failed.isEmpty && !good.entitlements.isStale)
    #expect(
      try await entitlementFailure {
        try await scene.service.restore("nobody", in: DrawScene.draw)
      } == .receiptMissing)
  }

  @Test("due rows are validated, and found renewals count")
  func due() async throws {
    let scene = try await DrawScene()
    let full = try await scene.buy("full.monthly")
    try await scene.sendReceipt()
    #expect(try await scene.service.revalidateDue() == RevalidationRun())
    scene.appStore.clock.advance(by: .days(30))
    _ = try scene.appStore.renew(full)
    #expect(try await scene.service.revalidateDue() == RevalidationRun(succeeded: 1))
    let state = try #require(try await scene.validation())
    #expect(state.validatedDate == scene.appStore.now)
    #expect(state.nextValidationDate == scene.appStore.now + 7 * 86_400)
    #expect(
      try await scene.entitlements().subscription?.subscription.expiresDate
        == ServiceScene.start + 60 * 86_400)
    #expect(try await scene.service.revalidateDue() == RevalidationRun())
  }

  @Test("twenty days without the App Store: nobody loses access before the time to live (row 20)")
  func outage() async throws {
    let scene = try await DrawScene()
    let users: [AccountID] = ["u-1", "u-2", "u-3"]
    for user in users {
      try scene.appStore.buy(DrawScene.id("full.yearly"), by: user.rawValue)
      try await scene.sendReceipt(of: user.rawValue, by: user)
    }
    scene.appStore.clock.advance(by: .days(7))
    scene.appStore.fail(next: 10_000, with: .transportFailure(.notConnected))
    let start = scene.appStore.now
    #expect(try await scene.service.revalidateDue() == RevalidationRun(failed: 3))
    for hour in 1...(20 * 24) {
      scene.appStore.clock.advance(by: .seconds(3600))
      try await scene.service.revalidateDue()
      guard hour % 12 == 0 else { continue }
      let isLong = scene.appStore.now >= start + 14 * 86_400
      for user in users {
        let answer = try await scene.entitlements(of: user)
        #expect(answer.isStale && answer.isSuspended == isLong && answer.isSubscriber != isLong)
      }
    }
    scene.appStore.stopFailing()
    scene.appStore.clock.advance(by: .days(1))
    #expect(try await scene.service.revalidateDue() == RevalidationRun(succeeded: 3))
    for user in users {
      let answer = try await scene.entitlements(of: user)
      #expect(answer.isSubscriber && !answer.isStale && !answer.isSuspended)
    }
  }

  @Test("rows are leased, so that of many workers each row is asked about once")
  func workers() async throws {
    let scene = try await DrawScene()
    for number in 0..<12 {
      try await scene.buy("full.monthly", by: AccountID("user-\(number)"))
      try await scene.sendReceipt(
        of: "user-\(number)", by: AccountID("user-\(number)"))
    }
    scene.appStore.clock.advance(by: .days(8))
    let asked = scene.appStore.requests.count
    let runs = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask { try await scene.service.revalidateDue(limit: 5).succeeded }
      }
      return try await group.reduce(0, +)
    }
    #expect(runs == 12)
    #expect(scene.appStore.requests.count == asked + 12)
  }

  @Test("periodic validations can be turned off")
  func off() async throws {
    let scene = try await DrawScene { $0.periodicValidation = false }
    try await scene.buy("full.monthly")
    #expect(try await scene.validation()?.nextValidationDate == nil)
  }
}

@Suite("Sources that refuse, and sources that have nothing to tell", .onEveryStore)
struct RefusingSourceTests {
  /// A source that does as a test says, by original transaction ID.
  private struct Source: PurchaseSource {
    let answer: @Sendable (PurchaseReference) throws -> PurchaseFacts?

    func facts(about purchase: PurchaseReference) async throws -> PurchaseFacts? {
      try answer(purchase)
    }
  }

  private func service(
    _ scene: DrawScene, _ answer: @escaping @Sendable (PurchaseReference) throws -> PurchaseFacts?
  ) throws -> EntitlementService {
    try EntitlementService(
      PurchaseContext(
        store: scene.store, accounts: UnlistedAccounts(), verifier: scene.verifier,
        sources: [Source(answer: answer)],
        now: { scene.appStore.now }), chance: { 0.5 }, apps: { scene.service.apps })
  }

  @Test("one refused purchase neither ends access nor keeps others from being asked about")
  func refused() async throws {
    let scene = try await DrawScene()
    let full = try await scene.buy("full.monthly", on: "one-device")
    let lite = try await scene.buy("lite.monthly", on: "another-device")
    let service = try service(scene) { purchase in
      guard purchase.originalTransactionID == lite.originalTransactionID else {
        throw SubscriptionFailure.verification(.refused(.accountNotFound))
      }
      return try PurchaseFacts(scene.verifier.transaction(lite.signedTransactionInfo))
    }
    let answer = try await service.restore("u-1", in: DrawScene.draw)
    #expect(answer.failed == [full.originalTransactionID])
    #expect(!answer.entitlements.isStale && answer.entitlements.isSubscriber)
    #expect(try await scene.validation()?.validatedDate == scene.appStore.now)
  }

  @Test("an answer without purchases is a success")
  func empty() async throws {
    let scene = try await DrawScene()
    try await scene.buy("frames")
    let service = try service(scene) { _ in throw SubscriptionFailure.notRecorded(.empty) }
    scene.appStore.clock.advance(by: .days(1))
    let answer = try await service.validate(for: "u-1", in: DrawScene.draw)
    #expect(!answer.entitlements.isStale)
    #expect(answer.entitlements.allowedProducts == DrawScene.ids("frames"))
    #expect(try await scene.validation()?.validatedDate == scene.appStore.now)
  }

  @Test("a row whose answer the database does not take is tried again after five minutes")
  func databaseFailure() async throws {
    let scene = try await DrawScene()
    let full = try await scene.buy("full.monthly")
    try await scene.sendReceipt()
    scene.appStore.clock.advance(by: .days(30))
    _ = try scene.appStore.renew(full)
    let broken = WrappedStore(scene.store, capabilities: [.entitlements]) { unit in
      var unit = unit
      unit.common = FaultyRecords(base: unit.common, fuse: Fuse(1))
      return unit
    }
    let service = try EntitlementService(
      PurchaseContext(
        store: broken, accounts: UnlistedAccounts(), verifier: scene.verifier,
        sources: [try ServerScene.client(of: scene.appStore, scene.appStore, scene.verifier)],
        now: { scene.appStore.now }), chance: { 0.5 }, apps: { scene.service.apps })
    #expect(try await service.revalidateDue() == RevalidationRun(failed: 1))
    #expect(try await scene.validation()?.nextValidationDate == scene.appStore.now + 300)
    scene.appStore.clock.advance(by: .seconds(300))
    #expect(try await scene.service.revalidateDue() == RevalidationRun(succeeded: 1))
    #expect(
      try await scene.entitlements().subscription?.subscription.expiresDate
        == ServiceScene.start + 60 * 86_400)
  }

  @Test("a failure ends when no source can answer any more")
  func silence() async throws {
    let scene = try await DrawScene()
    try await scene.buy("frames")
    let failing = try service(scene) { _ in throw SubscriptionFailure.sourceFailed }
    #expect(try await failing.validate(for: "u-1", in: DrawScene.draw).entitlements.isStale)
    let silent = try service(scene) { _ in nil }
    scene.appStore.clock.advance(by: .days(1))
    #expect(try await silent.revalidateDue() == RevalidationRun(succeeded: 1))
    #expect(try await !scene.entitlements().isStale)
    #expect(try await scene.validation()?.nextValidationDate == nil)
  }
}
