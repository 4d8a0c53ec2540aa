import HTTPMessages
import StorekeeperMicroHTTPServer

/// Handlers for tests.
enum Echo {
  /// Answers with method, target and length of the body, then each header field on a line.
  static func everything(_ request: HTTPRequestMessage) async -> HTTPResponseMessage {
    let fields = request.headers.map { "\($0.name): \($0.value)\n" }.joined()
    return text("\(request.method) \(request.url) \(request.body.count)\n\(fields)")
  }

  static func body(_ request: HTTPRequestMessage) async -> HTTPResponseMessage {
    HTTPResponseMessage(status: .ok, body: request.body)
  }

  static func text(_ text: String) -> HTTPResponseMessage {
    HTTPResponseMessage(status: .ok, headers: [.contentType: "text/plain"], body: Array(text.utf8))
  }
}

extension ServerConfiguration {
  static func with(_ change: (inout ServerConfiguration) -> Void) -> ServerConfiguration {
    var configuration = patient
    change(&configuration)
    return configuration
  }

  /// A configuration with time limits for a busy machine.
  static var patient: ServerConfiguration {
    var configuration = ServerConfiguration()
    configuration.idleTimeout = 600
    configuration.requestTimeout = 600
    return configuration
  }
}

/// Runs a server for the duration of a closure.
func withServer(
  _ configuration: ServerConfiguration = .patient,
  respond: @escaping @Sendable (HTTPRequestMessage) async -> HTTPResponseMessage = Echo.everything,
  _ body: (HTTPServer) async throws -> Void
) async throws {
  let server = try HTTPServer(configuration, respond: respond)
  do {
    try await body(server)
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

/// Returns a request with the given lines as header fields.
func request(
  _ line: String = "GET / HTTP/1.1", _ fields: String..., body: String = ""
) -> String {
  (["\(line)", "Host: x"] + fields).joined(separator: "\r\n") + "\r\n\r\n" + body
}
