internal import HTTPMessages
internal import JSONValues

/// A parameter of a query.
struct QueryItem: Sendable {
  let name: String
  let value: String
}

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
  init(get path: String, query: [QueryItem] = []) {
    method = .get
    let items = query.map { $0.name + "=" + $0.value.percentEncoded }
    self.path = path + (items.isEmpty ? "" : "?") + items.joined(separator: "&")
    body = nil
  }

  /// Creates a request that acts.
  init(post path: String, body: JSONValue?) {
    method = .post
    self.path = path
    self.body = body
  }
}
