internal import StorekeeperLocks
public import HTTPMessages
public import ReceiptModels
public import ReceiptVerifier

extension AppStoreSimulator {
  /// A fault that affects one request.
  public enum Fault: Hashable, Sendable {
    /// Apple answers with nothing but a status and, if given, whether to retry.
    case status(
      VerifyReceiptStatus, isRetryable: Bool? = nil, spelling: RetryableSpelling = .sent)
    /// A server on the way answers with an HTTP status and a page of HTML.
    case httpStatus(HTTPStatusCode)
    /// The answer is a page of HTML with the HTTP status 200.
    case html
    /// The answer is the right one, truncated in the middle.
    case brokenJSON
    /// The exchange fails in transport.
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
  public func stopFailing() {
    state.withLock { $0.faults = [] }
  }

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
