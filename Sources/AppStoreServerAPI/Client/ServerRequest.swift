internal import HTTPMessages
internal import JSONValues

/// A request before it is addressed to a server.
struct ServerRequest: Sendable {
  /// The body of a request.
  enum Body: Sendable {
    case none
    case json([UInt8])
    case png([UInt8])
  }

  let endpoint: AppStoreServerEndpoint
  /// The path with its leading slash; identifiers in it are percent-encoded.
  let path: String
  var body = Body.none

  /// Creates a request without a body.
  init(
    _ endpoint: AppStoreServerEndpoint, _ path: [String], query: [(String, String)] = []
  ) {
    self.endpoint = endpoint
    var text = path.map { "/" + $0.percentEncoded }.joined()
    for (index, (name, value)) in query.enumerated() {
      text += (index == 0 ? "?" : "&") + name + "=" + value.percentEncoded
    }
    self.path = text
  }

  /// Creates a request with a body of JSON.
  init(
    _ endpoint: AppStoreServerEndpoint, _ path: [String], query: [(String, String)] = [],
    sending model: some JSONModel
  ) {
    self.init(endpoint, path, query: query)
    body = .json(model.json.serialized)
  }
}
