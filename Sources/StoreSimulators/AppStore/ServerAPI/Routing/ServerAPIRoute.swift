internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels

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

/// The address of a request to the server APIs, taken apart as Apple's servers do.
struct ServerAPITarget: Sendable {
  let server: AppStoreEnvironment
  /// The path with its query, as it was sent.
  let text: String
  /// The decoded parts of the path.
  let path: [String]
  /// The decoded parameters, in order.
  let query: [Parameter]

  struct Parameter: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// Apple's hosts: the newer names, and the older ones, which still answer.
  private static let hosts: [(String, AppStoreEnvironment)] = [
    ("https://api.storekit.apple.com/", .production),
    ("https://api.storekit-sandbox.apple.com/", .sandbox),
    ("https://api.storekit.itunes.apple.com/", .production),
    ("https://api.storekit-sandbox.itunes.apple.com/", .sandbox),
  ]

  /// Takes an address apart; nil if it is not one of the server APIs.
  init?(url: String) {
    guard let host = Self.hosts.first(where: { url.hasPrefix($0.0) }) else { return nil }
    server = host.1
    text = String(url.dropFirst(host.0.count - 1))
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
      .map { Self.decoded($0) }
    query = Self.parameters(parts.count == 2 ? parts[1] : "")
  }

  /// Returns the decoded parameters of a query or a form, in order.
  static func parameters(_ text: Substring) -> [Parameter] {
    text.split(separator: "&").map { field in
      let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // In a query a plus sign is a space; whoever means the sign has to escape it.
      return Parameter(
        name: decoded(pair[0], plusIsSpace: true),
        value: pair.count == 2 ? decoded(pair[1], plusIsSpace: true) : "")
    }
  }

  static func decoded(_ text: Substring, plusIsSpace: Bool = false) -> String {
    let plus = UInt8(ascii: plusIsSpace ? " " : "+")
    let bytes = PercentEncoding.decode(text.utf8, plus: plus)
    return bytes.map { String(decoding: $0, as: UTF8.self) } ?? String(text)
  }
}
