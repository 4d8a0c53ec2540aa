internal import HTTPMessages
internal import JSONValues

/// A call of the server APIs.
struct ServerAPIRoute: Sendable {
  typealias Answer = @Sendable (ServerAPICall) throws -> ServerAPIAnswer

  let method: HTTPRequestMethod
  /// The path; a part in braces is variable.
  let path: String
  /// The number of requests a second that Production allows; nil for no limit.
  let limit: Int?
  let answer: Answer

  init(
    _ method: HTTPRequestMethod, _ path: String, limit: Int? = nil, _ answer: @escaping Answer
  ) {
    self.method = method
    self.path = path
    self.limit = limit
    self.answer = answer
    parts = path.split(separator: "/").map(String.init)
  }

  private let parts: [String]

  /// Returns the variable parts of a path that the route has; nil for another path.
  private func match(_ path: [String]) -> [String: String]? {
    guard path.count == parts.count else { return nil }
    var parameters: [String: String] = [:]
    for (part, found) in zip(parts, path) {
      if part.hasPrefix("{") {
        guard !found.isEmpty else { return nil }
        parameters[String(part.dropFirst().dropLast())] = found
      } else if !part.isSameText(as: found) {
        return nil
      }
    }
    return parameters
  }

  /// Returns the route of a request with the variable parts of its path.
  ///
  /// An earlier route goes before a later one, so that a fixed part wins over a variable one.
  static func find(
    _ method: HTTPRequestMethod, _ path: [String]
  ) throws(ServerAPIRefusal) -> (ServerAPIRoute, [String: String]) {
    var isKnown = false
    for route in all {
      guard let parameters = route.match(path) else { continue }
      if route.method == method { return (route, parameters) }
      isKnown = true
    }
    throw isKnown ? ServerAPIRefusal(status: .methodNotAllowed) : .unknownCall
  }

  static let all: [ServerAPIRoute] =
    purchases + extensions + notificationCalls + groups + messaging + advancedCommerce
    + externalPurchases
}
