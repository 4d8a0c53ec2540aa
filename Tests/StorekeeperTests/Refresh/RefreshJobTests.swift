import Foundation
import StoreSimulators
import StorekeeperLocks
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("The refresh job", .onEveryStore)
struct RefreshJobTests {
  @Test("renews what is due, lets memberships follow, and logs the run")
  func renews() async throws {
    let scene = try await ServiceScene()
    let due = try await scene.bought(by: "one")
    let later = try await scene.bought(ServiceScene.yearly, by: "two")
    _ = try await scene.service.link("alice", to: due.originalTransactionID)
    scene.appStore.clock.advance(by: .days(28))
    _ = try scene.appStore.renew(due)
    let asked = scene.appStore.requests.count

    let run = try await job(scene).run()
    #expect(run.succeeded == 1)
    #expect(run.failed == 0)
    #expect(scene.appStore.requests.count == asked + 1)
    #expect(try await scene.membership(of: "alice")?.expireDate == CalendarDay("2024-01-13"))
    #expect(
      try await scene.service.subscription(later.originalTransactionID).updatedDate
        == ServiceScene.start)
    let runs = try await runs(scene)
    #expect(runs == [run])
    #expect(runs.first?.endDate == scene.now)
    #expect(
      try await scene.history(of: due.originalTransactionID).contains { event in
        if case .snapshot(_, .poll) = event.kind { true } else { false }
      })
  }

  @Test("asks about what was linked without renewal info, and learns that it renews")
  func untold() async throws {
    let scene = try await ServerScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    _ = try await scene.subscriptions.link("alice", to: scene.scene.transaction(purchase))
    let id = purchase.originalTransactionID
    #expect(try await !scene.subscriptions.subscription(id).autoRenewal)
    let job = RefreshJob(subscriptions: scene.subscriptions, chance: { 0.5 })
    scene.appStore.clock.advance(by: .days(26))
    #expect(try await job.run().succeeded == 0)
    scene.appStore.clock.advance(by: .days(2))
    #expect(try await job.run().succeeded == 1)
    #expect(try await scene.subscriptions.subscription(id).autoRenewal)
    scene.appStore.clock.advance(by: .days(2))
    _ = try scene.appStore.renew(purchase)
    #expect(try await job.run().succeeded == 1)
    let held = try await scene.subscriptions.membership(of: "alice")
    #expect(held?.grantsAccess(at: scene.appStore.now + 29 * 86_400) == true)
  }

  @Test("what was heard to be off, and is bought again, is asked about when its new period ends")
  func boughtAgain() async throws {
    let scene = try await ServerScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    _ = try await scene.subscriptions.link("alice", to: scene.scene.transaction(purchase))
    scene.appStore.clock.advance(by: .days(31))
    _ = try scene.appStore.expire(purchase, for: .customerCancelled)
    let job = RefreshJob(subscriptions: scene.subscriptions, chance: { 0.5 })
    #expect(try await job.run().succeeded == 1)
    scene.appStore.clock.advance(by: .days(2))
    let again = try scene.appStore.buy(ServiceScene.monthly)
    #expect(again.originalTransactionID == purchase.originalTransactionID)
    try await scene.notifications.receive(signedPayload: again.notification.signedPayload)
    // Nothing is heard of the renewal.
    scene.appStore.clock.advance(by: .days(29))
    _ = try scene.appStore.renew(again)
    #expect(try await job.run().succeeded == 1)
    #expect(try await scene.stored(purchase).expiresDate > scene.appStore.now + 30 * 86_400)
  }

  @Test("where nobody can say whether it renews, asks once before the end and once after")
  func nobodyToAsk() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    _ = try await scene.service.link("alice", to: scene.transaction(purchase))
    var failures: [Int] = []
    for _ in 0..<100 {
      if try await job(scene).run().failed > 0 {
        failures.append(Int(scene.now.timeIntervalSince(ServiceScene.start) / 3600))
      }
      scene.appStore.clock.advance(by: .seconds(24 * 3600 + 900))
    }
    // In the run of day 27, three days before the end, and in the first one after it.
    #expect(failures.count == 2)
    #expect(failures.first.map { (27 * 24...28 * 24).contains($0) } == true)
    #expect(failures.last.map { (30 * 24...31 * 24).contains($0) } == true)
    // A new period is asked about again.
    let renewed = try scene.appStore.buy(ServiceScene.monthly, by: "other")
    _ = try await scene.service.record(scene.transaction(renewed))
    scene.appStore.clock.advance(by: .days(29))
    #expect(try await job(scene).run().failed == 1)
  }

  @Test("rests six hours after a success, and backs off after failures")
  func pauses() async throws {
    let scene = try await ServiceScene()
    _ = try await scene.bought()
    scene.appStore.clock.advance(by: .days(28))
    #expect(try await job(scene).run().succeeded == 1)
    scene.appStore.clock.advance(by: .seconds(6 * 3600 - 1))
    #expect(try await job(scene).run().succeeded == 0)
    scene.appStore.clock.advance(by: .seconds(1))
    scene.appStore.fail(with: .status(.serverUnavailable))
    #expect(try await job(scene).run().failed == 1)
    // 5 minutes × 2, in the middle of ± 20 %.
    scene.appStore.clock.advance(by: .seconds(599))
    #expect(try await job(scene).run().failed == 0)
    scene.appStore.clock.advance(by: .seconds(1))
    scene.appStore.fail(with: .status(.serverUnavailable))
    #expect(try await job(scene).run().failed == 1)
    scene.appStore.clock.advance(by: .seconds(1199))
    #expect(try await job(scene).run().succeeded == 0)
    scene.appStore.clock.advance(by: .seconds(1))
    #expect(try await job(scene).run().succeeded == 1)
  }

  @Test("touches no membership when Apple cannot be asked")
  func failure() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.bought()
    let before = try await scene.service.link("alice", to: purchase.originalTransactionID)
    scene.appStore.clock.advance(by: .days(31))
    scene.appStore.fail(with: .transportFailure(.notConnected))
    let run = try await job(scene).run()
    #expect((run.succeeded, run.failed) == (0, 1))
    #expect(try await scene.membership(of: "alice") == before)
  }

  @Test("ends at a wrong shared secret, gives the rest back and says so")
  func wrongSecret() async throws {
    let reported = Locked<[String]>([])
    let scene = try await ServiceScene { incident in
      if case .refreshFailed(let code) = incident { reported.withLock { $0.append(code) } }
    }
    for customer in 0..<10 { _ = try await scene.bought(by: "\(customer)") }
    scene.appStore.clock.advance(by: .days(28))
    scene.appStore.fail(next: 10, with: .status(.sharedSecretMismatch))
    let run = try await job(scene, concurrency: 1).run()
    #expect((run.succeeded, run.failed) == (0, 1))
    #expect(reported.withLock { $0 } == ["sharedSecretMismatch"])
    scene.appStore.stopFailing()
    #expect(try await job(scene, concurrency: 1).run().succeeded == 9)
  }

  @Test("a wrong shared secret holds up no row about which another source can be asked")
  func otherSources() async throws {
    let scene = try await ServiceScene()
    var purchases: [TestPurchase] = []
    for customer in 0..<10 { purchases.append(try await scene.bought(by: "\(customer)")) }
    // Every other row is known by the API of its app.
    let known = Set(
      purchases.enumerated().filter { $0.offset % 2 == 1 }
        .map(\.element.originalTransactionID))
    let api = try ServerScene.client(of: scene.appStore, scene.appStore, scene.verifier())
    let service = try SubscriptionService(
      PurchaseContext(
        store: scene.store, accounts: scene.accounts,
        sources: [SomePurchases(known: known, source: api)], now: { scene.appStore.now }),
      products: ServiceScene.products, appStore: scene.service.appStore)
    scene.appStore.clock.advance(by: .days(28))
    scene.appStore.fail(next: 100, with: .status(.sharedSecretMismatch))
    var configuration = RefreshJob.Configuration()
    configuration.concurrency = 1
    configuration.batchSize = 3
    let job = RefreshJob(subscriptions: service, configuration: configuration, chance: { 0.5 })
    let run = try await job.run()
    #expect((run.succeeded, run.failed) == (5, 1))
    scene.appStore.stopFailing()
    let next = try await job.run()
    #expect((next.succeeded, next.failed) == (4, 0))
  }

  @Test("gives up after the tolerance, and when renewal is off")
  func notDue() async throws {
    let scene = try await ServiceScene()
    let off = try await scene.bought(by: "one")
    try scene.appStore.setAutoRenew(.off, of: off)
    try await scene.verify("one")
    _ = try await scene.bought(by: "two")
    scene.appStore.clock.advance(by: .days(29))
    #expect(try await job(scene).run().succeeded == 1)
    scene.appStore.clock.advance(by: .days(62))
    let run = try await job(scene).run()
    #expect((run.succeeded, run.failed) == (0, 0))
  }

  @Test("refreshes each row once with eight workers side by side")
  func workers() async throws {
    let scene = try await ServiceScene()
    for customer in 0..<60 { _ = try await scene.bought(by: "\(customer)") }
    scene.appStore.clock.advance(by: .days(28))
    let asked = scene.appStore.requests.count
    let total = try await withThrowingTaskGroup(of: RefreshRun.self) { group in
      for _ in 0..<8 { group.addTask { try await job(scene, batch: 5).run() } }
      return try await group.reduce(0) { $0 + $1.succeeded }
    }
    #expect(total == 60)
    #expect(scene.appStore.requests.count == asked + 60)
  }

  @Test("takes no new row once cancelled, and closes the log")
  func cancelled() async throws {
    let scene = try await ServiceScene()
    for customer in 0..<6 { _ = try await scene.bought(by: "\(customer)") }
    scene.appStore.clock.advance(by: .days(28))
    scene.appStore.fail(next: 6, with: .delay(.seconds(5)))
    let asked = scene.appStore.requests.count
    let task = Task { try await job(scene, concurrency: 2).run() }
    while scene.appStore.requests.count < asked + 2 { await Task.yield() }
    task.cancel()
    let run = try await task.value
    #expect((run.succeeded, run.failed) == (0, 0))
    #expect(scene.appStore.requests.count == asked + 2)
    #expect(try await runs(scene).first?.endDate != nil)
    scene.appStore.stopFailing()
    #expect(try await job(scene).run().succeeded == 6)
  }

  @Test("gives back what it leased as it was cancelled, and asks Apple nothing")
  func cancelledLeases() async throws {
    let scene = try await ServiceScene()
    for customer in 0..<6 { _ = try await scene.bought(by: "\(customer)") }
    scene.appStore.clock.advance(by: .days(28))
    let asked = scene.appStore.requests.count
    // The first write begins the run, the second one leases.
    let store = storeCancelling(afterWrite: 2, of: scene.store)
    let appStore = scene.appStore
    let service = try SubscriptionService(
      PurchaseContext(store: store, accounts: scene.accounts, now: { appStore.now }),
      products: ServiceScene.products, appStore: scene.service.appStore)
    let run = try await Task { try await RefreshJob(subscriptions: service).run() }.value
    #expect((run.succeeded, run.failed) == (0, 0))
    #expect(scene.appStore.requests.count == asked)
    #expect(try await job(scene).run().succeeded == 6)
  }

  private func job(
    _ scene: ServiceScene, concurrency: Int = 4, batch: Int = 50
  ) -> RefreshJob {
    var configuration = RefreshJob.Configuration()
    configuration.concurrency = concurrency
    configuration.batchSize = batch
    return RefreshJob(
      subscriptions: scene.service, configuration: configuration, chance: { 0.5 })
  }

  private func runs(_ scene: ServiceScene) async throws -> [RefreshRun] {
    try await scene.store.read { records in try await records.refreshes.runs(limit: 10) }
  }
}

/// A source that knows some purchases only.
private struct SomePurchases: PurchaseSource {
  let known: Set<String>
  let source: any PurchaseSource

  func facts(about purchase: PurchaseReference) async throws -> PurchaseFacts? {
    guard known.contains(purchase.originalTransactionID) else { return nil }
    return try await source.facts(about: purchase)
  }
}

/// A store after whose n-th unit of work that writes the task is cancelled, counted from 1.
private func storeCancelling(
  afterWrite number: Int, of base: any PurchaseStore
) -> any PurchaseStore {
  let left = Locked(number)
  return WrappedStore(base) { access, unit in
    try await unit()
    let isOver = left.withLock { left in
      if access == .writing { left -= 1 }
      return access == .writing && left == 0
    }
    if isOver { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
  }
}
