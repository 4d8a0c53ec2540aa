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
