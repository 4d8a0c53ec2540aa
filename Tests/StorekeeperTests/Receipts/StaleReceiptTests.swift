import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// Caches that missed the renewal of a purchase.
@Suite("Receipts of a cache that are older than the database's", .onEveryStore)
struct StaleReceiptTests {
  @Test("are passed over, and replaced in every cache")
  func everyCache() async throws {
    let (near, far) = (InMemoryReceiptStore(), InMemoryReceiptStore())
    let stale = try await StaleScene([near, far])
    for cache in [near, far] { try await stale.restore(cache) }
    #expect(
      try await stale.scene.service.subscriptionWithReceipt(stale.id).receipt == stale.renewed)
    for cache in [near, far] {
      #expect(try cache.receipt(of: stale.id, environment: .production) == stale.renewed)
    }
  }

  @Test("give way to the next cache's, which replaces them")
  func firstCache() async throws {
    let (near, far) = (InMemoryReceiptStore(), InMemoryReceiptStore())
    let stale = try await StaleScene([near, far])
    try await stale.restore(near)
    let marked = StoredReceipt(
      originalTransactionID: stale.id, environment: .production, receipt: "the second cache's",
      asOf: stale.renewed.asOf)
    try far.put(marked)
    #expect(try await stale.scene.service.subscriptionWithReceipt(stale.id).receipt == marked)
    #expect(try near.receipt(of: stale.id, environment: .production) == marked)
  }

  @Test("are none where the disk alone is asked")
  func onlyDisk() async throws {
    let (near, far) = (InMemoryReceiptStore(isOnDisk: true), InMemoryReceiptStore())
    let stale = try await StaleScene([near, far])
    let service = stale.scene.service
    #expect(
      try await service.subscriptionWithReceipt(stale.id, onlyDisk: true).receipt
        == stale.renewed)
    try await stale.restore(near)
    #expect(
      try await failure {
        _ = try await service.subscriptionWithReceipt(stale.id, onlyDisk: true)
      } == .receiptNotFound)
  }

  @Test("are removed where the newer one cannot be put")
  func fullCache() async throws {
    let cache = InMemoryReceiptStore()
    let failedPuts = Locked(0)
    let stale = try await StaleScene([FullCache(base: cache)]) { incident in
      guard case .receiptCacheUnwritable(is FullCache.Full) = incident else { return }
      failedPuts.withLock { $0 += 1 }
    }
    try await stale.restore(cache)
    failedPuts.withLock { $0 = 0 }
    for _ in 0..<2 {
      #expect(
        try await stale.scene.service.subscriptionWithReceipt(stale.id).receipt == stale.renewed)
      #expect(try cache.receipt(of: stale.id, environment: .production) == nil)
    }
    #expect(failedPuts.withLock { $0 } == 2)
  }

  @Test("are not sent to Apple")
  func refresh() async throws {
    let cache = InMemoryReceiptStore()
    let stale = try await StaleScene([cache])
    try await stale.restore(cache)
    let asked = stale.scene.appStore.requests.count
    let refreshed = try await stale.scene.service.refresh(stale.id)
    #expect(refreshed.expiresDate == ServiceScene.start + 60 * 86_400)
    #expect(stale.scene.appStore.requests.count == asked + 1)
    #expect(
      try cache.receipt(of: stale.id, environment: .production)?.receipt == stale.renewed.receipt)
  }

  @Test("without a stamp come from the database, whatever a cache has without one")
  func unknownStamp() async throws {
    let cache = InMemoryReceiptStore()
    let scene = try await imported(behind: cache)
    let (receipt, now) = (Self.unstamped("MIIBimported"), scene.now)
    try await scene.store.write { try await $0.purchases.put(receipt, now: now) }
    try cache.put(Self.unstamped("MIIBforeign"))
    #expect(try await scene.service.subscriptionWithReceipt("42").receipt.receipt == "MIIBimported")
  }

  @Test("do not exist where the database has none")
  func noStamp() async throws {
    let cache = InMemoryReceiptStore()
    let scene = try await imported(behind: cache)
    try cache.put(Self.unstamped("MIIB"))
    #expect(try await scene.service.subscriptionWithReceipt("42").receipt.receipt == "MIIB")
  }

  /// A service behind a cache, with a subscription of the ID 42 and no receipt of it.
  private func imported(behind cache: InMemoryReceiptStore) async throws -> ServiceScene {
    let scene = try await ServiceScene(receiptCaches: [cache])
    let row = Subscription(
      environment: .production, originalTransactionID: "42", lastTransactionID: "42",
      productID: ServiceScene.monthly, purchaseDate: scene.now, expiresDate: scene.now,
      tier: .standard, cycle: .month, autoRenewal: false)
    try await scene.store.write { records in
      try await records.storedSubscriptions.save(row, asOf: row.purchaseDate, now: row.purchaseDate)
    }
    return scene
  }

  /// A receipt of the ID 42 whose moment at Apple is not known.
  private static func unstamped(_ text: String) -> StoredReceipt {
    StoredReceipt(
      originalTransactionID: "42", environment: .production, receipt: text, asOf: .distantPast)
  }
}

/// A purchase that was renewed and verified after its first receipt was kept.
private struct StaleScene {
  let scene: ServiceScene
  let id: String
  private let old: StoredReceipt
  let renewed: StoredReceipt

  init(
    _ caches: [any ReceiptStore],
    report: @escaping @Sendable (ServiceIncident) -> Void = { _ in }
  ) async throws {
    scene = try await ServiceScene(receiptCaches: caches, report: report)
    let purchase = try await scene.bought()
    id = purchase.originalTransactionID
    old = try await scene.service.subscriptionWithReceipt(id).receipt
    scene.appStore.clock.advance(by: .seconds(1))
    _ = try scene.appStore.renew(purchase)
    try await scene.verify()
    renewed = try await scene.service.subscriptionWithReceipt(id).receipt
  }

  /// Puts the first receipt back, as from an old copy.
  func restore(_ cache: InMemoryReceiptStore) async throws {
    try cache.remove(id, environment: .production)
    try cache.put(old)
  }
}

/// A cache that takes nothing more.
private struct FullCache: ReceiptStore {
  struct Full: Error {}
  let base: InMemoryReceiptStore
  func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) throws -> StoredReceipt? {
    try base.receipt(of: originalTransactionID, environment: environment)
  }
  func put(_ receipt: StoredReceipt) throws { throw Full() }
  func remove(_ originalTransactionID: String, environment: AppStoreEnvironment) throws {
    try base.remove(originalTransactionID, environment: environment)
  }
}
