internal import HTTPMessages
internal import JSONValues
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PlayStoreSimulator {
  private static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

  func accessToken(_ request: HTTPRequestMessage) -> HTTPResponseMessage {
    let (now, signed) = (now, signatureNow)
    do throws(TokenRefusal) {
      let assertion = try Self.assertion(request)
      return try state.withLock { (state) throws(TokenRefusal) in
        let scopes = try AccessAssertion(assertion).scopes(state.access, at: signed)
        return .google([
          "access_token": .string(state.access.issue(scopes, at: now)),
          "expires_in": .integer(PlayAccess.lifetime), "token_type": .string("Bearer"),
        ])
      }
    } catch {
      return error.response
    }
  }

  private static func assertion(_ request: HTTPRequestMessage) throws(TokenRefusal) -> String {
    let type = request.headers[.contentType]?.split(separator: ";").first
    guard type?.lowercased() == "application/x-www-form-urlencoded" else {
      throw TokenRefusal("invalid_request", "The body has to be a form")
    }
    let form = ServerAPITarget.parameters(String(decoding: request.body, as: UTF8.self)[...])
    guard let grant = form.first(where: { $0.name == "grant_type" })?.value else {
      throw TokenRefusal("invalid_request", "grant_type is missing")
    }
    guard grant == grantType else {
      throw TokenRefusal("unsupported_grant_type", "There is no such grant_type")
    }
    guard let assertion = form.first(where: { $0.name == "assertion" })?.value else {
      throw TokenRefusal("invalid_request", "assertion is missing")
    }
    return assertion
  }

  /// Checks the access token of a request.
  func authorize(
    _ request: HTTPRequestMessage, _ state: State, at now: Date
  ) throws(GoogleAPIError) {
    guard let field = request.headers[.authorization] else { throw .noCredentials }
    guard field.hasPrefix("Bearer "),
      let token = state.access.token(String(field.dropFirst(7)), at: now)
    else { throw .badCredentials }
    guard token.scopes.contains(PlayAccess.publisherScope) else { throw .otherScope }
  }
}

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
    .google(["error": .string(error), "error_description": .string(description)], status: status)
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
