public import HTTPMessages
internal import Storekeeper

/// A row of the table of an API: a path with one method, who may call it, and its handler.
///
/// A class, as every call carries its route.
final class Route<API: APIShell>: Sendable {
  typealias Handler = @Sendable (API, Call<API>) async throws -> HTTPResponseMessage

  let method: HTTPRequestMethod
  /// The full path as a template, such as `/api/v1/apple/subs/{id}`.
  let path: String
  let access: RouteAccess
  let readsBody: Bool
  let terms: API.Terms
  let handler: Handler
  /// The path up to its ID, or the whole path if it has none.
  private let start: String
  /// The path after its ID; nil if it has none.
  private let end: String?

  /// Creates a route whose path, which is fixed in the source, has at most one placeholder such as `{id}`, which stands
  /// for a whole segment.
  init(
    _ method: HTTPRequestMethod, _ path: String, _ access: RouteAccess, readsBody: Bool = false,
    terms: API.Terms, handler: @escaping Handler
  ) {
    self.method = method
    self.path = path
    self.access = access
    self.readsBody = readsBody
    self.terms = terms
    self.handler = handler
    let parts = path.split(omittingEmptySubsequences: false) { $0 == "{" || $0 == "}" }
    precondition(parts.count == 1 || parts.count == 3, "A path has one placeholder at most.")
    start = String(parts[0])
    end = parts.count == 3 ? String(parts[2]) : nil
  }

  /// Returns the route below a prefix.
  func mounted(under prefix: String) -> Route {
    Route(
      method, prefix + path, access, readsBody: readsBody, terms: terms, handler: handler)
  }

  var hasID: Bool { end != nil }

  /// Returns the ID in a path as it was sent, or an empty text if the route has no ID; nil if the path
  /// does not match.
  func id(in path: Substring.UTF8View) -> String? {
    idBytes(in: path).map { String(decoding: $0, as: UTF8.self) }
  }

  func matches(_ path: Substring.UTF8View) -> Bool { idBytes(in: path) != nil }

  private func idBytes(in path: Substring.UTF8View) -> Substring.UTF8View? {
    guard path.starts(with: start.utf8) else { return nil }
    let rest = path.dropFirst(start.utf8.count)
    guard let end = end?.utf8 else { return rest.isEmpty ? rest : nil }
    guard rest.count > end.count, rest.suffix(end.count).elementsEqual(end) else { return nil }
    let id = rest.dropLast(end.count)
    return id.contains(UInt8(ascii: "/")) ? nil : id
  }
}

extension Route where API.Terms == Void {
  /// Creates a route of an API without terms of its own.
  convenience init(
    _ method: HTTPRequestMethod, _ path: String, _ access: RouteAccess, readsBody: Bool = false,
    handler: @escaping Handler
  ) {
    self.init(method, path, access, readsBody: readsBody, terms: (), handler: handler)
  }

  /// Returns the route to which Apple sends its notifications.
  static func appleNotifications(_ notifications: NotificationService) -> Route {
    Route(.post, "/webhook/apple", .vendor, readsBody: true) { _, call in
      try await notifications.receive(
        body: call.request.body, isForwarded: call.request.isForwarded)
      return HTTPResponseMessage(status: .ok)
    }
  }

  /// The route of Google's notifications, which Pub/Sub pushes.
  static func playNotifications(_ notifications: PlayNotificationService, _ path: String) -> Route {
    Route(.post, path, .vendor, readsBody: true) { _, call in
      try await notifications.receive(
        body: call.request.body, authorization: call.request.headers[.authorization],
        isForwarded: call.request.isForwarded)
      return .noContent
    }
  }
}

extension HTTPRequestMessage {
  /// Whether the request has a notification that another server forwarded.
  var isForwarded: Bool { headers[NotificationForwarder.header] == "1" }
}

/// The callers to whom a route is open.
enum RouteAccess: Hashable, Sendable {
  /// Apple or Google, whose signature or token is checked with the body.
  case vendor
  /// Everybody, without a token.
  case anyone
  /// A user or a trusted service.
  case caller
  case user
  case service
}

/// A served path and its methods.
public struct APIRoute: Hashable, Sendable {
  /// The full path, such as `/api/v1/apple/subs/{id}`.
  public let path: String
  public let methods: [HTTPRequestMethod]
}
