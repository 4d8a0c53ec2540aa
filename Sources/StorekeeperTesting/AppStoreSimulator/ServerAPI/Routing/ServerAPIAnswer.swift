internal import HTTPMessages
internal import JSONValues

/// The answer of a call of the server APIs, before faults change it.
struct ServerAPIAnswer: Sendable {
  var status: HTTPStatusCode = .ok
  /// Nil for an answer without a body.
  var json: JSONValue?

  /// An answer without a body.
  static let empty = ServerAPIAnswer()
  /// The answer to consumption information, which Apple takes without looking.
  static let accepted = ServerAPIAnswer(status: .accepted)

  static func json(_ members: [String: JSONValue]) -> ServerAPIAnswer {
    ServerAPIAnswer(json: .object(members))
  }
}
