public import HTTPMessages

/// An ``/HTTPMessages/HTTPTransport`` based on libcurl, for servers on Linux.
///
/// ```swift
/// let transport = CurlHTTPTransport(timeout: .seconds(10))
/// let response = try await transport.send(HTTPRequestMessage(url: "https://example.org/"))
/// ```
///
/// It is stateless: no cookies, no cache, no stored credentials. Redirects are returned as
/// responses and not followed. It uses HTTP/1.1, and TLS 1.2 or later.
///
/// At most 16 connections are kept, and closed after 20 seconds without an exchange. A connection
/// on which anything has arrived since its last response is not reused, so that neither its end nor
/// an unsolicited response is taken for the next response. Each request is sent only once: when a
/// kept connection closes while the request is sent, the exchange is `interrupted`, because the
/// server may have acted on it.
///
/// The transport differs from the request and the response in these ways:
/// * It sends `Accept-Encoding` with the codings that libcurl can decode, unless the request has
///   that field. The body is returned decoded, while `Content-Encoding` and `Content-Length` still
///   describe the encoded body.
/// * A fragment of the URL is not sent (RFC 9110 section 7.1).
/// * Trailer fields are dropped.
/// * A response with a header field that is not UTF-8 is `interrupted`.
///
/// Proxies are taken from the environment of the process (`https_proxy`, `http_proxy`, `all_proxy`,
/// `no_proxy`). Requests to this machine, as `localhost` or by a loopback address, use none. Nothing is logged.
///
/// With ``AddressRule/publicOnly`` it connects with no address of this machine or of a private network, whatever a name
/// resolves to, and uses no proxy.
///
/// Copies share one thread and one set of connections. The thread starts with the first request. It
/// ends after 20 seconds without a request, or after the last copy is released and its exchanges
/// have ended. Before libcurl 7.87, an exchange that ends during its host lookup blocks the other
/// exchanges of its transport until the system's resolver times out.
public struct CurlHTTPTransport: HTTPTransport {
  /// The addresses that a transport connects with.
  public enum AddressRule: Hashable, Sendable {
    case all
    /// Global addresses only: none of this machine, of a private or link-local network, of a group, or of a range that
    /// is set aside.
    ///
    /// The rule is asked about the address of each connection when it is opened, so that a name that resolves to another
    /// address a moment later doesn't get past it.
    case publicOnly
  }

  private let timeout: Duration
  private let responseLimit: Int
  private let owner: LoopOwner

  /// Creates a transport with default limits for requests that have none.
  ///
  /// - Parameters:
  ///   - timeout: The time limit for a whole exchange, at most a day.
  ///   - responseLimit: The maximum size of a response body in bytes; 16 MiB by default.
  ///   - certificateAuthorityFile: The path of a PEM file with the certificates to trust instead of
  ///     the system's, for example those of an inspecting proxy or a test; nil for the system's. If
  ///     the file cannot be read, no peer is trusted. Its content is cached for at most a day.
  ///   - addresses: The addresses that it connects with. An exchange with another is `notConnected`.
  public init(
    timeout: Duration = .seconds(30), responseLimit: Int = 16 << 20,
    certificateAuthorityFile: String? = nil, addresses: AddressRule = .all
  ) {
    precondition(timeout > .zero, "The timeout must be positive.")
    precondition(responseLimit >= 0, "The response limit must not be negative.")
    self.timeout = timeout
    self.responseLimit = responseLimit
    owner = LoopOwner(
      settings:
        TransferSettings(
          certificateAuthorityFile: certificateAuthorityFile, addresses: addresses))
  }

  /// Sends a request and waits for the whole response.
  ///
  /// - Parameter request: The request. Its URL must be `http` or `https` with a host, without user
  ///   and password (RFC 9110 section 4.2.4), and escaped as it is sent. GET and HEAD must have no
  ///   body. `Transfer-Encoding` and `Expect` are not allowed, and `Content-Length` must be that of
  ///   the body. Anything else is an `invalidRequest`.
  /// - Returns: The response, whatever its status, with its fields in their original order.
  /// - Throws: ``/HTTPMessages/HTTPTransportFailure`` if there is no complete response, with a
  ///   ``CurlFailure`` as its cause where libcurl reported one; `CancellationError` if the task was
  ///   cancelled.
  public func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
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

/// What all transfers of a transport have in common.
struct TransferSettings: Sendable {
  let certificateAuthorityFile: String?
  let addresses: CurlHTTPTransport.AddressRule
}
