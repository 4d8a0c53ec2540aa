internal import HTTPMessages

/// What the exchanges of a server share.
final class Service: Sendable {
  let configuration: ServerConfiguration
  let connections: Connections
  let memory: BodyMemory
  let respond: @Sendable (HTTPRequest) async -> HTTPResponse

  init(
    _ configuration: ServerConfiguration,
    respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) {
    self.configuration = configuration
    connections = Connections(configuration)
    memory = BodyMemory(configuration.bodyMemoryLimit)
    self.respond = respond
  }
}

extension ServerConfiguration {
  /// How much of a body is read, to be dropped behind ``bodyLimit``: clients send all of it before
  /// they look at the answer.
  var readingLimit: Int { bodyLimit + (16 << 20) }
}
