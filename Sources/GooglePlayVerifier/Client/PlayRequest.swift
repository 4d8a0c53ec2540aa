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

/// An identifier in the path of a request.
///
/// Purchase tokens come from a client, and the request carries the server's credentials, so each
/// identifier has to be exactly one part of the path.
enum PathPart {
  /// The maximum length of an identifier in bytes; Google's purchase tokens have about 200.
  static let maximumLength = 4096

  /// Returns an identifier percent-encoded.
  static func encoded(
    _ text: String, _ member: InvalidCall.Member
  ) throws(InvalidCall) -> String {
    guard !text.isEmpty else { throw .empty(member) }
    guard text.utf8.count <= maximumLength else { throw .tooLong(member, limit: maximumLength) }
    // A client or proxy would remove such a part.
    guard !text.isSameText(as: "."), !text.isSameText(as: "..") else { throw .notPathPart(member) }
    return text.percentEncoded
  }
}
