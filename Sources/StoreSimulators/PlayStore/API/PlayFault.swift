public import HTTPMessages
internal import JSONValues
internal import StorekeeperLocks

extension PlayStoreSimulator {
  /// A fault that affects a request.
  ///
  /// Unless a case says otherwise, the request is not carried out.
  public enum Fault: Hashable, Sendable {
    /// Google refuses with a status and a reason; at ``Endpoint/token`` the reason is the member `error`.
    case error(HTTPStatusCode, reason: String)
    /// The same, with the text of `Retry-After`.
    case tooManyRequests(retryAfter: String?)
    /// Google or a server on the way answers with a status and any body.
    case answer(HTTPStatusCode, Body)
    /// A server on the way redirects to another address.
    case redirect(String)
    case transportFailure(HTTPTransportFailure.Reason)
    /// The request is carried out, but its answer is lost in transport.
    case answerLost(HTTPTransportFailure.Reason)
    /// The request is carried out once the delay is over; one with a shorter timeout fails with that.
    case delay(Duration)
    /// No answer ever comes: a request with a timeout fails with that, another one waits until its task is
    /// canceled.
    case silence
    /// The request is carried out, and its answer is truncated in the middle.
    case brokenJSON
    /// The request is carried out, and white space makes its answer at least so many bytes long.
    case oversized(Int)

    /// A body that is no answer of Google.
    public typealias Body = FaultBody

    /// The access token is refused, however good it is.
    public static let authError = Fault.error(.unauthorized, reason: "authError")
    /// The account lacks permissions in the Play Console.
    public static let permissionDenied = Fault.error(.unauthorized, reason: "permissionDenied")
    /// The account's project is not linked to the Play Console.
    public static let projectNotLinked = Fault.error(.forbidden, reason: "projectNotLinked")
    /// The API is not turned on in the account's project.
    public static let accessNotConfigured = Fault.error(.forbidden, reason: "accessNotConfigured")
    /// A quota is used up, with the status 403.
    public static let quotaExceeded = Fault.error(.forbidden, reason: "quotaExceeded")
    /// Google fails.
    public static let backendError = Fault.error(.serviceUnavailable, reason: "backendError")
  }

  /// Makes the next requests fail, after those that already will.
  ///
  /// A count of nil is for all until ``stopFailing()``, and an endpoint of nil for any method.
  public func fail(next count: Int? = 1, with fault: Fault, at endpoint: Endpoint? = nil) {
    state.withLock {
      $0.faults.append(DuePlayFault(fault: fault, endpoint: endpoint, remaining: count))
    }
  }

  /// Removes all faults that are still due.
  public func stopFailing() { state.withLock { $0.faults = [] } }

  /// A request that arrived, without its secrets.
  public struct Request: Hashable, Sendable {
    /// The method of Google; nil for an address that it does not have.
    public let endpoint: Endpoint?
    public let method: HTTPRequestMethod
    /// The fault that affected the request.
    public let fault: Fault?
  }

  /// The requests that arrived, in order.
  public var requests: [Request] { state.withLock { $0.requests } }
}

struct DuePlayFault: Sendable {
  let fault: PlayStoreSimulator.Fault
  /// The affected method; nil for any.
  let endpoint: PlayStoreSimulator.Endpoint?
  /// The number of requests; nil for all.
  var remaining: Int?
}

extension PlayStoreSimulator.State {
  /// Records a request, and returns the fault that affects it.
  mutating func record(
    _ endpoint: PlayStoreSimulator.Endpoint?, _ method: HTTPRequestMethod
  ) -> PlayStoreSimulator.Fault? {
    let index = faults.firstIndex { $0.endpoint == nil || $0.endpoint == endpoint }
    let fault = index.map { faults[$0].fault }
    if let index, let remaining = faults[index].remaining {
      faults[index].remaining = remaining - 1
      if remaining <= 1 { faults.remove(at: index) }
    }
    requests.append(.init(endpoint: endpoint, method: method, fault: fault))
    return fault
  }
}

extension PlayStoreSimulator.Fault {
  /// The answer in place of Google's; nil if the request is carried out, or fails in transport.
  func answer(at endpoint: PlayStoreSimulator.Endpoint?) -> HTTPResponseMessage? {
    switch self {
    case .error(let status, let reason):
      if endpoint == .token {
        return TokenRefusal(reason, "Ordered by the test", status: status).response
      }
      return GoogleAPIError(status, reason, "Ordered by the test").response
    case .tooManyRequests(let retryAfter):
      var response = GoogleAPIError.tooMany.response
      if let retryAfter { try? response.headers.set(retryAfter, for: .retryAfter) }
      return response
    case .answer(let status, let body):
      return body.response(status, json: "application/json; charset=UTF-8")
    case .redirect(let address):
      var response = HTTPResponseMessage(status: 302)
      try? response.headers.set(address, for: .location)
      return response
    case .transportFailure, .answerLost, .delay, .silence, .brokenJSON, .oversized: return nil
    }
  }

  /// Changes the bytes of the right answer.
  func change(_ response: inout HTTPResponseMessage) {
    switch self {
    case .brokenJSON: response.truncate()
    case .oversized(let count): response.pad(to: count)
    default: break
    }
  }
}
