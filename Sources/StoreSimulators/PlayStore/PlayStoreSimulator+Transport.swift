public import HTTPMessages
internal import ReceiptModels
internal import StorekeeperLocks

extension PlayStoreSimulator {
  /// Answers a request as Google does, or with the next fault.
  ///
  /// Any host but Google's three gets 404.
  ///
  /// - Throws: ``/HTTPMessages/HTTPTransportFailure`` for a fault in transport, `CancellationError` if the
  ///   task is canceled.
  public func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    try Task.checkCancellation()
    let route = PlayTarget(url: request.url).flatMap { target in
      PlayRoute(request.method, target).map { (target, $0) }
    }
    let endpoint = route?.1.endpoint
    let fault = state.withLock { $0.record(endpoint, request.method) }
    switch fault {
    case .delay(let delay): try await wait(delay, atMost: request.timeout)
    case .silence: try await waitInVain(atMost: request.timeout)
    case .transportFailure(let reason): throw HTTPTransportFailure(reason)
    case .answerLost(let reason):
      _ = answer(request, route)
      throw HTTPTransportFailure(reason)
    default:
      if let answer = fault?.answer(at: endpoint) { return dated(answer) }
    }
    var response = answer(request, route)
    fault?.change(&response)
    return dated(response)
  }

  private func wait(_ delay: Duration, atMost timeout: Duration?) async throws {
    guard let timeout, timeout < delay else { return try await delays.sleep(for: delay) }
    try await delays.sleep(for: timeout)
    throw HTTPTransportFailure(.timedOut)
  }

  private func waitInVain(atMost timeout: Duration?) async throws {
    // A request that names no limit waits for its task to be canceled.
    try await delays.sleep(for: timeout ?? .days(36_500))
    throw HTTPTransportFailure(.timedOut)
  }

  private func answer(
    _ request: HTTPRequestMessage, _ route: (PlayTarget, PlayRoute)?
  ) -> HTTPResponseMessage {
    guard let (target, route) = route else { return GoogleAPIError.unknownCall.response }
    switch route.endpoint {
    case .token: return accessToken(request)
    case .certificates: return certificates
    default:
      do throws(GoogleAPIError) {
        return try purchases(request, target, route)
      } catch {
        return error.response
      }
    }
  }

  /// Adds the date by which signatures count, which clients can compare with their own.
  private func dated(_ response: HTTPResponseMessage) -> HTTPResponseMessage {
    var response = response
    // A date has no control characters.
    try? response.headers.set(IMFDate(signatureNow).text, for: .date)
    return response
  }
}
