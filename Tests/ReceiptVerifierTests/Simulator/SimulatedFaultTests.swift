import HTTPMessages
import ReceiptModels
import ReceiptVerifier
import StoreSimulators
import StorekeeperTesting
import Testing

@Suite("Faults of the simulated App Store", .timeLimit(.minutes(30)))
struct SimulatedFaultTests {
  private let scene: SimulatorScene
  private let purchase: TestPurchase
  private var appStore: AppStoreSimulator { scene.appStore }

  init() throws {
    scene = try SimulatorScene()
    purchase = try scene.appStore.buy("reader.monthly")
  }

  @Test(
    "faults that pass are survived",
    arguments: [
      AppStoreSimulator.Fault.status(.malformedReceipt), .status(.serverUnavailable),
      .status(.internalError), .internalDataAccess(isRetryable: true), .httpStatus(503), .html,
      .brokenJSON, .transportFailure(.interrupted), .transportFailure(.notConnected),
    ])
  func passing(fault: AppStoreSimulator.Fault) async throws {
    appStore.fail(next: 2, with: fault)
    #expect(try await scene.receipt(purchase).attempts == 3)
    #expect(appStore.requests.map(\.fault) == [fault, fault, nil])
  }

  @Test(
    "faults that stay change nothing that a customer has",
    arguments: [
      (
        AppStoreSimulator.Fault.status(.malformedReceipt),
        VerifyReceiptTransientFailure.malformedReceipt
      ),
      (.status(.sharedSecretMismatch), .sharedSecretMismatch),
      (
        .internalDataAccess(isRetryable: false),
        .internalDataAccess(VerifyReceiptStatus(rawValue: 21100))
      ),
      (.httpStatus(503), .httpStatus(503)), (.html, .answerNotJSON), (.brokenJSON, .answerNotJSON),
      (.transportFailure(.timedOut), .transport(.timedOut)),
      (.transportFailure(.untrustedPeer), .transport(.untrustedPeer)),
    ])
  func staying(fault: AppStoreSimulator.Fault, failure: VerifyReceiptTransientFailure) async throws
  {
    appStore.fail(next: 10, with: fault)
    #expect(try await scene.failure(purchase) == .transient(failure))
    appStore.stopFailing()
    #expect(try await scene.failure(purchase) == nil)
  }

  @Test(
    "Apple's refusals are refusals",
    arguments: [VerifyReceiptStatus.notAuthenticated, .accountNotFound])
  func refusals(status: VerifyReceiptStatus) async throws {
    appStore.fail(with: .status(status, isRetryable: false))
    let failure = try await scene.failure(purchase)
    guard case .refused(let refusal, _)? = failure else {
      Issue.record("\(String(describing: failure)) is no refusal")
      return
    }
    #expect(refusal.permitsRevocation)
    #expect(appStore.requests.count == 1)
  }

  @Test(
    "both spellings of the flag are read",
    arguments: [AppStoreSimulator.RetryableSpelling.sent, .documented])
  func spellings(spelling: AppStoreSimulator.RetryableSpelling) async throws {
    let status = VerifyReceiptStatus(rawValue: 21199)
    appStore.fail(with: .status(status, isRetryable: false, spelling: spelling))
    #expect(try await scene.failure(purchase) == .transient(.internalDataAccess(status)))
  }

  @Test("a delayed answer comes when the clock was moved")
  func delay() async throws {
    appStore.fail(with: .delay(.seconds(5)))
    let client = try client(deadline: .seconds(30))
    async let receipt = client.verify(base64: purchase.receipt)
    // The delay and the client's deadline.
    await appStore.clock.sleepers(reach: 2)
    appStore.clock.advance(by: .seconds(5))
    #expect(try await receipt.attempts == 1)
  }

  @Test("an answer that is delayed beyond the deadline does not come")
  func longDelay() async throws {
    appStore.fail(with: .delay(.seconds(60)))
    let client = try client(deadline: .seconds(30))
    let task = Task { try await client.verify(base64: purchase.receipt) }
    await appStore.clock.sleepers(reach: 2)
    appStore.clock.advance(by: .seconds(30))
    await #expect(throws: VerifyReceiptFailure.self) { try await task.value }
    #expect(appStore.requests.count == 1)
  }

  @Test("cancelling ends a delay")
  func cancelled() async throws {
    appStore.fail(with: .delay(.seconds(5)))
    let client = try client(deadline: .seconds(30))
    let task = Task { try await client.verify(base64: purchase.receipt) }
    await appStore.clock.sleepers(reach: 2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("received requests are reported without receipts and secrets")
  func redaction() async throws {
    _ = try await scene.receipt(purchase)
    var text = ""
    dump(appStore.requests, to: &text)
    dump(purchase, to: &text)
    print(appStore, purchase, to: &text)
    #expect(text.contains("hasPassword: true"))
    #expect(!text.contains("0123456789abcdef"))
    #expect(!text.contains(try purchase.receipt.prefix(40)))
  }

  @Test("many customers buy and ask at a time")
  func concurrency() async throws {
    try await withThrowingTaskGroup(of: String?.self) { group in
      for number in 0..<50 {
        group.addTask {
          let purchase = try appStore.buy("reader.monthly", by: "customer \(number)")
          try appStore.renew(purchase)
          let summary = try await scene.summary(purchase)
          return summary?.originalTransactionID == purchase.originalTransactionID
            ? purchase.originalTransactionID : nil
        }
      }
      var ids: Set<String?> = []
      for try await id in group { ids.insert(id) }
      #expect(ids.count == 50 && !ids.contains(nil))
    }
  }

  /// Creates a client with the simulator's time.
  private func client(deadline: Duration) throws -> VerifyReceiptClient {
    var configuration = VerifyReceiptClient.Configuration()
    configuration.deadline = deadline
    configuration.clock = appStore.clock
    return try VerifyReceiptClient(
      transport: appStore, bundleIDs: [SimulatorScene.bundleID],
      sharedSecret: appStore.sharedSecret, configuration: configuration)
  }
}
