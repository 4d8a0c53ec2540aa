internal import HTTPMessages
internal import ReceiptModels

extension HTTPHeaderName {
  static let acceptEncoding: HTTPHeaderName = "Accept-Encoding"
  static let allow: HTTPHeaderName = "Allow"
  static let contentEncoding: HTTPHeaderName = "Content-Encoding"
  static let pragma: HTTPHeaderName = "Pragma"
  static let requestID: HTTPHeaderName = "X-Request-Id"
  static let wwwAuthenticate: HTTPHeaderName = "WWW-Authenticate"
}

extension HTTPResponse {
  static let noContent = HTTPResponse(status: .noContent)

  /// An answer in JSON.
  static func json(_ value: JSONValue, status: HTTPStatus = .ok) -> HTTPResponse {
    json(bytes: value.serialized, status: status)
  }

  /// An answer that is JSON already.
  static func json(bytes: [UInt8], status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [.contentType: "application/json; charset=utf-8"], body: bytes)
  }

  /// Adds what every answer has; the id has to be a value of a header field.
  mutating func finish(requestID: String) {
    headers.setAll(
      [.cacheControl: "no-cache, no-store, must-revalidate", .pragma: "no-cache"])
    try? headers.set(requestID, for: .requestID)
  }
}
