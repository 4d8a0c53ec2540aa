internal import HTTPMessages
internal import JSONValues

/// A request before it is addressed to a server.
struct PlayRequest: Sendable {
  let method: HTTPRequestMethod
  /// The path below `purchases/`, encoded, with its query.
  let path: String
  /// The body; nil for none.
  let body: JSONValue?

  /// Creates a request that reads.
  ///
  /// - Parameters:
  ///   - path: The path below `purchases/`, whose identifiers are percent-encoded.
  ///   - query: The parameters in order, percent-encoded here.
  init(get path: String, query: [(name: String, value: String)] = []) {
    method = .get
    var text = path
    for (index, (name, value)) in query.enumerated() {
      text += (index == 0 ? "?" : "&") + name + "=" + PathPart.percentEncoded(value)
    }
    self.path = text
    body = nil
  }

  /// Creates a request that acts.
  init(post path: String, body: JSONValue?) {
    method = .post
    self.path = path
    self.body = body
  }
}
