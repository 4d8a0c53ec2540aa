/// The port to HTTP servers: sends a request and gives the answer.
///
/// Everything here that asks a server takes a transport, so that a host brings its own HTTP client
/// and a test answers from memory:
///
/// ```swift
/// struct CannedTransport: HTTPTransport {
///   var response: HTTPResponse
///   func send(_ request: HTTPRequest) async throws -> HTTPResponse { response }
/// }
/// ```
///
/// ## Laws
///
/// An implementation keeps these, and callers rely on them:
///
/// * **Once.** A request is sent at most once. Whether to send it again is the caller's decision.
/// * **Any status is an answer.** 404 and 503 are returned, not thrown. A redirect is an answer too
///   and is not followed: the caller chose the server.
/// * **As given.** Method, address, fields and body are sent as they are. Fields that the transport
///   alone can know, such as `Host` and `Content-Length`, are added. The body is returned without
///   transfer and content codings.
/// * **Limits.** With a ``HTTPRequest/timeout`` the whole exchange ends by then. With a
///   ``HTTPRequest/responseLimit`` no longer body is collected. Without them the transport has
///   limits of its own; there is always an end.
/// * **Verified peers.** `https` means that the server's certificate was verified for its name.
/// * **Cancellation.** When the task is cancelled, ``send(_:)`` soon throws `CancellationError` and
///   lets go of the connection.
/// * **Concurrency.** Any number of requests may be under way at a time.
/// * **Silence.** Bodies, header values and queries of addresses reach no log.
public protocol HTTPTransport: Sendable {
  /// Sends a request and waits for the whole answer.
  ///
  /// - Throws: ``HTTPTransportFailure`` when there is no complete answer, `CancellationError` when
  ///   the task was cancelled. Any other error says nothing about whether a retry helps.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
