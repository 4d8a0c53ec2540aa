internal import HTTPMessages
internal import ReceiptVerifier

/// A request to a route, with its caller and user as far as they are known.
struct Call: Sendable {
  var request: HTTPRequest
  let target: RequestTarget
  let match: RouteTable.Match
  var caller: Caller?
  var primaryID: String?
  var secondID: String?

  /// The ID in the path.
  var id: String { match.id }
  var contract: SubscriptionContract { match.mount.contract }
  /// Apple's server that the mount asks first.
  var server: VerifyReceiptServer { match.mount.server }

  /// The body as the members of a JSON object.
  func body() throws(RequestRefusal) -> RequestBody { try RequestBody(request.body) }
}
