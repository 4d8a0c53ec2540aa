import HTTPMessages
import JSONValues
import StorekeeperHTTP
import StorekeeperMicroHTTPServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The routes of the server: the APIs, `/health` and `/ready`.
struct Site: Sendable {
  let api: StorekeeperAPI
  let readiness: Readiness
  let failedSources: FailedSources

  /// Judges a request by its head, so that only authorized clients send a body.
  func judge(_ request: HTTPRequestMessage) async -> HeadVerdict {
    guard let response = await ownAnswer(to: request) else { return await verdict(of: request) }
    return .answer(response)
  }

  /// Answers a request without a body.
  func respond(to request: HTTPRequestMessage) async -> HTTPResponseMessage {
    guard let response = await ownAnswer(to: request) else { return await api.respond(to: request) }
    return response
  }

  /// Returns the answer to a request for `/health` or `/ready`, or nil for any other.
  private func ownAnswer(to request: HTTPRequestMessage) async -> HTTPResponseMessage? {
    let path = Self.path(of: request.url)
    guard path == "/health" || path == "/ready" else { return nil }
    let response =
      request.method == .get || request.method == .head
      ? await state(path) : Self.notAllowed
    AccessLog.note(request, route: String(path), response)
    return response
  }

  private func verdict(of head: HTTPRequestMessage) async -> HeadVerdict {
    switch await api.judge(head: head) {
    case .answered(let response): .answer(response)
    case .admitted(let request):
      .admit(
        Admission(
          isKnown: request.caller != nil, bodyLimit: request.bodyLimit,
          respond: { await request.respond(body: $0) },
          refuse: { request.respondOverloaded() }))
    }
  }

  /// The path of a request target, which may have the absolute form `http://host/path` (RFC 9112
  /// section 3.2.2).
  private static func path(of target: String) -> Substring {
    let whole = Substring(target.utf8.prefix { $0 != UInt8(ascii: "?") })
    guard whole.utf8.first != UInt8(ascii: "/") else { return whole }
    let start = whole.prefix(8).lowercased()
    guard let scheme = ["http://", "https://"].first(where: start.hasPrefix) else { return whole }
    return whole.dropFirst(scheme.count).drop { $0 != "/" }
  }

  private func state(_ path: Substring) async -> HTTPResponseMessage {
    if path == "/health" { return Self.ok }
    guard await readiness.isReady() else { return Self.unavailable }
    return HTTPResponseMessage(status: .ok, headers: Self.headers, body: ready.serialized)
  }

  /// The body of `/ready`.
  ///
  /// The sources that failed are named, and make nothing unready: no other server could ask them either.
  private var ready: JSONValue {
    let failed = failedSources.list().map { source -> JSONValue in
      var members = Dictionary(uniqueKeysWithValues: source.scope.members)
      members["since"] = .string(source.since.formatted(.iso8601))
      return .object(members)
    }
    return .object(["status": .string("ok"), "failedSources": .array(failed)])
  }

  private static let headers: HTTPHeaders = [
    .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
  ]
  private static let ok = HTTPResponseMessage(
    status: .ok, headers: headers, body: Array(#"{"status":"ok"}"#.utf8))
  private static let unavailable = HTTPResponseMessage(
    status: .serviceUnavailable, headers: headers,
    body: Array(#"{"message":"Service Unavailable"}"#.utf8))
  private static let notAllowed: HTTPResponseMessage = {
    var response = HTTPResponseMessage(
      status: .methodNotAllowed, headers: ["Allow": "GET, HEAD"],
      body: Array(#"{"message":"Method Not Allowed"}"#.utf8))
    for field in headers { try? response.headers.set(field.value, for: field.name) }
    return response
  }()
}
