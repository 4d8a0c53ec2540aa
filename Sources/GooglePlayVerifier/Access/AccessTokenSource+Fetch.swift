internal import HTTPMessages
internal import JSONValues
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension AccessTokenSource {
  private static let responseLimit = 65_536

  /// Asks Google for a token.
  func fetch() async throws(AccessTokenFailure) -> KeptToken {
    let asked = now()
    let request = try tokenRequest(at: asked)
    let response: HTTPResponseMessage
    do {
      response = try await transport.send(request)
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .transport((error as? HTTPTransportFailure)?.reason ?? .interrupted)
    }
    guard response.body.count <= Self.responseLimit else { throw .transport(.responseTooLarge) }
    guard response.status.isSuccess else { throw failure(of: response) }
    return try token(in: response.body, asked: asked)
  }

  /// Returns the signed claim that the request carries (RFC 7523 section 2.1).
  private func assertion(at date: Date) throws(AccessTokenFailure) -> String {
    let header: JSONValue = .object([
      "alg": .string("RS256"), "typ": .string("JWT"), "kid": .string(account.privateKeyID),
    ])
    let issued = Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    let claims: JSONValue = .object([
      "iss": .string(account.clientEmail),
      "scope": .string(scope),
      "aud": .string(account.tokenURI),
      "iat": .integer(issued),
      // Google accepts at most an hour.
      "exp": .integer(issued + 3600),
    ])
    let content =
      Base64.encode(header.serialized, .url) + "." + Base64.encode(claims.serialized, .url)
    guard let signature = try? account.key.signature(of: Array(content.utf8)) else {
      throw .signing
    }
    return content + "." + Base64.encode(signature, .url)
  }

  private func tokenRequest(at date: Date) throws(AccessTokenFailure) -> HTTPRequestMessage {
    let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer".percentEncoded
    let form = "grant_type=\(grant)&assertion=\(try assertion(at: date))"
    var message = HTTPRequestMessage(
      method: .post, url: account.tokenURI,
      headers: [
        .accept: "application/json", .contentType: "application/x-www-form-urlencoded",
      ],
      body: Array(form.utf8), timeout: timeout, responseLimit: Self.responseLimit)
    message.call = "accessToken"
    return message
  }

  private func token(
    in body: [UInt8], asked: Date
  ) throws(AccessTokenFailure) -> KeptToken {
    let json: JSONValue
    do { json = try JSONValue(parsing: body) } catch { throw .notJSON }
    do throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      let text = try members.requiredText("access_token")
      let lifetime = try members.required(
        "expires_in", .integer, members.int64("expires_in"))
      // The token becomes a header field.
      guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        throw FieldTypeFailure(path: "access_token", expected: .string, found: .string)
      }
      if let type = try members.text("token_type"), type.lowercased() != "bearer" {
        throw FieldTypeFailure(path: "token_type", expected: .string, found: .string)
      }
      let kept = max(0, min(lifetime, 86_400) - 60)
      return KeptToken(
        token: AccessToken(value: text), received: asked,
        end: asked.addingTimeInterval(Double(kept)))
    } catch {
      throw .malformedAnswer(error)
    }
  }

  /// Returns the failure for an answer with a status of failure.
  private func failure(of response: HTTPResponseMessage) -> AccessTokenFailure {
    let status = response.status.code
    let now = now()
    let json = try? JSONValue(parsing: response.body)
    let code: String? = if case .string(let text)? = json?["error"] { text } else { nil }
    if status == 429 { return .rateLimited(retryAfter: response.retryAfter(at: now)) }
    if status >= 500 {
      return .backendError(status: status, retryAfter: response.retryAfter(at: now))
    }
    switch code {
    case "invalid_grant":
      guard let skew = clockSkew(in: response, at: now) else { return .invalidGrant }
      return .clockSkew(skew)
    case "invalid_scope": return .invalidScope
    case "invalid_client": return .invalidClient
    default: return .refused(status: status, error: code.flatMap(GoogleError.shownCode))
    }
  }

  /// Returns the whole seconds by which our clock is ahead of Google's, if that is more than a minute in
  /// either direction (Google Play rules, section 1).
  private func clockSkew(in response: HTTPResponseMessage, at now: Date) -> Duration? {
    guard let date = response.headers[.date].flatMap(Date.init(headerField:)) else { return nil }
    let skew = Int(exactly: now.timeIntervalSince(date).rounded()) ?? 0
    return abs(skew) > 60 ? .seconds(skew) : nil
  }
}
