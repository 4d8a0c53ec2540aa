import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("Migration of stored receipts", .onEveryStore)
struct ReceiptMigrationTests {
  private func job(
    _ scene: ServerScene, client: AppStoreServerClient? = nil
  ) throws -> ReceiptMigrationJob {
    let appStore = scene.appStore
    return ReceiptMigrationJob(
      subscriptions: scene.subscriptions, appStore: client ?? scene.client,
      verifier: try AppReceiptVerifier(
        bundleIDs: [ServiceScene.bundleID], environments: [.production, .sandbox],
        trustAnchors: [appStore.authority.trustAnchor], now: { appStore.now }))
  }

  /// Stores the receipts of customers, as a service with verifyReceipt did.
  private func receipts(_ customers: [String], _ scene: ServerScene) async throws -> [TestPurchase]
  {
    var purchases: [TestPurchase] = []
    for customer in customers {
      let purchase = try scene.appStore.buy(ServiceScene.monthly, by: customer)
      _ = try await scene.scene.service.verify(receipt: purchase.receipt)
      purchases.append(purchase)
    }
    return purchases
  }

  @Test("each customer's history is read once")
  func once() async throws {
    let scene = try await ServerScene(receipts: true)
    let purchases = try await receipts(["one", "two", "three"], scene)
    scene.appStore.clock.advance(by: .days(30))
    let renewals = try purchases.map { try scene.appStore.renew($0) }
    var job = try job(scene)
    job.batchSize = 2
    let report = try await job.run()
    #expect((report.migrated, report.known, report.isComplete) == (3, 0, true))
    for (purchase, renewal) in zip(purchases, renewals) {
      #expect(try await scene.stored(purchase).lastTransactionID == renewal.transactionID)
    }
    let again = try await job.run()
    #expect((again.migrated, again.known, again.isComplete) == (0, 3, true))
  }

  @Test("a history that Apple gives no revision for is read once, too")
  func withoutRevision() async throws {
    let scene = try await ServerScene(receipts: true)
    _ = try await receipts(["one", "two"], scene)
    let changed = ChangedAnswers(base: scene.appStore) { request, response in
      guard request.url.contains("/history/"),
        case .object(var members)? = try? JSONValue(parsing: response.body)
      else { return }
      members["revision"] = nil
      response.body = JSONValue.object(members).serialized
    }
    let client = try ServerScene.client(of: scene.appStore, changed, scene.scene.verifier())
    let job = try job(scene, client: client)
    let report = try await job.run()
    #expect((report.migrated, report.known, report.isComplete) == (2, 0, true))
    let asked = scene.appStore.serverAPIRequests.count
    let again = try await job.run()
    #expect((again.migrated, again.known, again.isComplete) == (0, 2, true))
    #expect(scene.appStore.serverAPIRequests.count == asked)
  }

  @Test("a history of which a part was refused is read again by the next run")
  func refusedPart() async throws {
    let scene = try await ServerScene(receipts: true)
    _ = try await receipts(["one"], scene)
    let changed = ChangedAnswers(base: scene.appStore) { request, response in
      guard request.url.contains("/history/"),
        case .object(var members)? = try? JSONValue(parsing: response.body),
        case .array(let tokens)? = members["signedTransactions"]
      else { return }
      members["signedTransactions"] = .array(tokens + [.string("a.b.c")])
      response.body = JSONValue.object(members).serialized
    }
    let client = try ServerScene.client(of: scene.appStore, changed, scene.scene.verifier())
    let job = try job(scene, client: client)
    for _ in 0..<2 {
      let report = try await job.run()
      #expect((report.migrated, report.known, report.isComplete) == (1, 0, true))
    }
  }

  /// A client whose requests for histories are answered with a status where a rule says so.
  private func client(
    _ scene: ServerScene, answering status: HTTPStatusCode,
    where isRefused: @escaping @Sendable (_ url: String, _ number: Int) -> Bool
  ) throws -> AppStoreServerClient {
    let count = Locked(0)
    let changed = ChangedAnswers(base: scene.appStore) { request, response in
      guard request.url.contains("/history/") else { return }
      let number = count.withLock { number in
        number += 1
        return number
      }
      if isRefused(request.url, number) { response = HTTPResponseMessage(status: status) }
    }
    return try ServerScene.client(of: scene.appStore, changed, scene.scene.verifier())
  }

  @Test("a run that an outage ended goes on with the receipt at which it began")
  func resumed() async throws {
    let scene = try await ServerScene(receipts: true)
    _ = try await receipts(["one", "two", "three"], scene)
    let isAway = Locked(true)
    let client = try client(scene, answering: 503) { _, number in
      number > 1 && isAway.withLock { $0 }
    }
    let job = try job(scene, client: client)
    await #expect(throws: AppStoreServerFailure.self) { try await job.run() }
    isAway.withLock { $0 = false }
    let report = try await job.run()
    #expect((report.migrated, report.known, report.isComplete) == (2, 0, true))
  }

  @Test("a customer about whom Apple gave no answer once is asked about again")
  func shortOutage() async throws {
    let scene = try await ServerScene(receipts: true)
    _ = try await receipts(["one", "two", "three"], scene)
    let client = try client(scene, answering: 503) { _, number in number == 2 }
    let report = try await job(scene, client: client).run()
    #expect((report.migrated, report.failed, report.isComplete) == (3, 0, true))
  }

  @Test(
    "a customer about whom Apple never answers doesn't keep the others from being migrated",
    arguments: [HTTPStatusCode.internalServerError, .forbidden], 0..<3)
  func neverAnswered(status: HTTPStatusCode, place: Int) async throws {
    let scene = try await ServerScene(receipts: true)
    let purchases = try await receipts(["one", "two", "three"], scene)
    let id = purchases[place].originalTransactionID
    let client = try client(scene, answering: status) { url, _ in url.contains("/history/\(id)") }
    let job = try job(scene, client: client)
    let report = try await job.run()
    #expect((report.migrated, report.failed, report.isComplete) == (2, 1, true))
    #expect(scene.incidents.all.count == 1)
    // Those who are known already show that Apple answers.
    let again = try await job.run()
    #expect((again.known, again.failed, again.isComplete) == (2, 1, true))
  }

  @Test("a silent customer is passed over in batches of any size, also where an outage ended a run")
  func silentTail() async throws {
    let scene = try await ServerScene(receipts: true)
    let purchases = try await receipts(["one", "two", "three"], scene)
    let id = purchases[2].originalTransactionID
    let isAway = Locked(true)
    let client = try client(scene, answering: 500) { url, number in
      url.contains("/history/\(id)") || number > 2 && isAway.withLock { $0 }
    }
    var job = try job(scene, client: client)
    job.batchSize = 1
    await #expect(throws: AppStoreServerFailure.self) { try await job.run() }
    isAway.withLock { $0 = false }
    let report = try await job.run()
    #expect((report.migrated, report.known, report.failed) == (0, 0, 1))
    #expect(report.isComplete)
  }

  @Test("a silent customer at the start stops nobody, in batches of one receipt")
  func silentHead() async throws {
    let scene = try await ServerScene(receipts: true)
    let purchases = try await receipts(["one", "two", "three"], scene)
    let id = purchases[0].originalTransactionID
    let client = try client(scene, answering: 500) { url, _ in url.contains("/history/\(id)") }
    var job = try job(scene, client: client)
    job.batchSize = 1
    let report = try await job.run()
    #expect((report.migrated, report.failed, report.isComplete) == (2, 1, true))
  }

  @Test("a key that Apple refuses ends the run, and the next one begins where that began")
  func refusedKey() async throws {
    let scene = try await ServerScene(receipts: true)
    _ = try await receipts(["one", "two", "three", "four"], scene)
    let isRefused = Locked(true)
    let client = try client(scene, answering: .forbidden) { _, _ in isRefused.withLock { $0 } }
    let job = try job(scene, client: client)
    await #expect(throws: AppStoreServerFailure.self) { try await job.run() }
    isRefused.withLock { $0 = false }
    let report = try await job.run()
    #expect((report.migrated, report.failed, report.isComplete) == (4, 0, true))
  }

  @Test("no ID is taken from a receipt that fails verification")
  func refused() async throws {
    let scene = try await ServerScene()
    let now = scene.appStore.now
    try await scene.scene.store.write { records in
      try await records.purchases.put(
        StoredReceipt(
          originalTransactionID: "1000", environment: .production, receipt: "MIIB", asOf: now),
        now: now)
    }
    let report = try await job(scene).run()
    #expect((report.refused, report.isComplete) == (1, true))
    #expect(scene.appStore.serverAPIRequests.isEmpty)
    #expect(scene.incidents.all.count == 1)
  }

  @Test("a customer whose history cannot be recorded doesn't keep the others from being migrated")
  func passedOver() async throws {
    let scene = try await ServerScene(receipts: true)
    let purchases = try await receipts(["one", "two", "three"], scene)
    let id = purchases[1].originalTransactionID
    let changed = ChangedAnswers(base: scene.appStore) { request, response in
      if request.url.contains("/history/\(id)") {
        response = HTTPResponseMessage(status: .ok, body: Array("null".utf8))
      }
    }
    let client = try ServerScene.client(of: scene.appStore, changed, scene.scene.verifier())
    let report = try await job(scene, client: client).run()
    #expect((report.migrated, report.failed, report.isComplete) == (2, 1, true))
  }

  @Test("only one process works at a time")
  func leased() async throws {
    let scene = try await ServerScene()
    let now = scene.appStore.now
    _ = try await scene.scene.store.write { records in
      try await records.jobs.lease(
        job: "receipt-migration", now: now, until: now + 60, token: "other")
    }
    #expect(try await job(scene).run().isLeasedElsewhere)
  }
}
