import Foundation
import HTTPMessages
import StorekeeperLocks
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import ReceiptVerifier

/// A transport that gives scripted answers, the last one repeatedly, and records the requests.
final class ScriptedTransport: HTTPTransport {
  enum Step: Sendable {
    case response(HTTPResponseMessage)
    case failure(any Error)
    /// Waits until the task is cancelled.
    case silence
    /// Waits until the stream ends, whether or not the task is cancelled.
    case deafness(until: AsyncStream<Void>)

    /// HTTP 200 with a body.
    static func body(_ text: String) -> Step {
      .response(HTTPResponseMessage(status: .ok, body: Array(text.utf8)))
    }

    /// HTTP 200 with only a status of Apple's.
    static func status(_ code: Int) -> Step { body(#"{"status":\#(code)}"#) }

    /// HTTP 200 with a valid receipt.
    static func valid(_ change: (inout [String: JSONValue]) -> Void = { _ in }) -> Step {
      .response(VerifyReceiptScene.validResponse(change))
    }
  }

  private let steps: [Step]
  private let taken = Locked<[HTTPRequestMessage]>([])

  init(_ steps: [Step]) {
    self.steps = steps
  }

  var requests: [HTTPRequestMessage] { taken.withLock { $0 } }

  /// The server of each request.
  var servers: [VerifyReceiptServer?] {
    requests.map { request in VerifyReceiptServer.allCases.first { $0.url == request.url } }
  }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    let count = taken.withLock { requests in
      requests.append(request)
      return requests.count
    }
    switch steps[min(count, steps.count) - 1] {
    case .response(let response): return response
    case .failure(let error): throw error
    case .deafness(let end):
      await Task.detached { for await _ in end {} }.value
      throw HTTPTransportFailure(.timedOut)
    case .silence:
      try await Task.sleep(for: .seconds(3600))
      throw HTTPTransportFailure(.timedOut)
    }
  }
}

/// A clock on which each sleep returns at once, moves the time and is recorded.
final class SleeplessClock: Clock {
  struct Instant: InstantProtocol {
    let elapsed: Duration
    func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
    func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    static func < (one: Instant, other: Instant) -> Bool { one.elapsed < other.elapsed }
  }

  private let state = Locked((now: Duration.zero, sleeps: [Duration]()))

  /// Returns whether a sleep is a pause; deadlines end only by cancellation.
  private let isPause: @Sendable (Duration) -> Bool

  init(isPause: @escaping @Sendable (Duration) -> Bool = { $0 <= .seconds(20) }) {
    self.isPause = isPause
  }

  var now: Instant { Instant(elapsed: state.withLock { $0.now }) }
  var minimumResolution: Duration { .zero }
  /// The recorded pauses.
  var sleeps: [Duration] { state.withLock { $0.sleeps } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let pause = now.duration(to: deadline)
    guard isPause(pause) else { return try await Task.sleep(for: .seconds(3600)) }
    state.withLock { state in
      state.sleeps.append(pause)
      state.now += pause
    }
  }
}

enum VerifyReceiptScene {
  static let bundleID = "com.example.reader"
  static let secret = "0123456789abcdef0123456789abcdef"
  static let now = Date(timeIntervalSince1970: 1_700_000_000)
  /// The shortest input that is recognized as an app receipt.
  static let receipt = Base64.encode(
    [0x30, 0x82, 0x01, 0x00] + [UInt8](repeating: 7, count: 256), .standard)

  /// Apple's answer for a valid receipt with one subscription.
  static func validResponse(
    _ change: (inout [String: JSONValue]) -> Void = { _ in }
  ) -> HTTPResponseMessage {
    let transaction: [String: JSONValue] = [
      "transaction_id": .string("1001"), "original_transaction_id": .string("1000"),
      "product_id": .string("reader.monthly"), "purchase_date_ms": .string("1699990000000"),
      "expires_date_ms": .string("1702600000000"),
    ]
    var members: [String: JSONValue] = [
      "status": .integer(0),
      "receipt": .object([
        "bundle_id": .string(bundleID), "request_date_ms": .string("1700000001500"),
        "in_app": .array([.object(transaction)]),
      ]),
      "latest_receipt_info": .array([.object(transaction)]),
    ]
    change(&members)
    return HTTPResponseMessage(status: .ok, body: JSONValue.object(members).serialized)
  }

  static func client(
    _ transport: any HTTPTransport, secret: String? = secret,
    clock: any Clock<Duration> = SleeplessClock(), chance: Double = 0,
    _ change: (inout VerifyReceiptClient.Configuration) -> Void = { _ in }
  ) throws -> VerifyReceiptClient {
    var configuration = VerifyReceiptClient.Configuration()
    configuration.environments = [.production, .sandbox]
    configuration.clock = clock
    configuration.now = { now }
    configuration.chance = { chance }
    change(&configuration)
    return try VerifyReceiptClient(
      transport: transport, bundleIDs: [bundleID], sharedSecret: secret.map(AppSharedSecret.init),
      configuration: configuration)
  }

  /// Returns the reason why a receipt does not verify with this answer; nil if it does.
  static func failure(
    _ steps: ScriptedTransport.Step...,
    change: (inout VerifyReceiptClient.Configuration) -> Void = { _ in }
  ) async throws -> VerifyReceiptFailure? {
    try await failure(of: client(ScriptedTransport(steps), change))
  }

  static func failure(
    of client: VerifyReceiptClient, startingAt server: VerifyReceiptServer = .production
  ) async throws -> VerifyReceiptFailure? {
    do {
      _ = try await client.verify(base64: receipt, startingAt: server)
      return nil
    } catch let failure as VerifyReceiptFailure {
      return failure.withoutAnswer
    }
  }
}

extension VerifyReceiptFailure {
  /// The same failure without the answer that caused it.
  var withoutAnswer: VerifyReceiptFailure {
    switch self {
    case .refused(let refusal, _): .refused(refusal)
    case .transient(let failure, _): .transient(failure)
    }
  }
}

/// Returns the reason why a verification failed, without the answer; nil for success or another
/// error.
func reason(_ body: () async throws -> VerifiedReceipt) async -> VerifyReceiptFailure? {
  do {
    _ = try await body()
    return nil
  } catch {
    return (error as? VerifyReceiptFailure)?.withoutAnswer
  }
}
