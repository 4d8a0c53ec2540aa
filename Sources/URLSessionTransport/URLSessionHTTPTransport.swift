public import HTTPMessages

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// An ``/HTTPMessages/HTTPTransport`` that sends requests with Foundation's URLSession.
///
/// ```swift
/// let transport = URLSessionHTTPTransport(timeout: .seconds(10))
/// let response = try await transport.send(HTTPRequest(url: "https://example.org/"))
/// ```
///
/// It has no memory: no cookies, no cache, no stored credentials. Redirects are answers and are not
/// followed. Each exchange has a connection of its own, for on a connection that the server is just
/// closing URLSession would send the request a second time.
///
/// What URLSession adds or changes:
/// * It sends `Accept`, `Accept-Encoding`, `Accept-Language` and `User-Agent` when the request has
///   none of that name; the last one names the program.
/// * It joins fields of the same name by commas, in both directions (RFC 9110 section 5.3), and
///   loses their order; the fields of an answer are sorted by name.
/// * A body arrives without its content coding, while `Content-Encoding` and `Content-Length` still
///   tell how it travelled. On Linux a redirect that names no place arrives without its body.
/// * `Connection` is always `close`, whatever the request says.
/// * On Linux each exchange leaves about 100 bytes behind for good: Foundation 6.3 frees the address
///   that libcurl has parsed for it, but not its parts.
///
/// A body without `Content-Type` is sent as `application/octet-stream`. Proxies that the environment
/// of the process names are used.
///
/// > Warning: On Linux, use it only over `https` and with servers that you trust, such as Apple's.
/// > Over `http` anybody on the way can do what a server can; for OCSP, which is asked over `http`,
/// > and for servers that run for long, take `CurlHTTPTransport`. Foundation up to Swift 6.3 lets a server:
/// >
/// > * stop the process, by a redirect to a place whose host is malformed (`Location: //%00/`), or by
/// >   closing the connection in the middle of the header fields
/// >   (swiftlang/swift-corelibs-foundation#5285). Nothing can catch that.
/// > * hold up all of URLSession in the process, by the body of a redirect (301 to 308) that never
/// >   ends. Foundation collects it without telling, past the limit of size, and while it arrives
/// >   fast can do nothing else, not even cancel. Each exchange still ends by its time limit; the
/// >   transfer ends, and its memory is given back, when the server pauses or closes.
/// >
/// > Under many connections at a time one may get lost, and then ends with its timeout (#4791).
public struct URLSessionHTTPTransport: HTTPTransport {
  private let timeout: Duration
  private let responseLimit: Int

  /// A transport with limits for requests that name none.
  ///
  /// - Parameters:
  ///   - timeout: How long a whole exchange may take, at most a day.
  ///   - responseLimit: How many bytes the body of a response may have; 16 MiB by default.
  public init(timeout: Duration = .seconds(30), responseLimit: Int = 16 << 20) {
    precondition(timeout > .zero, "An exchange takes time.")
    precondition(responseLimit >= 0, "A body is never shorter than nothing.")
    self.timeout = timeout
    self.responseLimit = responseLimit
  }

  /// Sends a request and waits for the whole answer.
  ///
  /// - Parameter request: What to send. Its address is `http` or `https` with a host, without user
  ///   and password (RFC 9110 section 4.2.4), escaped as it is to be sent; with GET and HEAD there
  ///   is no body. Anything else is an `invalidRequest`.
  /// - Returns: The answer, whatever its status.
  /// - Throws: ``/HTTPMessages/HTTPTransportFailure`` when there is no complete answer,
  ///   `CancellationError` when the task was cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let message = try URLRequest(request)
    let limit = min(request.timeout ?? timeout, Self.longestTimeout)
    guard limit > .zero else { throw HTTPTransportFailure(.timedOut) }
    // URLSession's own timeouts are about silence, not about the exchange; so the time runs here.
    return try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        try await Self.answer(to: message, upTo: request.responseLimit ?? responseLimit)
      }
      group.addTask {
        try await Task.sleep(for: limit)
        throw HTTPTransportFailure(.timedOut)
      }
      guard let response = try await group.next() else { throw CancellationError() }
      return response
    }
  }

  private static func answer(
    to message: URLRequest, upTo limit: Int
  ) async throws -> HTTPResponse {
    let exchange = Exchange(responseLimit: limit)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        exchange.begin(message, continuation)
      }
    } onCancel: {
      exchange.cancel()
    }
  }

  private static let longestTimeout = Duration.seconds(86_400)
}
