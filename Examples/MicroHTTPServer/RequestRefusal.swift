internal import HTTPMessages

/// Why a request does not reach the handler.
enum RequestRefusal: Error, Hashable, Sendable {
  /// It is no HTTP, or could be read in two ways.
  case malformed
  /// Its header fields are longer than accepted.
  case headersTooLarge

  /// What is sent; the connection ends after it, as nobody knows where the request ends.
  var answer: HTTPResponse {
    switch self {
    case .malformed: .message("Problems parsing JSON", status: .badRequest)
    case .headersTooLarge: .message("Request header fields are too large", status: 431)
    }
  }
}

extension HTTPResponse {
  /// The answer to a request that is not waited for any longer, or has no room.
  static let unavailable = message("Service Unavailable", status: .serviceUnavailable)

  fileprivate static func message(_ text: StaticString, status: HTTPStatusCode) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [
        .contentType: "application/json; charset=utf-8",
        .cacheControl: "no-cache, no-store, must-revalidate", "Pragma": "no-cache",
      ],
      body: Array("{\"message\":\"\(text)\"}".utf8))
  }
}
