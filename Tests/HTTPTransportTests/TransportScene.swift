import CurlTransport
import HTTPMessages
import Testing
import URLSessionTransport

/// All tests of transports, one after the other.
///
/// Client and servers share one process here and take each other's numbers of sockets as soon as
/// they are closed, which URLSession on Linux sometimes mistakes when there are many at a time
/// (swiftlang/swift-corelibs-foundation#4791).
@Suite("HTTP transports", .serialized)
enum OneAtATime {}

/// The transports; each keeps the laws of the port.
enum Client: CaseIterable, Sendable {
  case urlSession
  case curl

  /// A transport that gives up late, for tests that do not wait for it.
  var patient: any HTTPTransport {
    switch self {
    case .urlSession: Self.patientURLSession
    case .curl: Self.patientCurl
    }
  }

  /// A transport that gives up soon.
  var hasty: any HTTPTransport {
    switch self {
    case .urlSession: Self.hastyURLSession
    case .curl: Self.hastyCurl
    }
  }

  private static let patientURLSession = URLSessionHTTPTransport(
    timeout: .seconds(60), responseLimit: 100_000)
  private static let hastyURLSession = URLSessionHTTPTransport(timeout: .milliseconds(200))
  private static let patientCurl = CurlHTTPTransport(timeout: .seconds(60), responseLimit: 100_000)
  private static let hastyCurl = CurlHTTPTransport(timeout: .milliseconds(200))
}

extension HTTPTransport {
  /// Why an exchange came to no answer; nil when it came to one, or was cancelled.
  func failure(_ request: HTTPRequest) async -> HTTPTransportFailure.Reason? {
    do {
      _ = try await send(request)
      return nil
    } catch {
      return (error as? HTTPTransportFailure)?.reason
    }
  }

  /// Why an exchange with a server that behaves like this came to no answer.
  func failure(
    with script: @escaping LoopbackServer.Script
  ) async throws -> HTTPTransportFailure.Reason? {
    let server = try LoopbackServer { connection in
      _ = connection.readRequest()
      script(connection)
    }
    return await failure(HTTPRequest(url: server.url))
  }
}

extension HTTPTransport {
  /// What a server reads when a request is sent to it, whose address is that of the server and a rest.
  func received(_ request: HTTPRequest, path: String = "/") async throws -> ReceivedRequest {
    let server = try LoopbackServer.answering("HTTP/1.1 204 No Content\r\n\r\n")
    var request = request
    request.url = server.url + path
    #expect(try await send(request).status == .noContent)
    return try #require(server.requests.first)
  }
}
