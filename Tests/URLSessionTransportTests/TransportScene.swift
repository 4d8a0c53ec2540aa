import HTTPMessages
import Testing
import URLSessionTransport

/// All tests of the transport, one after the other.
///
/// Client and servers share one process here and take each other's numbers of sockets as soon as
/// they are closed, which URLSession on Linux sometimes mistakes when there are many at a time
/// (swiftlang/swift-corelibs-foundation#4791).
@Suite("URLSessionHTTPTransport", .serialized)
enum OneAtATime {}

/// A transport that gives up late, for tests that do not wait for it.
let patient = URLSessionHTTPTransport(timeout: .seconds(60), responseLimit: 100_000)

/// A transport that gives up soon.
let hasty = URLSessionHTTPTransport(timeout: .milliseconds(200))

/// Why an exchange came to no answer; nil when it came to one, or was cancelled.
func failure(
  of transport: URLSessionHTTPTransport = patient, _ request: HTTPRequest
) async -> HTTPTransportFailure.Reason? {
  do {
    _ = try await transport.send(request)
    return nil
  } catch {
    return (error as? HTTPTransportFailure)?.reason
  }
}

/// Why an exchange with a server that behaves like this came to no answer.
func failure(
  of transport: URLSessionHTTPTransport = patient, with script: @escaping LoopbackServer.Script
) async throws -> HTTPTransportFailure.Reason? {
  let server = try LoopbackServer { connection in
    _ = connection.readRequest()
    script(connection)
  }
  return await failure(of: transport, HTTPRequest(url: server.url))
}
