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
  /// All served routes, for hosts whose server registers each route.
  var routes: [APIRoute] { get }

  /// Returns whether a URL matches a route.
  ///
  /// The method of a request is not considered, because a wrong method of a known path has an answer of
  /// its own (405).
  ///
  /// - Parameter url: The URL of a request, absolute or beginning with the path.
  /// - Returns: Whether one of ``routes`` has the path.
  func knows(_ url: String) -> Bool

  /// Checks the head of a request, before its body is read into memory.
  ///
  /// - Parameter head: The request, without its body.
  /// - Returns: The answer to a refused request, or the admitted request.
  func judge(head: HTTPRequest) async -> HeadJudgement
}

extension RequestResponder {
  /// Answers a request, whether or not it is valid.
  ///
  /// - Parameter request: The request. Its URL is absolute or begins with the path; its body is
  ///   complete or has at least one byte more than the API accepts.
  /// - Returns: The answer, with all header fields except those that only the server can set, such
  ///   as the length of the body.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    switch await judge(head: request) {
    case .answered(let response): response
    case .admitted(let admitted): await admitted.respond(body: request.body)
    }
  }
}
