internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An authenticator of users by signed session tokens, JSON Web Tokens with HS256 or ES256.
///
/// ```swift
/// let sessions = SessionTokens(
///   key: try SessionKey(publicKeyPEM: pem), issuer: "https://accounts.example.com")
/// let user = try await sessions.caller(token: token).name
/// ```
///
/// A token needs a signature of the key, an expiry date (`exp`) in the future, and a subject (`sub`)
/// that is an account identifier; the subject becomes the name of the caller. A date from which the
/// token counts (`nbf`) is observed. Other claims are ignored.
///
/// That a session was ended before its token expires is not checked; make tokens with a short life. Source: RFC 7515,
/// RFC 7519; credit rules, sections 1 and 10.
public struct SessionTokens: Authenticator {
  private let key: SessionKey
  private let issuer: String?
  private let audience: String?
  private let leeway: Duration
  private let now: @Sendable () -> Date

  /// The maximum length of a token in bytes.
  private static let maximumLength = 4096

  /// Creates an authenticator.
  ///
  /// - Parameters:
  ///   - key: The key that signs the tokens, or its public half.
  ///   - issuer: The required issuer (`iss`); with nil any issuer is accepted, also none.
  ///   - audience: The required audience (`aud`), which is one of those that the token names; with nil any audience
  ///     is accepted, also none.
  ///   - leeway: The difference allowed between the clocks of the maker of the tokens and of this server, at least 0.
  ///   - now: Returns the present moment.
  public init(
    key: SessionKey, issuer: String? = nil, audience: String? = nil,
    leeway: Duration = .seconds(60),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.key = key
    self.issuer = issuer
    self.audience = audience
    self.leeway = max(leeway, .zero)
    self.now = now
  }

  /// Returns a caller with the account identifier of the user to whom a token in compact form belongs as its name.
  ///
  /// - Throws: ``AuthenticationFailure/inactiveToken`` if the token is signed by the key, but expired or not yet
  ///   valid; ``AuthenticationFailure/unknownToken`` if it is refused for any other reason; or an error of OpenSSL.
  public func caller(token: String) async throws -> Caller {
    guard token.utf8.count <= Self.maximumLength, let payload = try key.payload(of: token),
      let claims = JSONValue.uniqueMembers(of: payload), isForUs(claims),
      let subject = Self.subject(of: claims), let expiry = Self.moment(claims["exp"])
    else { throw AuthenticationFailure.unknownToken }
    var start: Double?
    if let claim = claims["nbf"] {
      guard let moment = Self.moment(claim) else { throw AuthenticationFailure.unknownToken }
      start = moment
    }
    let (now, leeway) = (now().timeIntervalSince1970, leeway.timeInterval)
    // On or after `exp` a token is refused, before `nbf` too (RFC 7519 sections 4.1.4 and 4.1.5).
    guard now - leeway < expiry, start.map({ $0 <= now + leeway }) ?? true else {
      throw AuthenticationFailure.inactiveToken
    }
    return Caller(name: subject.rawValue)
  }

  /// Whether issuer and audience are the required ones.
  private func isForUs(_ claims: [String: JSONValue]) -> Bool {
    if let issuer {
      guard case .string(let name)? = claims["iss"], name.isSameText(as: issuer) else {
        return false
      }
    }
    guard let audience else { return true }
    switch claims["aud"] {
    case .string(let name): return name.isSameText(as: audience)
    case .array(let names):
      return names.contains { value in
        guard case .string(let name) = value else { return false }
        return name.isSameText(as: audience)
      }
    default: return false
    }
  }

  /// The subject, if it is an account identifier without white space around it.
  private static func subject(of claims: [String: JSONValue]) -> AccountID? {
    guard case .string(let text)? = claims["sub"], let id = try? AccountID(text),
      id.rawValue.isSameText(as: text)
    else { return nil }
    return id
  }

  /// The seconds since 1970 of a date in a claim (RFC 7519 section 2), or nil for anything else.
  private static func moment(_ claim: JSONValue?) -> Double? {
    switch claim {
    case .integer(let seconds): Double(seconds)
    case .number(let seconds): seconds
    default: nil
    }
  }
}

extension SessionTokens: CustomReflectable {
  /// A mirror with the key's algorithm only.
  public var customMirror: Mirror { Mirror(self, children: ["key": key]) }
}
