import FileReceiptStorage
import Foundation
import HTTPMessages
import InMemoryStorage
import StoreSimulators
import StorekeeperLocks
import Storekeeper
import Testing

/// A transport that does something before each request.
private struct ActingTransport: HTTPTransport {
  let base: any HTTPTransport
  let act: @Sendable () async throws -> Void

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    try await act()
    return try await base.send(request)
  }
}

@Suite("Stored receipts", .onEveryStore)
struct StoredReceiptTests {
  @Test("are filled after a verification, and asked before the database")
  func tiers() async throws {
    let cache = InMemoryReceiptStore()
    let scene = try await ServiceScene(receiptCaches: [cache])
    let id = try await scene.bought().originalTransactionID
    let cached = try #require(try cache.receipt(of: id, environment: .production))
    #expect(
      try await scene.service.subscriptionWithReceipt(id).receipt == cached)
    let marked = StoredReceipt(
      originalTransactionID: id, environment: .production, receipt: "the cache's",
      asOf: scene.now + 1)
    try cache.put(marked)
    #expect(try await scene.service.subscriptionWithReceipt(id).receipt == marked)
  }

  @Test(
    "of an account that is erased while Apple is asked about them stay away",
    arguments: [false, true])
  func erased(isCached: Bool) async throws {
    let cache = InMemoryReceiptStore()
    let scene = try await ServiceScene(receiptCaches: [cache])
    let id = try await scene.linked().originalTransactionID
    if !isCached { try cache.remove(id, environment: .production) }
    let context = scene.service.context
    let eraser = AccountEraser(context, receiptCaches: [cache])
    let transport = ActingTransport(base: scene.appStore) { _ = try await eraser.erase("alice") }
    let service = try SubscriptionService(
      context, products: ServiceScene.products,
      appStore: try ServiceScene.client(of: scene.appStore, through: transport),
      receiptCaches: [cache])
    _ = try await service.refresh(id)
    #expect(try cache.receipt(of: id, environment: .production) == nil)
    let stored = try await scene.store.read {
      try await $0.purchases.receipt(of: id, environment: .production)
    }
    #expect(stored == nil)
    #expect(try await service.subscription(id).originalTransactionID == id)
    _ = try await service.link("bob", to: id)
    let left = try await eraser.preview(of: "bob").rows
    #expect(left[.memberships] == 1 && left[.receipts] == nil && left[.sessions] == nil)
    // A receipt that is handed over is kept.
    try await scene.verify()
    #expect(try cache.receipt(of: id, environment: .production) != nil)
  }

  @Test("come from the database where a cache has none, and fill the caches before it")
  func miss() async throws {
    let (near, far) = (InMemoryReceiptStore(isOnDisk: true), InMemoryReceiptStore())
    let scene = try await ServiceScene(receiptCaches: [near, far])
    let id = try await scene.bought().originalTransactionID
    let kept = try await scene.service.subscriptionWithReceipt(id).receipt
    try near.remove(id, environment: .production)
    _ = try await scene.service.subscriptionWithReceipt(id)
    #expect(try near.receipt(of: id, environment: .production) == kept)
    try near.remove(id, environment: .production)
    try far.remove(id, environment: .production)
    #expect(
      try await failure {
        _ = try await scene.service.subscriptionWithReceipt(id, onlyDisk: true)
      } == .receiptNotFound)
    #expect(try await scene.service.subscriptionWithReceipt(id).receipt == kept)
    #expect(try far.receipt(of: id, environment: .production) == kept)
  }

  @Test("survive a cache that fails, which is reported without the receipt")
  func failingCache() async throws {
    let incidents = Locked<[String]>([])
    let scene = try await ServiceScene(receiptCaches: [FailingCache()]) { incident in
      incidents.withLock { $0.append("\(incident)") }
    }
    let id = try await scene.bought().originalTransactionID
    let receipt = try await scene.service.subscriptionWithReceipt(id).receipt
    #expect(!receipt.receipt.isEmpty)
    let reported = incidents.withLock { $0 }
    #expect(!reported.isEmpty)
    #expect(reported.allSatisfy { !$0.contains(receipt.receipt.prefix(20)) })
  }

  @Test("are kept under every original id of the answer")
  func everyID() async throws {
    let scene = try await ServiceScene()
    let first = try scene.appStore.buy(ServiceScene.monthly)
    let shared = try scene.appStore.share(
      try scene.appStore.buy(ServiceScene.yearly, by: "mother"), with: "customer")
    try await scene.verify()
    for id in [first.originalTransactionID, shared.originalTransactionID] {
      #expect(try await scene.service.subscriptionWithReceipt(id).subscription.productID != "")
    }
  }

  @Test("need a stored subscription")
  func unknown() async throws {
    let scene = try await ServiceScene()
    #expect(
      try await failure { _ = try await scene.service.subscriptionWithReceipt("42") }
        == .subscriptionNotFound)
  }
}

@Suite("Refreshing a subscription from its stored receipt", .onEveryStore)
struct RefreshServiceTests {
  @Test("asks Apple at the server of the stored row, and gives the row as it is then")
  func refresh() async throws {
    let scene = try await ServiceScene(environment: .sandbox)
    let purchase = try await scene.bought()
    let id = purchase.originalTransactionID
    let asked = scene.appStore.requests.count
    _ = try scene.appStore.renew(purchase)
    let refreshed = try await scene.service.refresh(id)
    #expect(refreshed.originalTransactionID == id)
    #expect(refreshed.expiresDate == ServiceScene.start + 60 * 86_400)
    #expect(refreshed.createdDate == ServiceScene.start)
    #expect(scene.appStore.requests[asked...].map(\.server) == [.sandbox])
  }

  @Test("takes the database's where a cache has something that is no receipt")
  func brokenCache() async throws {
    let cache = InMemoryReceiptStore()
    let scene = try await ServiceScene(receiptCaches: [cache])
    let id = try await scene.bought().originalTransactionID
    try cache.put(
      StoredReceipt(
        originalTransactionID: id, environment: .production, receipt: "not base64 at all!",
        asOf: scene.now + 1))
    #expect(try await scene.service.refresh(id).originalTransactionID == id)
    #expect(try cache.receipt(of: id, environment: .production)?.asOf == scene.now)
  }

  @Test(
    "takes the database's where Apple refuses what a cache has, and mends the cache",
    arguments: [VerifyReceiptStatus.malformedReceipt, .notAuthenticated])
  func refusedCache(status: VerifyReceiptStatus) async throws {
    let incidents = Locked<[String]>([])
    let (near, far) = (InMemoryReceiptStore(), InMemoryReceiptStore())
    let scene = try await ServiceScene(receiptCaches: [near, far]) { incident in
      incidents.withLock { $0.append("\(incident)") }
    }
    let purchase = try await scene.bought()
    let id = purchase.originalTransactionID
    let whole = try #require(try near.receipt(of: id, environment: .production)).receipt
    let damaged = try #require(damage(whole, refusedWith: status))
    for cache in [near, far] {
      // Later than what the database has, as a file that was cut off is.
      try cache.put(
        StoredReceipt(
          originalTransactionID: id, environment: .production, receipt: damaged,
          asOf: scene.now + 1))
    }
    _ = try scene.appStore.renew(purchase)
    let refreshed = try await scene.service.refresh(id)
    #expect(refreshed.expiresDate == ServiceScene.start + 60 * 86_400)
    #expect(incidents.withLock { $0 } == ["Apple refused the receipt of a cache"])
    for cache in [near, far] {
      let mended = try #require(try cache.receipt(of: id, environment: .production))
      #expect(mended.receipt == (try scene.appStore.receipt(of: "customer")))
      #expect(mended.asOf == scene.now)
    }
  }

  @Test("asks the second cache before the database, and Apple about no receipt twice")
  func secondCache() async throws {
    let (near, far) = (InMemoryReceiptStore(), InMemoryReceiptStore())
    let scene = try await ServiceScene(receiptCaches: [near, far])
    let id = try await scene.bought().originalTransactionID
    let whole = try #require(try far.receipt(of: id, environment: .production)).receipt
    let damaged = try #require(damage(whole, refusedWith: .notAuthenticated))
    try near.put(
      StoredReceipt(
        originalTransactionID: id, environment: .production, receipt: damaged,
        asOf: scene.now + 1))
    let asked = scene.appStore.requests.count
    _ = try await scene.service.refresh(id)
    #expect(scene.appStore.requests.count == asked + 2)
    #expect(try near.receipt(of: id, environment: .production)?.receipt == whole)
  }

  @Test("is refused where no tier has another receipt, which stays, and nothing is asked twice")
  func refusedEverywhere() async throws {
    let cache = InMemoryReceiptStore()
    let scene = try await ServiceScene(receiptCaches: [cache])
    let purchase = try await scene.bought()
    let id = purchase.originalTransactionID
    let damaged = try #require(damage(purchase.receipt, refusedWith: .notAuthenticated))
    let receipt = StoredReceipt(
      originalTransactionID: id, environment: .production, receipt: damaged, asOf: scene.now + 1)
    let now = scene.now
    try await scene.store.write { try await $0.purchases.put(receipt, now: now) }
    try cache.put(receipt)
    let asked = scene.appStore.requests.count
    let refusal = try await failure { _ = try await scene.service.refresh(id) }
    guard case .verification(.refused(.notAuthenticated, _))? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(scene.appStore.requests.count == asked + 1)
    #expect(try cache.receipt(of: id, environment: .production) == receipt)
  }

  /// Cut off on a boundary of base64, which still reads as base64; or with a byte changed.
  private func damage(_ receipt: String, refusedWith status: VerifyReceiptStatus) -> String? {
    if status == .malformedReceipt { return String(receipt.prefix(receipt.utf8.count / 8 * 4)) }
    guard var bytes = Data(base64Encoded: receipt), let last = bytes.indices.last else {
      return nil
    }
    bytes[last] ^= 1
    return bytes.base64EncodedString()
  }

  @Test("keeps owner and use")
  func owner() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.linked().originalTransactionID
    let refreshed = try await scene.service.refresh(id)
    #expect(refreshed.owner == "alice")
    #expect(refreshed.isInUse)
  }

  @Test("needs the row, and its receipt")
  func missing() async throws {
    let scene = try await ServiceScene()
    #expect(
      try await failure { _ = try await scene.service.refresh("42") } == .subscriptionNotFound)
    let row = Subscription(
      environment: .production, originalTransactionID: "42", lastTransactionID: "42",
      productID: ServiceScene.monthly, purchaseDate: scene.now, expiresDate: scene.now,
      tier: .standard, cycle: .month, autoRenewal: false)
    try await scene.store.write { records in
      try await records.storedSubscriptions.save(row, asOf: row.purchaseDate, now: row.purchaseDate)
    }
    #expect(
      try await failure { _ = try await scene.service.refresh("42") } == .receiptNotFound)
  }
}

/// A cache whose disk is full.
private struct FailingCache: ReceiptStore {
  struct Full: Error {}
  func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) throws -> StoredReceipt? { throw Full() }
  func put(_ receipt: StoredReceipt) throws { throw Full() }
  func remove(_ originalTransactionID: String, environment: AppStoreEnvironment) throws {
    throw Full()
  }
}
