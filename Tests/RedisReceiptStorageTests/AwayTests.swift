import Foundation
import InMemoryStorage
import RedisReceiptStorage
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("A Redis that is away for a while", .timeLimit(.minutes(30)))
struct AwayTests {
  @Test("killed: calls fail until it is back, empty")
  func killed() async throws {
    let server = try await RedisServer()
    let store = server.store()
    try await store.put("MIIB")
    server.kill()
    try await until { try await failure { _ = try await store.receipt() } == .notConnected }
    #expect(try await failure { try await store.put("MIIB") } == .notConnected)
    try await server.start()
    #expect(try await untilItWorks { try await store.receipt() } == nil)
    try await store.put("MIIA", at: 1)
    #expect(try await store.receipt()?.receipt == "MIIA")
  }

  @Test("not started yet: it is used once it is there")
  func late() async throws {
    let server = try await RedisServer()
    server.kill()
    let store = server.store()
    #expect(try await failure { try await store.put("MIIB") } == .notConnected)
    try await server.start()
    try await untilItWorks { try await store.put("MIIB") }
  }

  @Test("stopped: one call waits for the deadline, the others fail at once, until it goes on")
  func stopped() async throws {
    let server = try await RedisServer()
    let store = server.store(deadline: .seconds(2))
    try await untilItWorks { try await store.put("MIIB") }
    server.stop()
    #expect(try await failure { _ = try await store.receipt() } == .timeUp)
    try await until { try await failure { _ = try await store.receipt() } == .notConnected }
    // Fifty waits would take longer than this.
    let time = try await ContinuousClock().measure { () async throws in
      for _ in 0..<50 {
        #expect(try await failure { try await store.put("MIIC") } == .notConnected)
      }
    }
    #expect(time < .seconds(60))
    server.goOn()
    #expect(try await untilItWorks { try await store.receipt() }?.receipt == "MIIB")
  }

  @Test("stopped with many calls under way: each ends, and none gets another's receipt")
  func stoppedWithCalls() async throws {
    let server = try await RedisServer()
    let store = server.store(deadline: .seconds(1))
    for number in 0..<20 {
      try await untilItWorks { try await store.put("receipt-\(number)", of: "\(number)") }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          for _ in 0..<100 {
            let found = try? await store.receipt("\(number)")
            #expect(found == nil || found?.receipt == "receipt-\(number)")
          }
        }
      }
      group.addTask {
        for _ in 0..<3 {
          server.stop()
          try await until { try await failure { _ = try await store.receipt("0") } != nil }
          server.goOn()
          _ = try await untilItWorks { try await store.receipt("0") }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("full: a receipt is refused, and the old one removed")
  func full() async throws {
    let server = try await RedisServer()
    let incidents = Locked<[Failure]>([])
    let scene = try Newspaper(server.store()) { incident in
      guard case .receiptCacheUnwritable(let failure as Failure) = incident else { return }
      incidents.withLock { $0.append(failure) }
    }
    let purchase = try scene.appStore.buy(Newspaper.monthly)
    _ = try await scene.service.verify(receipt: purchase.receipt)
    #expect(try server.command("DBSIZE") == "2")
    try server.command("CONFIG", "SET", "maxmemory-policy", "noeviction")
    try server.command("CONFIG", "SET", "maxmemory", "1")
    scene.appStore.clock.advance(by: .seconds(60))
    _ = try scene.appStore.renew(purchase)
    let renewed = try scene.appStore.receipt(of: "customer")
    _ = try await scene.service.verify(receipt: renewed)
    #expect(incidents.withLock { $0 } == [.refused(.outOfMemory)])
    #expect(try server.command("DBSIZE") == "0")
    let id = purchase.originalTransactionID
    #expect(try await scene.service.subscriptionWithReceipt(id).receipt.receipt == renewed)
  }

  @Test("stopped, or restored from an old copy: no old receipt is served, and the cache is mended")
  func stale() async throws {
    let server = try await RedisServer()
    let store = server.store(deadline: .seconds(2))
    let scene = try Newspaper(store) { _ in }
    let purchase = try scene.appStore.buy(Newspaper.monthly)
    _ = try await untilItWorks { try await store.receipt() }
    _ = try await scene.service.verify(receipt: purchase.receipt)
    let id = purchase.originalTransactionID
    let old = try #require(try await untilItWorks { try await store.receipt(id) })

    server.stop()
    scene.appStore.clock.advance(by: .seconds(60))
    _ = try scene.appStore.renew(purchase)
    let renewed = try scene.appStore.receipt(of: "customer")
    _ = try await scene.service.verify(receipt: renewed)
    #expect(try await scene.service.subscriptionWithReceipt(id).receipt.receipt == renewed)
    server.goOn()
    for _ in 0..<20 {
      #expect(try await scene.service.subscriptionWithReceipt(id).receipt.receipt == renewed)
    }

    server.kill()
    try await server.start()
    try await untilItWorks { try await store.put(old) }
    #expect(try await scene.service.subscriptionWithReceipt(id).receipt.receipt == renewed)
    #expect(try await untilItWorks { try await store.receipt(id) }?.receipt == renewed)
  }
}

/// A service of subscriptions with one cache, and a simulated App Store.
private struct Newspaper {
  static let monthly = "reader.monthly"

  let appStore: AppStoreSimulator
  let service: SubscriptionService

  init(
    _ cache: RedisReceiptStore, report: @escaping @Sendable (ServiceIncident) -> Void
  ) throws {
    let appStore = try AppStoreSimulator(
      bundleID: "com.example.reader", environment: .production
    ) {
      $0.authority = try TestAuthority.forReceipts()
      $0.start = Date(timeIntervalSince1970: 1_700_000_000)
    }
    self.appStore = appStore
    var configuration = VerifyReceiptClient.Configuration()
    configuration.clock = appStore.clock
    configuration.now = { appStore.now }
    service = try SubscriptionService(
      PurchaseContext(
        store: InMemoryPurchaseStore(), accounts: InMemoryAccountDirectory(), now: { appStore.now },
        report: report), products: ProductMap([Self.monthly: Plan(tier: .standard, cycle: .month)]),
      appStore: try VerifyReceiptClient(
        transport: appStore, bundleIDs: ["com.example.reader"],
        sharedSecret: appStore.sharedSecret, configuration: configuration),
      receiptCaches: [cache])
  }
}
