internal import StorekeeperLocks
public import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import ReceiptVerifier
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
    case .httpStatus(let status)?: return HTTPResponseMessage(status: status, body: Self.page)
    case .html?: return HTTPResponseMessage(status: .ok, body: Self.page)
    case .transportFailure(let reason)?: throw HTTPTransportFailure(reason)
    case .brokenJSON?:
      let whole = try answer(request, question, of: server)
      return HTTPResponseMessage(
        status: whole.status, body: Array(whole.body.prefix(whole.body.count / 2)))
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
    guard let server else { return HTTPResponseMessage(status: .notFound, body: Self.page) }
    let response =
      request.method == .post
      ? try answer(question, of: server) : VerifyReceiptResponse(status: .notPost)
    // Recorded answers of Apple have no Content-Type.
    return HTTPResponseMessage(status: .ok, body: response.json.serialized)
  }

  private static let page = Array("<html><body>Service Unavailable</body></html>".utf8)
}
