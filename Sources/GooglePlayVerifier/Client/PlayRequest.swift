internal import HTTPMessages
internal import JSONValues

/// A parameter of a query.
struct QueryItem: Sendable {
  let name: String
  let value: String
}

/// A request before it is addressed to a server.
struct PlayRequest: Sendable {
  let call: PlayMethod
  let method: HTTPRequestMethod
  /// The path below the package name, encoded, with its query.
  let path: String
  /// The body; nil for none.
  let body: JSONValue?

  /// Creates a request that reads.
  init(_ call: PlayMethod, get path: String, query: [QueryItem] = []) {
    self.call = call
    method = .get
    self.path = Self.path(path, query)
    body = nil
  }

  /// Creates a request that acts.
  init(_ call: PlayMethod, post path: String, query: [QueryItem] = [], body: JSONValue? = nil) {
    self.call = call
    method = .post
    self.path = Self.path(path, query)
    self.body = body
  }

  private static func path(_ path: String, _ query: [QueryItem]) -> String {
    let items = query.map { $0.name + "=" + $0.value.percentEncoded }
    return path + (items.isEmpty ? "" : "?") + items.joined(separator: "&")
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
