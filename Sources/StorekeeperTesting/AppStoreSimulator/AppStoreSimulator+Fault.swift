internal import StorekeeperLocks
public import HTTPMessages
public import ReceiptModels
public import ReceiptVerifier

extension AppStoreSimulator {
  /// What goes wrong with one request.
  public enum Fault: Hashable, Sendable {
    /// Apple answers with a status and nothing else but, if given, whether to try again.
    case status(
      VerifyReceiptStatus, isRetryable: Bool? = nil, spelling: RetryableSpelling = .sent)
    /// A server on the way answers with an HTTP status and a page of HTML.
    case httpStatus(HTTPStatusCode)
    /// The answer is a page of HTML, with the HTTP status 200.
    case html
    /// The answer is the right one, cut off in the middle.
    case brokenJSON
    /// The exchange fails on its way.
    case transportFailure(HTTPTransportFailure.Reason)
    /// The right answer comes once the clock was moved so far; with a shorter timeout of the
    /// request, that failure comes instead.
    case delay(Duration)

    /// Apple could not look up the receipt, and says whether to try again.
    public static func internalDataAccess(isRetryable: Bool) -> Fault {
      .status(VerifyReceiptStatus(rawValue: 21100), isRetryable: isRetryable)
    }
  }

  /// How Apple spells the flag.
  public enum RetryableSpelling: String, Hashable, Sendable {
    /// As it is documented.
    case documented = "is-retryable"
    /// As it is sent.
    case sent = "is_retryable"
  }

  /// Lets the next requests go wrong, after those that already will.
  ///
  /// - Parameters:
  ///   - count: How many requests.
  ///   - fault: What happens to each.
  public func fail(next count: Int = 1, with fault: Fault) {
    state.withLock { $0.faults += Array(repeating: fault, count: count) }
  }

  /// Lets all requests go right from now on.
  public func stopFailing() {
    state.withLock { $0.faults = [] }
  }

  /// A request that arrived, without receipt and secret.
  public struct Request: Hashable, Sendable {
    /// Which server was asked; nil for an address that Apple does not have.
    public let server: VerifyReceiptServer?
    /// Whether a secret was sent, right or wrong.
    public let hasPassword: Bool
    /// Whether old transactions were to be left out.
    public let excludesOldTransactions: Bool
    /// The fault that the request met.
    public let fault: Fault?
  }

  /// The requests that arrived, in order.
  public var requests: [Request] { state.withLock { $0.requests } }
}
