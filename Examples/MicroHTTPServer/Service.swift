internal import HTTPMessages

/// What the exchanges of a server share.
final class Service: Sendable {
  let configuration: ServerConfiguration
  let connections: Connections
  let memory: BodyMemory
  let begin: @Sendable (() -> Void) -> Void
  let respond: @Sendable (HTTPRequest) async -> HTTPResponse

  init(
    _ configuration: ServerConfiguration,
    beginning begin: @escaping @Sendable (() -> Void) -> Void,
    respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) {
    self.configuration = configuration
    connections = Connections(configuration)
    memory = BodyMemory(configuration.bodyMemoryLimit)
    self.begin = begin
    self.respond = respond
  }
}

extension ServerConfiguration {
  /// How much of a body is read, to be dropped behind ``bodyLimit``: clients send all of it before
  /// they look at the answer.
  var readingLimit: Int { bodyLimit + (16 << 20) }
}
