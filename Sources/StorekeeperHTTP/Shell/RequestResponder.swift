public import HTTPMessages

/// An API over HTTP: routes, and the answers to their requests.
///
/// ```swift
/// let api: any RequestResponder = StorekeeperAPI([subscriptionAPI, creditAPI])
/// let response = await api.respond(to: request)
/// ```
///
/// An API opens no socket: a request goes in as a value, and its answer comes out as one. Those of this
/// module are ``SubscriptionAPI``, ``CreditAPI``, ``EntitlementAPI``, ``OrderAPI``, and ``StorekeeperAPI``, which is made
/// of several.
///
/// Every request gets exactly one answer, also one to an unknown route.
public protocol RequestResponder: Sendable {
  var routes: [APIRoute] { get }

  /// Returns whether the path of a URL, absolute or beginning with the path, is one of ``routes``.
  ///
  /// ``respond(to:)`` answers an unknown path with status 404. A host that has routes of its own below those of an
  /// API calls this method first. The method of a request is not considered, because a wrong method of a known path
  /// has an answer of its own (405).
  func knows(_ url: String) -> Bool

  /// Checks the head of a request: route, method, token, user and declared length.
  ///
  /// A server calls this method before it reads the body into memory, so that callers without a
  /// token cannot exhaust its memory.
  ///
  /// ```swift
  /// switch await api.judge(head: head) {
  /// case .answered(let response): send(response)
  /// case .admitted(let request): send(await request.respond(body: try await readBody()))
  /// }
  /// ```
  ///
  /// Source: linking rules, section 6.1.
  func judge(head: HTTPRequestMessage) async -> HeadJudgement

  /// Answers a request, whether or not it is valid.
  ///
  /// Its URL is absolute or begins with the path; its body is complete or has at least one byte more than the API
  /// accepts. The answer has all header fields except those that only the server can set, such as the length of the
  /// body. By default the head is judged, and then the request is answered.
  func respond(to request: HTTPRequestMessage) async -> HTTPResponseMessage
}

extension RequestResponder {
  /// Answers a request, whether or not it is valid.
  public func respond(to request: HTTPRequestMessage) async -> HTTPResponseMessage {
    switch await judge(head: request) {
    case .answered(let response): response
    case .admitted(let admitted): await admitted.respond(body: request.body)
    }
  }
}

// Public as the requirements are; hosts see those, because the protocol of the shell is internal.
extension APIShell {
  public var routes: [APIRoute] {
    var routes: [APIRoute] = []
    var rest = table.routes[...]
    while let route = rest.first {
      let methods = rest.prefix { $0.path == route.path }.map(\.method)
      routes.append(APIRoute(path: route.path, methods: methods))
      rest = rest.dropFirst(methods.count)
    }
    return routes
  }

  /// Returns whether a URL matches a route.
  public func knows(_ url: String) -> Bool {
    knows(path: HTTPRequestMessage(url: url).path)
  }

  func knows(path: Substring.UTF8View) -> Bool { table.knows(path) }

  /// Checks the head of a request.
  public func judge(head: HTTPRequestMessage) async -> HeadJudgement {
    let call = Call(self, head)
    return await call.inSpan { await judge(call) }
  }

  private func judge(_ call: Call<Self>) async -> HeadJudgement {
    var call = call
    do {
      try await checkHead(of: &call)
      return .admitted(AdmittedRequest(call))
    } catch {
      return .answered(call.end(answer(to: error, in: call), because: error))
    }
  }

  /// Checks the head of a request, and answers it.
  public func respond(to request: HTTPRequestMessage) async -> HTTPResponseMessage {
    let call = Call(self, request)
    return await call.inSpan { await respond(to: call) }
  }

  private func respond(to call: Call<Self>) async -> HTTPResponseMessage {
    var call = call
    do {
      try await checkHead(of: &call)
    } catch {
      return call.end(answer(to: error, in: call), because: error)
    }
    return await call.respond()
  }
}
