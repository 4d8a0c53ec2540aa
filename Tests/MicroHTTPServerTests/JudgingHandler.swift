import HTTPMessages
import StorekeeperMicroHTTPServer

/// A handler that judges by the path, and answers with the length of the body.
///
/// `/refused` is 401; `/stranger` is admitted as anonymous; `/bodiless` wants no body; `/late`
/// waits at the gate before it judges, and a path that ends in `/held` before it answers.
struct JudgingHandler: Sendable {
  let gate: Gate

  @Sendable
  func judge(_ head: HTTPRequestMessage) async -> HeadVerdict {
    if head.url == "/refused" { return .answer(HTTPResponseMessage(status: .unauthorized)) }
    if head.url == "/late" { await gate.pass() }
    return .admit(
      Admission(
        isKnown: !head.url.hasPrefix("/stranger"), bodyLimit: head.url == "/bodiless" ? 0 : .max,
        respond: { [gate] body in
          if head.url.hasSuffix("/held") { await gate.pass() }
          return HTTPResponseMessage(
            status: body.count > 1000 ? .contentTooLarge : .ok, body: Array("\(body.count)".utf8))
        },
        refuse: { HTTPResponseMessage(status: .serviceUnavailable, body: Array("no room".utf8)) }))
  }
}

/// Runs a judging server for the duration of a closure.
func withJudgingServer(
  _ configuration: ServerConfiguration, gate: Gate = Gate(),
  _ body: (HTTPServer) async throws -> Void
) async throws {
  let server = try HTTPServer(configuration, judging: JudgingHandler(gate: gate).judge)
  do {
    try await body(server)
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}
