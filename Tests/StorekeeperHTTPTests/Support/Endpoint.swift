import StorekeeperHTTP
import HTTPMessages

/// A row of the tables of endpoints (contract on linking, sections 6.2 and 6.3).
struct Endpoint: Hashable, Sendable, CustomStringConvertible {
  let method: HTTPRequestMethod
  /// Below the mount, with an id where there is a placeholder.
  let path: String
  var isOf2019 = false
  /// The value of the `Allow` field of its path.
  let allow: String
  var readsBody = false
  var hasBearer = true
  var needsUser = false

  var mount: String { isOf2019 ? "/2019/api/v1" : "/api/v1" }
  var description: String { "\(method) \(mount)\(path)" }

  static let current = [
    Endpoint(method: .post, path: "/apple/verify-receipt", allow: "POST", readsBody: true),
    Endpoint(method: .post, path: "/apple/link", allow: "POST", readsBody: true),
    Endpoint(method: .post, path: "/apple/unlink", allow: "POST", readsBody: true),
    Endpoint(method: .post, path: "/apple/subs", allow: "GET, POST", readsBody: true),
    Endpoint(method: .get, path: "/apple/subs", allow: "GET, POST", needsUser: true),
    Endpoint(method: .get, path: "/apple/subs/1", allow: "GET, PATCH"),
    Endpoint(method: .patch, path: "/apple/subs/1", allow: "GET, PATCH"),
    Endpoint(method: .get, path: "/apple/receipt/1", allow: "GET"),
    Endpoint(
      method: .post, path: "/webhook/apple", allow: "POST", readsBody: true, hasBearer: false),
  ]

  static let legacy = [
    Endpoint(
      method: .post, path: "/apple/verify-receipt", isOf2019: true, allow: "POST",
      readsBody: true),
    Endpoint(
      method: .post, path: "/apple/link", isOf2019: true, allow: "POST, DELETE", readsBody: true,
      needsUser: true),
    Endpoint(
      method: .delete, path: "/apple/link", isOf2019: true, allow: "POST, DELETE",
      readsBody: true),
    Endpoint(
      method: .post, path: "/webhook/apple", isOf2019: true, allow: "POST", readsBody: true,
      hasBearer: false),
  ]

  static let all = current + legacy
  static let withBearer = all.filter(\.hasBearer)
  static let withBody = all.filter(\.readsBody)
}

extension APIScene {
  /// Sends a request to an endpoint, with the user and the token that it wants unless told otherwise.
  func send(
    to endpoint: Endpoint, _ body: String = "", token: String? = Self.token, hasUser: Bool = true,
    headers: KeyValuePairs<HTTPHeaderName, String> = [:]
  ) async throws -> HTTPResponseMessage {
    var fields = HTTPHeaders()
    if let token, endpoint.hasBearer { try fields.set("Bearer \(token)", for: .authorization) }
    if hasUser, endpoint.needsUser { try fields.set("alice", for: .userID) }
    for (name, value) in headers { try fields.append(value, for: name) }
    return await api.respond(
      to: HTTPRequestMessage(
        method: endpoint.method, url: endpoint.mount + endpoint.path, headers: fields,
        body: Array(body.utf8)))
  }
}
