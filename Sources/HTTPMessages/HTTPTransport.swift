/// An HTTP client that sends requests.
///
/// Everything in this package that uses a server takes a transport, so that a host supplies its own
/// HTTP client and a test answers from memory:
///
/// ```swift
/// struct CannedTransport: HTTPTransport {
///   var response: HTTPResponseMessage
///   func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage { response }
/// }
/// ```
///
/// ## Laws
///
/// Every implementation must keep these laws, and callers rely on them:
///
/// * **Once.** A request is sent at most once. Whether to send it again is the caller's decision.
/// * **Any status is a response.** 404 and 503 are returned, not thrown. A redirect is a response
///   too and is not followed: the caller chose the server.
/// * **Unchanged.** Method, URL, fields and body are sent as they are. The transport adds the
///   fields that depend on it, such as `Host` and `Content-Length`. The body is returned without
///   transfer and content codings.
/// * **Limits.** With a ``HTTPRequestMessage/timeout``, the whole exchange ends by then. With a
///   ``HTTPRequestMessage/responseLimit``, no larger body is collected, whatever its status: the exchange ends
///   with `responseTooLarge` at the first byte too many. A body without content coding whose
///   `Content-Length` is above the limit is not read at all. The failure has the status and the fields
///   (``HTTPTransportFailure/response``), so that a caller can still judge them. Responses that never have
///   a body, which are those to HEAD and those with 204 or 304, have no limit. Without limits of the
///   request the transport applies its own, so that every exchange ends.
/// * **Verified peers.** `https` means that the server's certificate was verified for its name.
/// * **Cancellation.** When the task is cancelled, ``send(_:)`` soon throws `CancellationError` and
///   releases the connection.
/// * **Concurrency.** Any number of requests may be under way at a time.
/// * **Silence.** Bodies, header values and queries of URLs are never logged.
public protocol HTTPTransport: Sendable {
  /// Sends a request and waits for the whole response.
  ///
  /// - Throws: ``HTTPTransportFailure`` if there is no complete response, `CancellationError` if
  ///   the task was cancelled. For any other error, it is unknown whether a retry helps.
  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage
}

/// A failure of an exchange with an HTTP server, which has no complete response.
///
/// An ``HTTPTransport`` throws it, with the error of its HTTP client as the ``cause``. The
/// description omits the cause, which may quote a URL.
public struct HTTPTransportFailure: Error, Sendable, CustomStringConvertible {
  public let reason: Reason
  /// The error of the HTTP client, for debugging.
  public let cause: (any Error)?

  /// The status and the header fields of a response whose body is too large or did not arrive whole.
  ///
  /// Its body is empty. It is nil if the fields did not arrive, and if the transport does not tell.
  public let response: HTTPResponseMessage?

  /// Creates a failure with its cause.
  public init(_ reason: Reason, cause: (any Error)? = nil, response: HTTPResponseMessage? = nil) {
    self.reason = reason
    self.cause = cause
    self.response = response.map { HTTPResponseMessage(status: $0.status, headers: $0.headers) }
  }

  /// A reason for a failure.
  @nonexhaustive
  public enum Reason: Hashable, Sendable {
    /// The request is invalid, for example its URL; nothing was sent.
    case invalidRequest
    /// The connection failed; the server has not received the request.
    case notConnected
    /// The identity of the server was not verified; it has not received the request.
    case untrustedPeer
    /// The connection broke, or the response is not HTTP; the server may have acted on the request.
    case interrupted
    /// The time limit passed; the server may have acted on the request.
    case timedOut
    /// The response is too large; the server has acted on the request.
    case responseTooLarge
  }

  /// Whether the same request may succeed on another attempt.
  ///
  /// Whether it *should* be sent again is a separate question, because the server may have acted on
  /// it.
  public var isRetryable: Bool {
    switch reason {
    case .notConnected, .interrupted, .timedOut: true
    case .invalidRequest, .untrustedPeer, .responseTooLarge: false
    }
  }

  /// The reason, without the cause.
  public var description: String { "HTTP exchange failed: \(reason)" }
}
