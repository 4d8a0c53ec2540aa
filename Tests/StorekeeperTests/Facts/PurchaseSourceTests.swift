import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// A source that answers with facts, if it has them, and counts the questions.
private final class TestSource: PurchaseSource {
  private let answer: @Sendable (PurchaseReference) async throws -> PurchaseFacts?
  let questions = Locked(0)

  init(_ answer: @escaping @Sendable (PurchaseReference) async throws -> PurchaseFacts?) {
    self.answer = answer
  }

  func facts(about purchase: PurchaseReference) async throws -> PurchaseFacts? {
    questions.withLock { $0 += 1 }
    return try await answer(purchase)
  }
}

@Suite("Sources of the present state")
struct PurchaseSourceTests {
  private func service(
    _ scene: ServiceScene, _ sources: [any PurchaseSource], receipts: Bool = true
  ) throws -> SubscriptionService {
    try SubscriptionService(
      PurchaseContext(
        store: scene.store, accounts: scene.accounts, sources: sources, now: { scene.appStore.now }),
      products: ServiceScene.products,
      appStore: receipts ? try ServiceScene.client(of: scene.appStore) : nil)
  }

  @Test("the first source that can answer is asked, stored receipts last")
  func order() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let id = try await scene.service.record(scene.transaction(purchase)).originalTransactionID
    let silent = TestSource { _ in nil }
    let able = TestSource { _ in
      try PurchaseFacts(scene.transaction(purchase), renewalInfo: scene.renewalInfo(purchase))
    }
    let last = TestSource { _ in nil }
    let service = try service(scene, [silent, able, last])
    #expect(try await service.refresh(id).autoRenewal)
    #expect(silent.questions.withLock { $0 } == 1)
    #expect(able.questions.withLock { $0 } == 1)
    #expect(last.questions.withLock { $0 } == 0)
    #expect(scene.appStore.requests.isEmpty)
  }

  @Test("a subscription that no source can answer for is said to be so")
  func none() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let id = try await scene.service.record(scene.transaction(purchase)).originalTransactionID
    for receipts in [true, false] {
      let service = try service(scene, [TestSource { _ in nil }], receipts: receipts)
      #expect(try await failure { _ = try await service.refresh(id) } == .receiptNotFound)
    }
    #expect(
      try await failure {
        _ = try await service(scene, [], receipts: false).verify(receipt: purchase.receipt)
      } == .receiptsNotSupported)
  }

  @Test("the refresh job renews a subscription without a receipt by another source")
  func job() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    try await scene.service.record(
      scene.transaction(purchase), renewalInfo: scene.renewalInfo(purchase))
    scene.appStore.clock.advance(by: .days(30))
    let renewal = try scene.appStore.renew(purchase)
    let source = TestSource { _ in
      try PurchaseFacts(scene.transaction(renewal), renewalInfo: scene.renewalInfo(renewal))
    }
    let run = try await RefreshJob(subscriptions: service(scene, [source], receipts: false)).run()
    #expect((run.succeeded, run.failed) == (1, 0))
    let renewed = try await scene.service.subscription(purchase.originalTransactionID)
    #expect(renewed.expiresDate > scene.now)
  }
}
