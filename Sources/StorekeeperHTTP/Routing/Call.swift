internal import HTTPMessages
internal import LinkPolicy
internal import ReceiptModels

/// A request on its way, with what has been found out about it.
struct Call: Sendable {
  let request: HTTPRequest
  let target: RequestTarget
  var mount: Mount?
  var route: String?
  /// The id in the path.
  var id = ""
  var caller: Caller?
  var ftcID: String?
  var unionID: String?

  init(request: HTTPRequest, target: RequestTarget) {
    self.request = request
    self.target = target
  }

  /// Failures before there is a mount read the same in both.
  var contract: LinkContract { mount?.contract ?? .current }

  /// The body as the members of a JSON object.
  func body() throws(RequestRefusal) -> RequestBody { try RequestBody(request.body) }
}
