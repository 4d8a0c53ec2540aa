public import HTTPMessages
internal import StorekeeperLocks

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// An ``/HTTPMessages/HTTPTransport`` based on Foundation's URLSession.
///
/// ```swift
/// let transport = URLSessionHTTPTransport(timeout: .seconds(10))
/// let response = try await transport.send(HTTPRequestMessage(url: "https://example.org/"))
/// ```
///
/// It is stateless: no cookies, no cache, no stored credentials. Redirects are returned as
/// responses and not followed. Each exchange uses a new connection, because on a connection that
/// the server is just closing, URLSession would send the request a second time.
///
/// URLSession differs from the request and the response in these ways:
/// * It sends `Accept`, `Accept-Encoding`, `Accept-Language` and `User-Agent`, unless the request
///   has a field of that name; the last one names the program.
/// * It joins fields of the same name with commas, in both directions (RFC 9110 section 5.3), and
///   loses their order; the fields of a response are sorted by name.
/// * It returns the body decoded, while `Content-Encoding` and `Content-Length` still describe the
///   encoded body. On Linux, a redirect without a `Location` arrives without its body.
/// * `Connection` is always `close`, regardless of the request.
/// * On Linux, each exchange leaks about 100 bytes: Foundation 6.3 frees the URL that libcurl
///   parsed for it, but not its parts.
///
/// A body without `Content-Type` is sent as `application/octet-stream`. Proxies are taken from the
/// environment of the process.
///
/// > Warning: On Linux, use it only over `https` and with servers that you trust, such as Apple's.
/// > Over `http`, anyone on the network path has the same power as the server. For OCSP, which uses
/// > `http`, and for long-running servers, use `CurlHTTPTransport`. Foundation up to Swift 6.3 lets
///   a
/// > server:
/// >
/// > * stop the process, by a redirect to a malformed host (`Location: //%00/`), or by closing the
/// >   connection in the middle of the header fields (swiftlang/swift-corelibs-foundation#5285).
/// >   There is no protection against this.
/// > * block all of URLSession in the process, by an endless body of a redirect (301 to 308).
/// >   Foundation collects it silently, beyond the size limit, and while data arrives fast it does
/// >   nothing else, not even cancel. Each exchange still ends at its time limit. The transfer
///   ends,
/// >   and its memory is freed, when the server pauses or closes.
/// >
/// > With many concurrent connections, one may get lost and then ends with its timeout (#4791).
public struct URLSessionHTTPTransport: HTTPTransport {
  private let timeout: Duration
  private let responseLimit: Int

  /// Creates a transport with default limits for requests that have none.
  ///
  /// - Parameters:
  ///   - timeout: The time limit for a whole exchange, at most a day.
  ///   - responseLimit: The maximum size of a response body in bytes; 16 MiB by default.
  public init(timeout: Duration = .seconds(30), responseLimit: Int = 16 << 20) {
    precondition(timeout > .zero, "The timeout must be positive.")
    precondition(responseLimit >= 0, "The response limit must not be negative.")
    self.timeout = timeout
    self.responseLimit = responseLimit
  }

  /// Sends a request and waits for the whole response.
  ///
  /// - Parameter request: The request. Its URL must be `http` or `https` with a host, without user
  ///   and password (RFC 9110 section 4.2.4), and escaped as it is sent. GET and HEAD must have no
  ///   body. Anything else is an `invalidRequest`.
  /// - Returns: The response, whatever its status.
  /// - Throws: ``/HTTPMessages/HTTPTransportFailure`` if there is no complete response,
  ///   `CancellationError` if the task was cancelled.
  public func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    try Task.checkCancellation()
    let message = try URLRequest(request)
    let limit = min(request.timeout ?? timeout, Self.longestTimeout)
    guard limit > .zero else { throw HTTPTransportFailure(.timedOut) }
    // URLSession's own timeouts limit silence, not the exchange, so the time is measured here.
    let exchange = Exchange(
      method: request.method, responseLimit: request.responseLimit ?? responseLimit)
    let waited = await ContinuousClock().wait(atMost: limit) {
      () -> Result<HTTPResponseMessage, any Error>? in
      do { return .success(try await Self.answer(to: message, in: exchange)) } catch {
        return .failure(error)
      }
    }
    switch waited {
    case .value(let result): return try result.get()
    case .timeUp: throw HTTPTransportFailure(.timedOut, response: exchange.receivedHead)
    case .cancelled: throw CancellationError()
    }
  }

  private static func answer(
    to message: URLRequest, in exchange: Exchange
  ) async throws -> HTTPResponseMessage {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        exchange.begin(message, continuation)
      }
    } onCancel: {
      exchange.cancel()
    }
  }

  private static let longestTimeout = Duration.seconds(86_400)
}
