internal import HTTPMessages

/// The reason why a request does not reach the handler.
enum RequestRefusal: Error, Hashable, Sendable {
  /// It is malformed, or could be read in two ways.
  case malformed
  /// Its header fields exceed the limit.
  case headersTooLarge

  /// The answer; the connection ends after it, as the end of the request is unknown.
  var answer: HTTPResponseMessage {
    switch self {
    case .malformed: .message("Problems parsing JSON", status: .badRequest)
    case .headersTooLarge: .message("Request header fields are too large", status: 431)
    }
  }
}

extension HTTPResponseMessage {
  /// The answer to a request that is no longer awaited, or for which there is no room.
  static let unavailable = message("Service Unavailable", status: .serviceUnavailable)

  fileprivate static func message(_ text: StaticString, status: HTTPStatusCode)
    -> HTTPResponseMessage
  {
    HTTPResponseMessage(
      status: status,
      headers: [
        .contentType: "application/json; charset=utf-8",
        .cacheControl: "no-cache, no-store, must-revalidate", "Pragma": "no-cache",
      ],
      body: Array("{\"message\":\"\(text)\"}".utf8))
  }
}
