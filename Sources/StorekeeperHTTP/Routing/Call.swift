internal import HTTPMessages
internal import ReceiptVerifier

/// A request on its way to a route, with what has been found out about it.
struct Call: Sendable {
  var request: HTTPRequest
  let target: RequestTarget
  let match: RouteTable.Match
  var caller: Caller?
  var primaryID: String?
  var secondID: String?

  /// The id in the path.
  var id: String { match.id }
  var contract: SubscriptionContract { match.mount.contract }
  /// The server of Apple that the mount asks first.
  var server: VerifyReceiptServer { match.mount.server }

  /// The body as the members of a JSON object.
  func body() throws(RequestRefusal) -> RequestBody { try RequestBody(request.body) }
}
