import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("Patience and cancellation") struct PatienceTests {
  @Test("The deadline is one for all tries and pauses", arguments: [1, 7, 60, 600])
  func deadline(_ seconds: Int) async throws {
    let scene = try ClientScene([.status(503)]) { $0.attempts = 1000 }
    let failure = try await failure {
      try await scene.client.transactionInfo("1", in: .sandbox, patience: .seconds(seconds))
    }
    #expect(failure.status?.code == 503)
    #expect(failure.retry == .afterBackOff)
    #expect(scene.clock.now.elapsed <= .seconds(seconds))
    // The pauses: 0.5, 1, 2, … seconds.
    #expect(scene.sent == (seconds == 1 ? 2 : seconds == 7 ? 4 : seconds == 60 ? 7 : 25))
  }

  @Test("The configured patience holds if the call names none")
  func configured() async throws {
    let scene = try ClientScene([.status(503)]) { configuration in
      configuration.attempts = 1000
      configuration.patience = .seconds(3)
    }
    _ = try await failure { try await scene.client.transactionInfo("1", in: .sandbox) }
    #expect(scene.clock.now.elapsed <= .seconds(3))
    #expect(scene.sent == 3)
  }

  @Test("Without patience nothing is sent", arguments: [Duration.zero, .seconds(-1)])
  func none(_ patience: Duration) async throws {
    let scene = try ClientScene([.status(200)])
    let failure = try await failure {
      try await scene.client.finishTransaction("1", in: .sandbox, patience: patience)
    }
    guard case .timeUp = failure.reason else {
      Issue.record("\(failure)")
      return
    }
    #expect(scene.sent == 0)
  }

  @Test("The patience of a report covers all its requests")
  func report() async throws {
    let clock = LeapingClock()
    let transport = ScriptedTransport { request, _ in
      clock.pass(min(.seconds(2), request.timeout ?? .zero))
      throw HTTPTransportFailure(.timedOut)
    }
    let scene = try ClientScene(transport, clock: clock) { $0.attempts = 1000 }
    _ = try await failure {
      try await scene.client.sendExternalPurchaseReport(
        ExternalPurchaseReport(
          requestIdentifier: SampleCall.uuid, externalPurchaseID: "SANDBOX1", status: .noLineItem),
        patience: .seconds(5))
    }
    #expect(clock.now.elapsed <= .seconds(5))
    #expect(scene.sent <= 3)
  }

  @Test(
    "Pauses double, and are shortened by chance to a half at most",
    arguments: [(0.0, 1.0), (0.5, 0.75), (1.0, 0.5)])
  func jitter(_ chance: Double, _ factor: Double) async throws {
    let scene = try ClientScene([.status(503)], chance: chance) { configuration in
      configuration.attempts = 9
      configuration.patience = .seconds(3600)
    }
    _ = try await failure { try await scene.client.transactionInfo("1", in: .sandbox) }
    let pauses = [0.5, 1, 2, 4, 8, 16, 30, 30].map { Duration.seconds($0 * factor) }
    #expect(scene.clock.sleeps == pauses)
  }

  @Test("A request ends with the patience, or its own time limit")
  func requestTimeout() async throws {
    let scene = try ClientScene([.status(200)])
    try await scene.client.finishTransaction("1", in: .sandbox, patience: .seconds(7))
    try await scene.client.finishTransaction("1", in: .sandbox, patience: .seconds(70))
    #expect(scene.requests.map(\.timeout) == [.seconds(7), .seconds(30)])
  }

  // MARK: With a transport that never answers

  /// An end that a transport waits for, whatever else happens.
  private final class End: Sendable {
    private let waiting = Locked<(isOver: Bool, [CheckedContinuation<Void, Never>])>((false, []))

    func wait() async {
      await withCheckedContinuation { continuation in
        let isOver = waiting.withLock { waiting in
          if !waiting.isOver { waiting.1.append(continuation) }
          return waiting.isOver
        }
        if isOver { continuation.resume() }
      }
    }

    func come() {
      let waiters = waiting.withLock { waiting in
        let waiters = waiting.1
        waiting = (true, [])
        return waiters
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  /// A client whose transport ignores time limits and cancellation.
  private struct Stalled {
    let clock = ManualClock()
    let end = End()
    let transport: ScriptedTransport
    let client: AppStoreServerClient

    init(
      key: (any SigningKeyProvider)? = nil,
      answer: ScriptedTransport.Answer? = nil
    ) throws {
      let stalling: ScriptedTransport.Answer = { [end] _, _ in
        await end.wait()
        throw CancellationError()
      }
      transport = ScriptedTransport(answer ?? stalling)
      let parts = try ClientScene.shared.get()
      var configuration = AppStoreServerClient.Configuration()
      configuration.limiter = RequestLimiter(clock: clock)
      configuration.clock = clock
      configuration.now = { ClientScene.begin }
      configuration.chance = { 0 }
      client = try AppStoreServerClient(
        key: try key ?? SigningKey(pem: parts.pem, keyID: ClientScene.keyID),
        issuerID: ClientScene.issuerID, bundleID: ClientScene.bundleID,
        verifier: try ClientScene.verifier(), transport: transport,
        configuration: configuration)
    }
  }

  @Test("A transport that ignores its time limit is left behind", .timeLimit(.minutes(30)))
  func ignoredTimeout() async throws {
    let scene = try Stalled()
    defer { scene.end.come() }
    async let ended = failure {
      try await scene.client.extendSubscriptionRenewalDate(
        ExtendRenewalDateRequest(
          extendByDays: 1, extendReasonCode: .other, requestIdentifier: "a"),
        of: "1", in: .production)
    }
    await scene.clock.sleepers(reach: 1)
    scene.clock.advance(by: .seconds(30))
    let failure = try await ended
    guard case .transport(.timedOut) = failure.reason else {
      Issue.record("\(failure)")
      return
    }
    #expect(failure.retry == .never)
    #expect(scene.transport.requests.count == 1)
  }

  @Test("A call that is cancelled during a request ends", .timeLimit(.minutes(30)))
  func cancelledRequest() async throws {
    let scene = try Stalled()
    defer { scene.end.come() }
    let task = Task {
      try await failure { try await scene.client.finishTransaction("1", in: .production) }
    }
    await scene.clock.sleepers(reach: 1)
    task.cancel()
    try await isCancelled(task)
    #expect(scene.transport.requests.count == 1)
  }

  @Test("A call that is cancelled during a pause ends", .timeLimit(.minutes(30)))
  func cancelledPause() async throws {
    let scene = try Stalled { _, _ in HTTPResponseMessage(status: 503) }
    let task = Task {
      try await failure { try await scene.client.finishTransaction("1", in: .production) }
    }
    await scene.clock.sleepers(reach: 1)
    task.cancel()
    try await isCancelled(task)
    #expect(scene.transport.requests.count == 1)
  }

  @Test("A call that is cancelled while the limiter holds it back ends", .timeLimit(.minutes(30)))
  func cancelledTurn() async throws {
    let scene = try Stalled { _, _ in HTTPResponseMessage(status: 200) }
    try await scene.client.deleteRealtimeURL(in: .production)
    let task = Task {
      try await failure { try await scene.client.deleteRealtimeURL(in: .production) }
    }
    await scene.clock.sleepers(reach: 1)
    task.cancel()
    try await isCancelled(task)
    #expect(scene.transport.requests.count == 1)
  }

  @Test(
    "A call that is cancelled while the key is looked up sends nothing", .timeLimit(.minutes(30)))
  func cancelledKey() async throws {
    struct Provider: SigningKeyProvider {
      let key: SigningKey
      let clock: ManualClock
      func signingKey() async throws -> SigningKey {
        // Ignores the cancellation.
        try? await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
        return key
      }
    }
    let clock = ManualClock()
    let parts = try ClientScene.shared.get()
    let key = try SigningKey(pem: parts.pem, keyID: ClientScene.keyID)
    let scene = try Stalled(key: Provider(key: key, clock: clock)) { _, _ in
      HTTPResponseMessage(status: 200)
    }
    let task = Task {
      try await failure { try await scene.client.finishTransaction("1", in: .production) }
    }
    await clock.sleepers(reach: 1)
    task.cancel()
    try await isCancelled(task)
    #expect(scene.transport.requests.isEmpty)
  }

  @Test("A cancelled task sends nothing")
  func cancelledBefore() async throws {
    let scene = try Stalled { _, _ in HTTPResponseMessage(status: 200) }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await failure { try await scene.client.finishTransaction("1", in: .production) }
    }
    task.cancel()
    try await isCancelled(task)
    #expect(scene.transport.requests.isEmpty)
  }

  private func isCancelled(_ task: Task<AppStoreServerFailure, any Error>) async throws {
    let failure = try await task.value
    guard case .cancelled = failure.reason else {
      Issue.record("\(failure)")
      return
    }
  }
}
