import CurlTransport
import HTTPMessages
import Testing
import URLSessionTransport

/// All tests of transports, run serially.
///
/// Client and servers share one process and reuse each other's socket descriptors as soon as they
/// are closed, which sometimes confuses URLSession on Linux when there are many at a time
/// (swiftlang/swift-corelibs-foundation#4791).
@Suite("HTTP transports", .serialized)
enum OneAtATime {}

/// The transports, each of which keeps the laws of `HTTPTransport`.
enum Client: CaseIterable, Sendable {
  case urlSession
  case curl

  /// A transport with a long timeout, for tests that do not wait for it.
  var patient: any HTTPTransport {
    switch self {
    case .urlSession: Self.patientURLSession
    case .curl: Self.patientCurl
    }
  }

  /// A transport with a short timeout.
  var hasty: any HTTPTransport {
    switch self {
    case .urlSession: Self.hastyURLSession
    case .curl: Self.hastyCurl
    }
  }

  private static let patientURLSession = URLSessionHTTPTransport(
    timeout: .seconds(60), responseLimit: 100_000)
  private static let hastyURLSession = URLSessionHTTPTransport(timeout: .milliseconds(200))
  static let patientCurl = CurlHTTPTransport(timeout: .seconds(60), responseLimit: 100_000)
  private static let hastyCurl = CurlHTTPTransport(timeout: .milliseconds(200))
}

extension HTTPTransport {
  /// Returns the reason why an exchange failed; nil if it succeeded or was cancelled.
  func failure(_ request: HTTPRequestMessage) async -> HTTPTransportFailure.Reason? {
    do {
      _ = try await send(request)
      return nil
    } catch {
      return (error as? HTTPTransportFailure)?.reason
    }
  }

  /// Returns the reason why an exchange with a scripted server failed.
  func failure(
    with script: @escaping LoopbackServer.Script
  ) async throws -> HTTPTransportFailure.Reason? {
    let server = try LoopbackServer { connection in
      _ = connection.readRequest()
      script(connection)
    }
    return await failure(HTTPRequestMessage(url: server.url))
  }
}

extension HTTPTransport {
  /// Sends a request to a server, with its URL and this suffix; returns the request as received.
  func received(_ request: HTTPRequestMessage, path: String = "/") async throws -> ReceivedRequest {
    let server = try LoopbackServer.answering("HTTP/1.1 204 No Content\r\n\r\n")
    var request = request
    request.url = server.url + path
    #expect(try await send(request).status == .noContent)
    return try #require(server.requests.first)
  }
}
