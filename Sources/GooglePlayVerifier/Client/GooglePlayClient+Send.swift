internal import HTTPMessages
internal import JSONValues
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension GooglePlayClient {
  /// The upper limit of the patience; clocks cannot wait for an arbitrary time.
  private static let longestPatience = Duration.seconds(86_400)

  /// Sends a request and decodes the answer.
  func read<Model: JSONModel>(
    _ request: PlayRequest, patience: Duration?
  ) async throws(GooglePlayFailure) -> Model {
    let body = try await send(request, patience: patience)
    let json: JSONValue
    do { json = try JSONValue(parsing: body) } catch { throw .notJSON }
    do throws(FieldTypeFailure) { return try Model(json: json) } catch {
      throw .malformedAnswer(error)
    }
  }

  /// Sends a request, with retries, until there is an answer with a status of success, and returns its
  /// body.
  @discardableResult
  func send(
    _ request: PlayRequest, patience: Duration?
  ) async throws(GooglePlayFailure) -> [UInt8] {
    let end = uptime.elapsed + min(patience ?? configuration.patience, Self.longestPatience)
    var attempts = 0
    var hasReplacedToken = false
    while true {
      do throws(GooglePlayFailure) {
        let token = try await token(before: end)
        do throws(GooglePlayFailure) {
          return try await sendOnce(request, token, before: end)
        } catch {
          guard case .unauthorized = error, !hasReplacedToken else { throw error }
          hasReplacedToken = true
          tokens.drop(token)
        }
      } catch {
        attempts += 1
        guard let pause = pause(after: error, of: request.call, attempts, before: end) else {
          throw error
        }
        do { try await clock.sleep(for: pause) } catch { throw .cancelled }
      }
    }
  }

  /// Returns the pause before the next attempt, or nil if there is none.
  private func pause(
    after failure: GooglePlayFailure, of call: PlayMethod, _ attempts: Int, before end: Duration
  ) -> Duration? {
    guard attempts < configuration.attempts else { return nil }
    guard call.isRepeatable || !failure.mayHaveActed else { return nil }
    let named = failure.retryAfter.map { Duration.seconds(max(0, $0.timeIntervalSince(now()))) }
    switch failure.kind {
    case .backend: break
    case .transport where failure.isRetryable: break
    // Without a date there is no telling how long to wait, and asking again adds to the load.
    case .limited where named != nil: break
    case .limited, .transport, .invalid, .gone, .credentials, .unreadable, .cancelled: return nil
    }
    let backOff = BackOff(
      first: configuration.firstPause, longest: .seconds(30), jitter: 0.5...1)
    let pause = max(named ?? .zero, backOff.pause(after: attempts, chance: chance()))
    return pause < end - uptime.elapsed ? pause : nil
  }

  private func token(before end: Duration) async throws(GooglePlayFailure) -> AccessToken {
    let tokens = tokens
    switch await clock.wait(atMost: try rest(before: end), for: { await tokens.result() }) {
    case .value(.success(let token)): return token
    case .value(.failure(.cancelled)), .cancelled: throw .cancelled
    case .value(.failure(let failure)): throw .accessToken(failure)
    case .timeUp: throw .accessToken(.transport(.timedOut))
    }
  }

  private func sendOnce(
    _ request: PlayRequest, _ token: AccessToken, before end: Duration
  ) async throws(GooglePlayFailure) -> [UInt8] {
    let limit = try rest(before: end)
    let message = try message(request, token, timeout: limit)
    let transport = transport
    let waited = await clock.wait(atMost: limit) { () -> Result<HTTPResponseMessage, any Error>? in
      do { return .success(try await transport.send(message)) } catch { return .failure(error) }
    }
    guard !Task.isCancelled else { throw .cancelled }
    switch waited {
    case .value(.success(let response)):
      guard response.body.count <= configuration.responseLimit else {
        throw .transport(.responseTooLarge)
      }
      guard response.status.isSuccess else { throw GooglePlayFailure(response, at: now()) }
      return response.body
    case .value(.failure(let error)):
      if error is CancellationError { throw .cancelled }
      throw .transport((error as? HTTPTransportFailure)?.reason ?? .interrupted)
    case .timeUp: throw .transport(.timedOut)
    case .cancelled: throw .cancelled
    }
  }

  /// Returns the time limit of the next request.
  private func rest(before end: Duration) throws(GooglePlayFailure) -> Duration {
    let rest = end - uptime.elapsed
    guard rest > .zero else { throw .transport(.timedOut) }
    guard !Task.isCancelled else { throw .cancelled }
    return min(rest, configuration.timeout)
  }

  private func message(
    _ request: PlayRequest, _ token: AccessToken, timeout: Duration
  ) throws(GooglePlayFailure) -> HTTPRequestMessage {
    var headers: HTTPHeaders =
      request.body == nil
      ? [.accept: "application/json"]
      : [.accept: "application/json", .contentType: "application/json"]
    do throws(HTTPSyntaxFailure) {
      try headers.append("Bearer " + token.value, for: .authorization)
      try headers.append(configuration.userAgent, for: .userAgent)
    } catch {
      // Both were checked before.
      throw .transport(.invalidRequest)
    }
    var message = HTTPRequestMessage(
      method: request.method,
      url: "\(configuration.url)/androidpublisher/v3/applications/\(packageName)/\(request.path)",
      headers: headers, body: request.body?.serialized ?? [], timeout: timeout,
      responseLimit: configuration.responseLimit)
    message.call = request.call.rawValue
    return message
  }
}

extension GooglePlayFailure {
  /// Whether the same request may succeed on another attempt after a failure of the transport.
  fileprivate var isRetryable: Bool {
    switch self {
    case .transport(let reason), .accessToken(.transport(let reason)):
      HTTPTransportFailure(reason).isRetryable
    default: false
    }
  }
}

extension HTTPResponseMessage {
  /// Returns the date from which another request may succeed, not before `now`; nil if the answer names none.
  func retryAfter(at now: Date) -> Date? {
    RetryAfterReader.moment(headers[.retryAfter], at: now.timeIntervalSince1970)
      .map { Date(timeIntervalSince1970: $0) }
  }
}
