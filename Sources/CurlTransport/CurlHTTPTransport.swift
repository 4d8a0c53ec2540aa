public import HTTPMessages

/// An ``/HTTPMessages/HTTPTransport`` on libcurl, for servers on Linux.
///
/// ```swift
/// let transport = CurlHTTPTransport(timeout: .seconds(10))
/// let response = try await transport.send(HTTPRequest(url: "https://example.org/"))
/// ```
///
/// It has no memory: no cookies, no cache, no stored credentials. Redirects are answers and are not
/// followed. It speaks HTTP/1.1, and TLS 1.2 or later.
///
/// Connections are kept, 16 at most, and closed after 20 seconds without an exchange. One on which
/// anything has arrived since its last answer is not used again: neither the end of it, nor an answer
/// that nobody asked for, is taken for the next answer. A request is sent once all the same: when a kept
/// connection closes without a word while it is sent, the exchange is `interrupted`, for the server may
/// have acted on it.
///
/// What it adds or changes:
/// * It sends `Accept-Encoding` when the request has none, with what libcurl can undo. A body arrives
///   without its content coding, while `Content-Encoding` and `Content-Length` still tell how it
///   travelled.
/// * A fragment of the address is not sent (RFC 9110 section 7.1).
/// * Trailers are left out.
/// * An answer with a header field that is not UTF-8 is `interrupted`.
///
/// Proxies that the environment of the process names are used (`https_proxy`, `http_proxy`,
/// `all_proxy`, `no_proxy`). Nothing is written to a log.
///
/// Copies share one thread and one set of connections. The thread starts with the first request, and
/// ends after 20 seconds without one, or with the last copy as soon as its exchanges have ended.
/// Before libcurl 7.87, an exchange that ends while its host is being looked up holds up the others of
/// its transport until the system's resolver gives up.
public struct CurlHTTPTransport: HTTPTransport {
  private let timeout: Duration
  private let responseLimit: Int
  private let owner: LoopOwner

  /// A transport with limits for requests that name none.
  ///
  /// - Parameters:
  ///   - timeout: How long a whole exchange may take, at most a day.
  ///   - responseLimit: How many bytes the body of a response may have; 16 MiB by default.
  ///   - certificateAuthorityFile: The path of a file with certificates in PEM to trust instead of the
  ///     system's, such as the authority of a proxy that inspects, or of a test; nil for the system's.
  ///     Where the file cannot be read, no peer is trusted; what was read is used for a day at most.
  public init(
    timeout: Duration = .seconds(30), responseLimit: Int = 16 << 20,
    certificateAuthorityFile: String? = nil
  ) {
    precondition(timeout > .zero, "An exchange takes time.")
    precondition(responseLimit >= 0, "A body is never shorter than nothing.")
    self.timeout = timeout
    self.responseLimit = responseLimit
    owner = LoopOwner(certificateAuthorityFile: certificateAuthorityFile)
  }

  /// Sends a request and waits for the whole answer.
  ///
  /// - Parameter request: What to send. Its address is `http` or `https` with a host, without user
  ///   and password (RFC 9110 section 4.2.4), escaped as it is to be sent; with GET and HEAD there
  ///   is no body. There is no `Transfer-Encoding`, no `Expect`, and no `Content-Length` but the
  ///   body's. Anything else is an `invalidRequest`.
  /// - Returns: The answer, whatever its status; its fields are in the order in which they arrived.
  /// - Throws: ``/HTTPMessages/HTTPTransportFailure`` when there is no complete answer, with a
  ///   ``CurlFailure`` as its cause where libcurl gave one; `CancellationError` when the task was
  ///   cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let exchange = Exchange(
      try Message(request, timeout: timeout, responseLimit: responseLimit))
    let loop = owner.loop
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard exchange.begin(continuation) else { return }
        do throws(CurlFailure) {
          try loop.begin(exchange)
        } catch {
          exchange.end(.failure(error.asNotConnected))
        }
      }
    } onCancel: {
      exchange.end(.failure(CancellationError()))
      loop.drop(exchange)
    }
  }
}
