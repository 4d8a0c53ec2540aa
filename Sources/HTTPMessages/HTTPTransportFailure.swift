/// Why an exchange with an HTTP server came to no complete answer.
///
/// An ``HTTPTransport`` throws it, with the error of its HTTP client as the ``cause``. The
/// description is made of constant words: the cause may quote an address.
public struct HTTPTransportFailure: Error, Sendable, CustomStringConvertible {
  /// What happened.
  public let reason: Reason
  /// What the HTTP client said, for debugging.
  public let cause: (any Error)?

  /// A failure with its cause.
  public init(_ reason: Reason, cause: (any Error)? = nil) {
    self.reason = reason
    self.cause = cause
  }

  /// What can happen on the way.
  @nonexhaustive
  public enum Reason: Hashable, Sendable {
    /// The request cannot be sent, such as one whose address is none; nothing was sent.
    case invalidRequest
    /// There is no connection; the server has not seen the request.
    case notConnected
    /// The server did not prove that it is the one that was asked for; it has not seen the request.
    case untrustedPeer
    /// The connection broke off, or the answer is no HTTP; the server may have acted on the request.
    case interrupted
    /// The time was up; the server may have acted on the request.
    case timedOut
    /// The answer is longer than accepted; the server has acted on the request.
    case responseTooLarge
  }

  /// Whether the same request may succeed when it is sent again.
  ///
  /// Whether it *should* be sent again is another question when the server may have acted on it.
  public var isRetryable: Bool {
    switch reason {
    case .notConnected, .interrupted, .timedOut: true
    case .invalidRequest, .untrustedPeer, .responseTooLarge: false
    }
  }

  /// The reason, never the cause.
  public var description: String { "HTTP exchange failed: \(reason)" }
}
