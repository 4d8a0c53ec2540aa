/// A failure of an exchange with an HTTP server, which has no complete response.
///
/// An ``HTTPTransport`` throws it, with the error of its HTTP client as the ``cause``. The
/// description omits the cause, which may quote a URL.
public struct HTTPTransportFailure: Error, Sendable, CustomStringConvertible {
  public let reason: Reason
  /// The error of the HTTP client, for debugging.
  public let cause: (any Error)?

  /// The status and the header fields of a response that is too large, with an empty body; nil for other
  /// reasons, and if the transport does not tell.
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
