internal import HTTPMessages
internal import JSONValues

/// An answer that refuses an access token.
///
/// Source: RFC 6749 section 5.2; the descriptions are the simulator's own.
struct TokenRefusal: Error, Hashable, Sendable {
  let status: HTTPStatusCode
  let error: String
  let description: String

  init(_ error: String, _ description: String, status: HTTPStatusCode = .badRequest) {
    self.status = status
    self.error = error
    self.description = description
  }

  static func invalidGrant(_ description: String) -> TokenRefusal {
    TokenRefusal("invalid_grant", description)
  }

  var response: HTTPResponseMessage {
    .google(
      ["error": .string(error), "error_description": .string(description)], status: status)
  }
}

extension HTTPResponseMessage {
  /// An answer of Google in JSON.
  static func google(
    _ members: [String: JSONValue], status: HTTPStatusCode = .ok
  ) -> HTTPResponseMessage {
    HTTPResponseMessage(
      status: status, headers: [.contentType: "application/json; charset=UTF-8"],
      body: JSONValue.object(members).serialized)
  }
}
