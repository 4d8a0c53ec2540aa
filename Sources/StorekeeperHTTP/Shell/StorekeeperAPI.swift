public import HTTPMessages

/// Several APIs as one, for a server that has one place to mount them.
///
/// ```swift
/// let api = StorekeeperAPI([subscriptionAPI, creditAPI])
/// let response = await api.respond(to: request)
/// ```
///
/// The first API that knows the URL of a request answers it, with its own authenticator, limits and
/// observer. A URL that none of them knows is answered by the first API, with status 404.
public struct StorekeeperAPI: RequestResponder {
  public let apis: [any RequestResponder]
  /// The APIs of this module among them, which look a path up that was read once; nil for a host's own.
  private let shells: [(any APIShell)?]

  /// Creates an API of several; without any, every URL is unknown.
  public init(_ apis: [any RequestResponder]) {
    self.apis = apis
    shells = apis.map { $0 as? any APIShell }
  }

  /// The routes of all APIs, in their order.
  ///
  /// A path that two APIs have appears twice; the first API answers it.
  public var routes: [APIRoute] { apis.flatMap(\.routes) }

  /// Returns whether the path of a URL is one of ``routes``.
  public func knows(_ url: String) -> Bool { apis.contains { $0.knows(url) } }

  /// Lets the first API that knows the URL check the head of a request.
  public func judge(head: HTTPRequestMessage) async -> HeadJudgement {
    guard let api = api(for: head) else { return .answered(Self.unknown) }
    return await api.judge(head: head)
  }

  /// Lets the first API that knows the URL answer the request.
  public func respond(to request: HTTPRequestMessage) async -> HTTPResponseMessage {
    guard let api = api(for: request) else { return Self.unknown }
    return await api.respond(to: request)
  }

  /// The API for a request, or nil if there is none at all.
  private func api(for request: HTTPRequestMessage) -> (any RequestResponder)? {
    let path = request.path
    let index = apis.indices.first { shells[$0]?.knows(path: path) ?? apis[$0].knows(request.url) }
    return index.map { apis[$0] } ?? apis.first
  }

  private static var unknown: HTTPResponseMessage {
    var response = HTTPResponseMessage(.notFound)
    response.finish(requestID: RequestID.random())
    return response
  }
}
