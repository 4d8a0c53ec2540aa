internal import HTTPMessages
internal import JSONValues
internal import JWSVerifier
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension AppStoreServerClient {
  /// Sends a request to one server, with retries, until there is an answer with a status of success.
  func send(
    _ exchange: inout Exchange, to environment: AppStoreEnvironment
  ) async throws(AppStoreServerFailure) -> ServerAnswer {
    exchange.attempts = 0
    exchange.internalErrors = 0
    while true {
      exchange.attempts += 1
      do throws(AppStoreServerFailure) {
        return try await sendOnce(exchange, to: environment)
      } catch {
        var error = error
        if exchange.isUncertain, let code = error.code {
          if exchange.request.endpoint.isArrival(code) {
            return ServerAnswer(
              endpoint: exchange.request.endpoint, environment: environment,
              status: error.status ?? .ok, body: [])
          }
          error.hasArrived = code == .repeatedRequestReferenceID
        }
        exchange.isUncertain = exchange.isUncertain || error.isUncertain
        if error.code == .generalInternal { exchange.internalErrors += 1 }
        error.mayHaveArrived = exchange.isUncertain
        guard let pause = pause(after: error, exchange) else { throw error }
        try await sleep(pause, error)
      }
    }
  }

  /// Returns the pause before the next attempt, or nil if there is none.
  private func pause(after failure: AppStoreServerFailure, _ exchange: Exchange) -> Duration? {
    guard exchange.attempts < configuration.attempts else { return nil }
    let rest = exchange.end - uptime.elapsed
    switch failure.retry {
    case .never, .otherEnvironment, .startOver: return nil
    case .notBefore(let date):
      let wait = Duration.seconds(max(0, date.timeIntervalSince(now())))
      return wait < rest ? wait : nil
    case .afterBackOff:
      if failure.code == .generalInternal {
        // Apple doesn't list this one among its errors to retry.
        guard exchange.request.endpoint.method == .get, exchange.internalErrors == 1 else {
          return nil
        }
      }
      // The limiter said that there is no time left.
      if case .limited = failure.reason { return nil }
      let named = failure.retryAfter.map { Duration.seconds(max(0, $0.timeIntervalSince(now()))) }
      let pause = max(
        named ?? .zero, backOff.pause(after: exchange.attempts, chance: chance()))
      return pause < rest ? pause : nil
    }
  }

  private var backOff: BackOff {
    BackOff(first: configuration.firstPause, longest: .seconds(30), jitter: 0.5...1)
  }

  private func sleep(
    _ pause: Duration, _ failure: AppStoreServerFailure
  ) async throws(AppStoreServerFailure) {
    do {
      try await clock.sleep(for: pause)
    } catch {
      throw AppStoreServerFailure(.cancelled, of: failure.endpoint, in: failure.environment)
    }
  }

  private func sendOnce(
    _ exchange: Exchange, to environment: AppStoreEnvironment
  ) async throws(AppStoreServerFailure) -> ServerAnswer {
    let endpoint = exchange.request.endpoint
    let lane = RequestLimiter.Lane(
      endpoint: endpoint, bundleID: bundleID, environment: environment)
    try await waitForTurn(in: lane, before: exchange.end)
    let rest = exchange.end - uptime.elapsed
    guard rest > .zero else {
      throw AppStoreServerFailure(.timeUp, of: endpoint, in: environment, retry: .afterBackOff)
    }
    let timeout = min(rest, configuration.timeout)
    let request = try await request(exchange.request, to: environment, timeout: timeout)
    guard !Task.isCancelled else {
      throw AppStoreServerFailure(.cancelled, of: endpoint, in: environment)
    }
    let transport = transport
    let waited = await clock.wait(atMost: timeout) {
      () -> Result<HTTPResponseMessage, any Error>? in
      do { return .success(try await transport.send(request)) } catch { return .failure(error) }
    }
    guard !Task.isCancelled else {
      throw AppStoreServerFailure(.cancelled, of: endpoint, in: environment)
    }
    let reader = AnswerReader(client: self, endpoint: endpoint, environment: environment)
    switch waited {
    case .value(.success(let response)):
      do throws(AppStoreServerFailure) {
        return try reader.answer(response)
      } catch {
        if error.isTooManyRequests { pause(lane, after: error, exchange.attempts) }
        throw error
      }
    case .value(.failure(let error)): throw reader.failure(of: error)
    case .timeUp, .cancelled: throw reader.failure(of: HTTPTransportFailure(.timedOut))
    }
  }

  /// Holds back all requests of a call and app after the answer "too many requests".
  private func pause(
    _ lane: RequestLimiter.Lane, after failure: AppStoreServerFailure, _ attempts: Int
  ) {
    if case .notBefore(let date) = failure.retry {
      limiter.pause(lane, for: .seconds(max(0, date.timeIntervalSince(now()))))
    } else {
      limiter.pause(lane, for: backOff.pause(after: attempts, chance: chance()))
    }
  }

  private func waitForTurn(
    in lane: RequestLimiter.Lane, before end: Duration
  ) async throws(AppStoreServerFailure) {
    let rest = end - uptime.elapsed
    guard rest > .zero else {
      throw AppStoreServerFailure(
        .timeUp, of: lane.endpoint, in: lane.environment, retry: .afterBackOff)
    }
    let turn: RequestLimiter.Turn
    do {
      try Task.checkCancellation()
      turn = try await limiter.turn(in: lane, within: rest)
    } catch {
      throw AppStoreServerFailure(.cancelled, of: lane.endpoint, in: lane.environment)
    }
    if case .tooLong(let wait) = turn {
      throw AppStoreServerFailure(
        .limited, of: lane.endpoint, in: lane.environment,
        retry: .notBefore(now().addingTimeInterval(wait.timeInterval)))
    }
  }

  private func request(
    _ request: ServerRequest, to environment: AppStoreEnvironment, timeout: Duration
  ) async throws(AppStoreServerFailure) -> HTTPRequestMessage {
    let token = try await token(for: request.endpoint)
    var headers: HTTPHeaders
    let body: [UInt8]
    switch request.body {
    case .none: (headers, body) = ([.accept: "application/json"], [])
    case .json(let bytes):
      headers = [.accept: "application/json", .contentType: "application/json"]
      body = bytes
    case .png(let bytes):
      headers = [.accept: "application/json", .contentType: "image/png"]
      body = bytes
    }
    do throws(HTTPSyntaxFailure) {
      try headers.append("Bearer " + token, for: .authorization)
      try headers.append(configuration.userAgent, for: .userAgent)
    } catch {
      throw AppStoreServerFailure(.signing(.signing), of: request.endpoint)
    }
    var message = HTTPRequestMessage(
      method: request.endpoint.method, url: configuration.url(of: environment) + request.path,
      headers: headers, body: body, timeout: timeout, responseLimit: configuration.responseLimit)
    message.call = request.endpoint.rawValue
    return message
  }

  /// Returns a new token, signed with the present key.
  private func token(
    for endpoint: AppStoreServerEndpoint
  ) async throws(AppStoreServerFailure) -> String {
    let key: SigningKey
    do {
      key = try await keys.signingKey()
    } catch {
      if Task.isCancelled { throw AppStoreServerFailure(.cancelled, of: endpoint) }
      var failure = AppStoreServerFailure(.keyUnavailable, of: endpoint)
      failure.cause = error
      throw failure
    }
    do throws(SigningFailure) {
      return try ServerAPITokenSigner(
        key: key, checkedIssuerID: issuerID, bundleID: bundleID
      ).token(at: now())
    } catch {
      throw AppStoreServerFailure(.signing(error), of: endpoint)
    }
  }
}
