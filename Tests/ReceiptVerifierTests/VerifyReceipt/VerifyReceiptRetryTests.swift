import HTTPMessages
import JSONValues
import ReceiptModels
import ReceiptVerifier
import StoreSimulators
import StorekeeperTesting
import Testing

@Suite("Retries of verifyReceipt", .timeLimit(.minutes(30)))
struct VerifyReceiptRetryTests {
  private typealias Scene = VerifyReceiptScene

  @Test(
    "trouble on the way is repeated, three questions in all",
    arguments: [
      (
        ScriptedTransport.Step.failure(HTTPTransportFailure(.notConnected)),
        VerifyReceiptTransientFailure.transport(.notConnected)
      ),
      (.failure(HTTPTransportFailure(.interrupted)), .transport(.interrupted)),
      (.failure(HTTPTransportFailure(.timedOut)), .transport(.timedOut)),
      (.response(HTTPResponseMessage(status: 503, body: Array("<html>".utf8))), .httpStatus(503)),
      (.response(HTTPResponseMessage(status: 500)), .httpStatus(500)),
      (
        .response(HTTPResponseMessage(status: 599, body: Array(#"{"status":0}"#.utf8))),
        .httpStatus(599)
      ),
      (.body("<html><body>Unavailable</body></html>"), .answerNotJSON),
      (.body(""), .answerNotJSON), (.body(#"{"status":0"#), .answerNotJSON),
      (.status(21002), .malformedReceipt), (.status(21005), .serverUnavailable(.serverUnavailable)),
    ])
  func repeated(step: ScriptedTransport.Step, failure: VerifyReceiptTransientFailure) async throws {
    let transport = ScriptedTransport([step])
    #expect(try await Scene.failure(of: Scene.client(transport)) == .transient(failure))
    #expect(transport.requests.count == 3)

    let once = ScriptedTransport([step, .valid()])
    #expect(try await Scene.client(once).verify(base64: Scene.receipt).attempts == 2)
  }

  @Test(
    "what a repetition cannot change is not repeated",
    arguments: [
      (
        ScriptedTransport.Step.failure(HTTPTransportFailure(.untrustedPeer)),
        VerifyReceiptTransientFailure.transport(.untrustedPeer)
      ),
      (.failure(HTTPTransportFailure(.responseTooLarge)), .transport(.responseTooLarge)),
      (.failure(HTTPTransportFailure(.invalidRequest)), .transport(.invalidRequest)),
      (.failure(ScriptFailure()), .transport(nil)),
      (.failure(CancellationError()), .transport(nil)),
      (.response(HTTPResponseMessage(status: 404)), .httpStatus(404)),
      (.response(HTTPResponseMessage(status: 302, headers: [.location: "/"])), .httpStatus(302)),
      (
        .body("{}"),
        .answerMalformed(FieldTypeFailure(path: "status", expected: .integer, found: .absent))
      ),
      (.body("[]"), .answerMalformed(FieldTypeFailure(expected: .object, found: .array))),
    ])
  func notRepeated(step: ScriptedTransport.Step, failure: VerifyReceiptTransientFailure)
    async throws
  {
    let transport = ScriptedTransport([step, .valid()])
    #expect(try await Scene.failure(of: Scene.client(transport)) == .transient(failure))
    #expect(transport.requests.count == 1)
  }

  @Test("21002 is repeated twice, however many attempts are allowed")
  func malformed() async throws {
    let transport = ScriptedTransport([.status(21002)])
    let client = try Scene.client(transport) { $0.retries.attempts = 10 }
    #expect(try await Scene.failure(of: client) == .transient(.malformedReceipt))
    #expect(transport.requests.count == 3)
  }

  @Test("a server is asked as often as the policy allows", arguments: [1, 2, 6])
  func attempts(count: Int) async throws {
    let transport = ScriptedTransport([.status(21009)])
    let client = try Scene.client(transport) { $0.retries.attempts = count }
    #expect(
      try await Scene.failure(of: client) == .transient(.serverUnavailable(.internalError)))
    #expect(transport.requests.count == count)
  }

  // MARK: Pauses

  @Test("pauses double up to the longest, and chance shortens them", arguments: [0.0, 0.5, 1.0])
  func pauses(chance: Double) async throws {
    let clock = SleeplessClock()
    let client = try Scene.client(
      ScriptedTransport([.status(21005)]), clock: clock, chance: chance
    ) {
      $0.retries.attempts = 6
      $0.retries.longestPause = .seconds(3)
      $0.deadline = .seconds(100)
    }
    _ = try await Scene.failure(of: client)
    let full: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(3)]
    #expect(clock.sleeps == full.map { $0 * (1 - chance / 2) })
  }

  @Test(
    "a pause never leaves its bounds", arguments: [Int.min, 0, 1, 2, 40, Int.max],
    [-1, 0, 0.3, 1, 7, .infinity, .nan])
  func bounds(attempts: Int, chance: Double) {
    var policy = RetryPolicy()
    for jitter in [-1, 0, 0.5, 1, 9, .nan, -.infinity] {
      policy.jitter = jitter
      let pause = policy.pause(after: attempts, chance: chance)
      #expect(pause >= .zero && pause <= policy.longestPause)
    }
  }

  // MARK: Time

  @Test("no pause goes beyond the deadline: the last failure is thrown instead")
  func deadlineBetween() async throws {
    let clock = SleeplessClock { [0.5, 1, 2, 4].map(Duration.seconds).contains($0) }
    let transport = ScriptedTransport([.status(21005)])
    let client = try Scene.client(transport, clock: clock) {
      $0.retries.attempts = 100
      $0.deadline = .seconds(10)
    }
    #expect(
      try await Scene.failure(of: client) == .transient(.serverUnavailable(.serverUnavailable)))
    // 0.5 + 1 + 2 + 4 seconds; the next pause would be 8.
    #expect(transport.requests.count == 5)
    #expect(transport.requests.map(\.timeout) == [10, 9.5, 8.5, 6.5, 2.5].map { .seconds($0) })
  }

  @Test("an exchange that never ends ends with the deadline")
  func deadlineWithin() async throws {
    let clock = ManualClock()
    let client = try Scene.client(ScriptedTransport([.silence]), clock: clock)
    async let failure = Scene.failure(of: client)
    await clock.sleepers(reach: 1)
    clock.advance(by: .seconds(30))
    #expect(try await failure == .transient(.timeUp))
  }

  @Test(
    "the deadline holds and cancelling works with a transport that listens to neither",
    .timeLimit(.minutes(30)))
  func deafTransport() async throws {
    let clock = ContinuousClock()
    // The transport ends only after the test, so a task that waits for it would wait forever.
    let (end, over) = AsyncStream.makeStream(of: Void.self)
    defer { over.finish() }
    let client = try Scene.client(ScriptedTransport([.deafness(until: end)]), clock: clock) {
      $0.deadline = .milliseconds(50)
    }
    #expect(try await Scene.failure(of: client) == .transient(.timeUp))
    let (otherEnd, otherOver) = AsyncStream.makeStream(of: Void.self)
    defer { otherOver.finish() }
    let task = Task {
      try await Scene.client(ScriptedTransport([.deafness(until: otherEnd)]), clock: clock)
        .verify(base64: Scene.receipt)
    }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("any length of time is understood")
  func longTimes() async throws {
    let transport = ScriptedTransport([.status(21005), .valid()])
    let client = try Scene.client(transport, clock: ContinuousClock()) {
      $0.deadline = .seconds(Int64.max)
      $0.retries.firstPause = .milliseconds(1)
      $0.retries.longestPause = .seconds(Int64.max)
      $0.retries.jitter = .nan
    }
    #expect(try await client.verify(base64: Scene.receipt).attempts == 2)
    #expect(transport.requests.first.map { ($0.timeout ?? .zero) <= .days(1) } == true)
  }

  @Test("cancelling ends an exchange")
  func cancelledWithin() async throws {
    let clock = ManualClock()
    let client = try Scene.client(ScriptedTransport([.silence]), clock: clock)
    let task = Task { try await client.verify(base64: Scene.receipt) }
    await clock.sleepers(reach: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("cancelling ends a pause")
  func cancelledBetween() async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport([.status(21005)])
    let client = try Scene.client(transport, clock: clock)
    let task = Task { try await client.verify(base64: Scene.receipt) }
    while transport.requests.isEmpty { await Task.yield() }
    await clock.sleepers(reach: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(transport.requests.count == 1)
  }

  @Test("a hundred verifications at a time do not disturb each other")
  func concurrency() async throws {
    let transport = ScriptedTransport([.valid()])
    let client = try Scene.client(transport, clock: ContinuousClock())
    try await withThrowingTaskGroup(of: VerifiedReceipt.self) { group in
      for _ in 0..<100 { group.addTask { try await client.verify(base64: Scene.receipt) } }
      for try await receipt in group { #expect(receipt.attempts == 1) }
    }
    #expect(transport.requests.count == 100)
  }
}

private struct ScriptFailure: Error {}
