import HTTPMessages
import StorekeeperHTTP

/// All that the server answers: the API, and the two addresses that tell how it is.
struct Site: Sendable {
  let api: SubscriptionAPI
  let readiness: Readiness

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let path = Self.path(of: request.url)
    guard path == "/health" || path == "/ready" else { return await api.respond(to: request) }
    let response =
      request.method == .get || request.method == .head
      ? await state(path) : Self.notAllowed
    AccessLog.note(request, route: String(path), response)
    return response
  }

  /// What stands before a query, also in an absolute form such as `http://host/path` (RFC 9112
  /// section 3.2.2).
  private static func path(of target: String) -> Substring {
    var path = target.prefix { $0 != "?" }
    for scheme in ["http://", "https://"] where path.prefix(8).lowercased().hasPrefix(scheme) {
      path = path.dropFirst(scheme.utf8.count).drop { $0 != "/" }
    }
    return path
  }

  private func state(_ path: Substring) async -> HTTPResponse {
    if path == "/health" { return Self.ok }
    return await readiness.isReady() ? Self.ok : Self.unavailable
  }

  private static let headers: HTTPHeaders = [
    .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
  ]
  private static let ok = HTTPResponse(
    status: .ok, headers: headers, body: Array(#"{"status":"ok"}"#.utf8))
  private static let unavailable = HTTPResponse(
    status: .serviceUnavailable, headers: headers,
    body: Array(#"{"message":"Service Unavailable"}"#.utf8))
  private static let notAllowed: HTTPResponse = {
    var response = HTTPResponse(
      status: .methodNotAllowed, headers: ["Allow": "GET, HEAD"],
      body: Array(#"{"message":"Method Not Allowed"}"#.utf8))
    for field in headers { try? response.headers.set(field.value, for: field.name) }
    return response
  }()
}
