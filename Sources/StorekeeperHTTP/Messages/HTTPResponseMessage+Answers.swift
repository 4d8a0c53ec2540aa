internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels

extension HTTPHeaderName {
  static let acceptEncoding: HTTPHeaderName = "Accept-Encoding"
  static let allow: HTTPHeaderName = "Allow"
  static let entityTag: HTTPHeaderName = "ETag"
  static let ifNoneMatch: HTTPHeaderName = "If-None-Match"
  static let contentEncoding: HTTPHeaderName = "Content-Encoding"
  static let pragma: HTTPHeaderName = "Pragma"
  static let requestID: HTTPHeaderName = "X-Request-Id"
  static let wwwAuthenticate: HTTPHeaderName = "WWW-Authenticate"
}

extension HTTPResponseMessage {
  static let noContent = HTTPResponseMessage(status: .noContent)

  static func json(_ value: JSONValue, status: HTTPStatusCode = .ok) -> HTTPResponseMessage {
    json(bytes: value.serialized, status: status)
  }

  static func json(bytes: [UInt8], status: HTTPStatusCode = .ok) -> HTTPResponseMessage {
    HTTPResponseMessage(status: status, headers: ofJSON, body: bytes)
  }

  private static let ofJSON: HTTPHeaders = [.contentType: "application/json; charset=utf-8"]
  private static let ofAll: HTTPHeaders = [
    .cacheControl: "no-cache, no-store, must-revalidate", .pragma: "no-cache",
  ]

  /// Adds the header fields of every answer, and those that belong to its status.
  ///
  /// Every 401 names the scheme (RFC 9110 section 15.5.2), and every 415 what is understood (section 15.5.16). An
  /// answer that says itself how long it may be kept keeps its field. The ID must be valid as the value of a header
  /// field.
  mutating func finish(requestID: String) {
    switch status {
    case .unauthorized: headers.set([.wwwAuthenticate: "Bearer"])
    case .unsupportedMediaType: headers.set([.acceptEncoding: "identity"])
    default: break
    }
    if headers[.cacheControl] == nil { headers.set(Self.ofAll) }
    try? headers.set(requestID, for: .requestID)
  }
}
