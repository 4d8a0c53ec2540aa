internal import HTTPMessages

/// The shared state of a server's exchanges.
final class Service: Sendable {
  let configuration: ServerConfiguration
  let connections: Connections
  let memory: BodyMemory
  let begin: @Sendable (() -> Void) -> Void
  let judge: @Sendable (HTTPRequestMessage) async -> HeadVerdict
  /// Answers a request without a body.
  let respond: @Sendable (HTTPRequestMessage) async -> HTTPResponseMessage

  init(
    _ configuration: ServerConfiguration,
    beginning begin: @escaping @Sendable (() -> Void) -> Void,
    judging judge: @escaping @Sendable (HTTPRequestMessage) async -> HeadVerdict,
    responding respond: (@Sendable (HTTPRequestMessage) async -> HTTPResponseMessage)?
  ) {
    self.configuration = configuration
    connections = Connections(configuration)
    memory = BodyMemory(configuration)
    self.begin = begin
    self.judge = judge
    self.respond =
      respond ?? { request in
        switch await judge(request) {
        case .answer(let response): response
        case .admit(let admission): await admission.respond([])
        }
      }
  }
}

extension ServerConfiguration {
  /// The length up to which a body is read and dropped beyond ``bodyLimit``: clients send all of it
  /// before they read the answer.
  var readingLimit: Int { bodyLimit + (16 << 20) }
}
