public import HTTPMessages
internal import JSONValues
public import ReceiptModels
public import ReceiptVerifier
internal import StorekeeperLocks
internal import StorekeeperTesting

extension AppStoreSimulator {
  /// Answers a request as Apple does, or with the next fault.
  ///
  /// Any address but Apple's two for receipts and the hosts of the server APIs gets 404.
  ///
  /// - Throws: ``/HTTPMessages/HTTPTransportFailure`` for a fault in transport, `CancellationError`
  ///   if the task is cancelled.
  public func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    try Task.checkCancellation()
    if let target = ServerAPITarget(url: request.url) { return try await answer(request, target) }
    let server = VerifyReceiptServer.allCases.first { $0.url == request.url }
    let question = (try? JSONValue(parsing: request.body)).flatMap {
      try? VerifyReceiptRequest(json: $0)
    }
    switch record(question, to: server) {
    case .status(let status, let isRetryable, let spelling)?:
      var members: [String: JSONValue] = ["status": .integer(status.rawValue)]
      members[spelling.rawValue] = isRetryable.map(JSONValue.boolean)
      return HTTPResponseMessage(status: .ok, body: JSONValue.object(members).serialized)
    case .httpStatus(let status)?:
      return HTTPResponseMessage(status: status, body: FaultBody.html.bytes)
    case .html?: return HTTPResponseMessage(status: .ok, body: FaultBody.html.bytes)
    case .transportFailure(let reason)?: throw HTTPTransportFailure(reason)
    case .brokenJSON?:
      var whole = try answer(request, question, of: server)
      whole.truncate()
      return whole
    case .delay(let delay)?:
      try await wait(delay, atMost: request.timeout)
      return try answer(request, question, of: server)
    case nil: return try answer(request, question, of: server)
    }
  }

  /// Records a request, and returns the fault that affects it.
  private func record(
    _ question: VerifyReceiptRequest?, to server: VerifyReceiptServer?
  ) -> Fault? {
    state.withLock { state in
      let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
      state.requests.append(
        Request(
          server: server, hasPassword: question?.password != nil,
          excludesOldTransactions: question?.excludeOldTransactions ?? false, fault: fault))
      return fault
    }
  }

  func wait(_ delay: Duration, atMost timeout: Duration?) async throws {
    guard let timeout, timeout < delay else { return try await clock.sleep(for: delay) }
    try await clock.sleep(for: timeout)
    throw HTTPTransportFailure(.timedOut)
  }

  private func answer(
    _ request: HTTPRequestMessage, _ question: VerifyReceiptRequest?,
    of server: VerifyReceiptServer?
  ) throws -> HTTPResponseMessage {
    guard let server else {
      return HTTPResponseMessage(status: .notFound, body: FaultBody.html.bytes)
    }
    let response =
      request.method == .post
      ? try answer(question, of: server) : VerifyReceiptResponse(status: .notPost)
    // Recorded answers of Apple have no Content-Type.
    return HTTPResponseMessage(status: .ok, body: response.json.serialized)
  }
}

extension AppStoreSimulator {
  /// A fault that affects one request.
  public enum Fault: Hashable, Sendable {
    /// Apple answers with nothing but a status and, if given, whether to retry.
    case status(VerifyReceiptStatus, isRetryable: Bool? = nil, spelling: RetryableSpelling = .sent)
    /// A server on the way answers with an HTTP status and a page of HTML.
    case httpStatus(HTTPStatusCode)
    /// The answer is a page of HTML with the HTTP status 200.
    case html
    /// The answer is the right one, truncated in the middle.
    case brokenJSON
    case transportFailure(HTTPTransportFailure.Reason)
    /// The right answer arrives once the clock has advanced by the delay; a request with a shorter
    /// timeout fails with that.
    case delay(Duration)

    /// Apple could not look up the receipt, and says whether to retry.
    public static func internalDataAccess(isRetryable: Bool) -> Fault {
      .status(VerifyReceiptStatus(rawValue: 21100), isRetryable: isRetryable)
    }
  }

  /// The name of the retry flag in an answer.
  public enum RetryableSpelling: String, Hashable, Sendable {
    /// The documented name.
    case documented = "is-retryable"
    /// The name that Apple sends.
    case sent = "is_retryable"
  }

  /// Makes the next requests fail, after those that already will.
  public func fail(next count: Int = 1, with fault: Fault) {
    state.withLock { $0.faults += Array(repeating: fault, count: count) }
  }

  /// Removes all faults that are still due.
  public func stopFailing() { state.withLock { $0.faults = [] } }

  /// A request that arrived, without its receipt and secret.
  public struct Request: Hashable, Sendable {
    /// The server that was asked; nil for an address that Apple does not have.
    public let server: VerifyReceiptServer?
    /// Whether a secret was sent, right or wrong.
    public let hasPassword: Bool
    /// Whether old transactions were to be left out.
    public let excludesOldTransactions: Bool
    /// The fault that affected the request.
    public let fault: Fault?
  }

  /// The requests that arrived, in order.
  public var requests: [Request] { state.withLock { $0.requests } }
}
