internal import JSONValues
internal import HTTPMessages
internal import JWSVerifier
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension VerifyReceiptClient {
  /// The final answer of a server, with content that is not checked yet.
  struct Answered {
    let server: VerifyReceiptServer
    /// The decoded answer, or nil if the receipt belongs to the other server.
    let response: VerifyReceiptResponse?
    let body: [UInt8]
    let attempts: Int
  }

  /// Asks one server, then the other if the receipt belongs there, and checks the last answer.
  func verify(
    _ payload: ReceiptPayload, startingAt first: VerifyReceiptServer
  ) async throws -> VerifiedReceipt {
    let deadline = uptime.elapsed + min(configuration.deadline, Self.longestDeadline)
    var attempts = 0
    let body = requestBody(payload)
    var answered = try await ask(first, body, before: deadline, &attempts)
    if answered.response == nil, configuration.fallbacks.contains(first.other) {
      answered = try await ask(first.other, body, before: deadline, &attempts)
    }
    do throws(VerifyReceiptFailure) {
      guard let response = answered.response else {
        throw .refused(.wrongServer(answered.server.redirection))
      }
      return try judge(response, in: answered)
    } catch {
      throw error.following(from: answered.body)
    }
  }

  /// The upper limit of the deadline; clocks cannot wait for an arbitrary time.
  private static let longestDeadline = Duration.seconds(86_400)

  /// Asks a server, with retries, until it gives a final answer.
  private func ask(
    _ server: VerifyReceiptServer, _ body: [UInt8], before deadline: Duration,
    _ attempts: inout Int
  ) async throws -> Answered {
    var repetitions = Repetitions(policy: configuration.retries)
    while true {
      attempts += 1
      let (answer, bytes) = try await answer(of: server, to: body, before: deadline)
      switch answer {
      case .valid(let response):
        return Answered(server: server, response: response, body: bytes, attempts: attempts)
      case .otherServer:
        return Answered(server: server, response: nil, body: bytes, attempts: attempts)
      case .failure(let failure, let repetition):
        let named = failure.pause(from: now())
        guard let usual = repetitions.pause(after: repetition, chance: chance()),
          case let pause = max(usual, named), uptime.elapsed + pause < deadline
        else { throw bytes.isEmpty ? failure : failure.following(from: bytes) }
        try await clock.sleep(for: pause)
      }
    }
  }

  /// Sends one request; returns the answer and its bytes.
  private func answer(
    of server: VerifyReceiptServer, to body: [UInt8], before deadline: Duration
  ) async throws -> (VerifyReceiptAnswer, [UInt8]) {
    try Task.checkCancellation()
    let rest = deadline - uptime.elapsed
    guard rest > .zero else { throw VerifyReceiptFailure.transient(.timeUp) }
    let request = request(to: server, body, timeout: rest)
    let transport = transport
    let waited = await clock.wait(atMost: rest) { () -> Result<HTTPResponseMessage, any Error>? in
      do { return .success(try await transport.send(request)) } catch { return .failure(error) }
    }
    try Task.checkCancellation()
    switch waited {
    case .value(.success(let response)):
      let limit = configuration.responseLimit
      let answer = VerifyReceiptAnswer(response, from: server, limit: limit, at: now())
      return (answer, response.body.count <= limit ? response.body : [])
    case .value(.failure(let error)): return (VerifyReceiptAnswer(transportError: error), [])
    case .timeUp, .cancelled: throw VerifyReceiptFailure.transient(.timeUp)
    }
  }

  private func requestBody(_ payload: ReceiptPayload) -> [UInt8] {
    VerifyReceiptRequest(
      receiptData: payload.base64, password: sharedSecret?.text,
      excludeOldTransactions: configuration.excludesOldTransactions
    ).json.serialized
  }

  private func request(
    to server: VerifyReceiptServer, _ body: [UInt8], timeout: Duration
  ) -> HTTPRequestMessage {
    var request = HTTPRequestMessage(
      method: .post, url: configuration.urls[server] ?? server.url,
      headers: [.contentType: "application/json", .accept: "application/json"],
      body: body, timeout: timeout, responseLimit: configuration.responseLimit)
    request.call = "verifyReceipt"
    return request
  }
}

extension VerifyReceiptFailure {
  /// Returns the pause that Apple asked for, or none.
  fileprivate func pause(from now: Date) -> Duration {
    guard case .transient(.httpStatus(_, let date?), _) = self else { return .zero }
    return .seconds(max(0, date.timeIntervalSince(now)))
  }
}

/// The retries of a request to one server.
private struct Repetitions {
  /// The maximum number of retries after 21002.
  private static let limitOfTwice = 2

  let policy: RetryPolicy
  private var attempts = 0
  private var doubtful = 0

  init(policy: RetryPolicy) {
    self.policy = policy
  }

  /// Returns the pause before the next attempt, or nil for no further attempt.
  mutating func pause(after repetition: VerifyReceiptAnswer.Repetition, chance: Double) -> Duration?
  {
    attempts += 1
    if repetition == .twice { doubtful += 1 }
    guard repetition != .never, attempts < policy.attempts, doubtful <= Self.limitOfTwice else {
      return nil
    }
    return policy.pause(after: attempts, chance: chance)
  }
}
