internal import HTTPMessages
internal import JSONValues
public import StorekeeperHTTP
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A member of the host's staff who is signed in to the desk.
public struct DeskMember: Hashable, Sendable {
  /// The role of a member.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// Reads all pages, and changes nothing.
    case reader
    /// Reads all pages, and does what they offer.
    case agent
  }

  /// The name under which what the member does is recorded: 1 to 100 bytes.
  public var name: String
  public var role: Role

  /// Creates a member.
  public init(name: String, role: Role) {
    self.name = name
    self.role = role
  }
}

/// The way in which the host's staff signs in to the desk.
///
/// ```swift
/// let access = try DeskAccess(tokens: BearerTokens([entry]), agents: ["nora"], key: key)
/// ```
///
/// A member shows a token once, and has a session after it, in a cookie that scripts cannot read and other sites cannot
/// send. Where a proxy of the host's own signs people on, ``signOn`` names the header fields in which it tells them.
///
/// A session ends after ``sessionLength``, and with the token: each request asks whether the token still counts. It is
/// not checked whether one was stolen. Source: OWASP Session Management Cheat Sheet; RFC 6265bis, section 4.1.3.
public struct DeskAccess: Sendable {
  /// The time for which a session lasts; eight hours by default.
  public var sessionLength = Duration.seconds(8 * 3600)
  /// Whether the cookie is sent by HTTPS alone, as by default; browsers make an exception for this machine itself.
  public var requiresHTTPS = true
  /// The header fields of the host's own sign-on; nil, as by default, for none.
  public var signOn: SignOn?

  /// Header fields by which a proxy tells who is signed on, and shows that it is the proxy.
  ///
  /// The proxy has to remove both from requests that come from outside.
  public struct SignOn: Sendable {
    fileprivate let nameField: HTTPHeaderName
    fileprivate let secretField: HTTPHeaderName
    fileprivate let secret: [UInt8]
    fileprivate let agents: Set<String>

    /// Creates the fields of a sign-on.
    ///
    /// - Parameters:
    ///   - nameField: The name of the field with the member's name.
    ///   - secretField: The name of the field with a secret that only the proxy and this server know.
    ///   - secret: The secret, at least 32 bytes.
    ///   - agents: The names of the members who may do what the pages offer; all others read.
    /// - Throws: ``DeskFailure``.
    public init(
      nameField: String, secretField: String, secret: String, agents: Set<String>
    ) throws(DeskFailure) {
      guard let name = try? HTTPHeaderName(nameField), let proof = try? HTTPHeaderName(secretField)
      else { throw .noHeaderField }
      guard secret.utf8.count >= minimumKeyLength else {
        throw .keyTooShort(minimum: minimumKeyLength)
      }
      self.nameField = name
      self.secretField = proof
      self.secret = Array(secret.utf8)
      self.agents = agents
    }
  }

  private let tokens: (any Authenticator)?
  private let agents: Set<String>
  private let key: HMACKey
  private let cookieKey: [UInt8]
  let now: @Sendable () -> Date

  /// Creates the access.
  ///
  /// - Parameters:
  ///   - tokens: The authenticator of support tokens, whose caller's name is that of the member; nil for none.
  ///   - agents: The names of the members who may do what the pages offer; the others read.
  ///   - key: The secret that seals sessions and forms, at least 32 random bytes, the same on all servers.
  ///   - now: Returns the present moment.
  /// - Throws: ``DeskFailure/keyTooShort(minimum:)``, or an error of OpenSSL.
  public init(
    tokens: (any Authenticator)?, agents: Set<String>, key: [UInt8],
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    guard key.count >= Self.minimumKeyLength else {
      throw DeskFailure.keyTooShort(minimum: Self.minimumKeyLength)
    }
    self.tokens = tokens
    self.agents = agents
    self.key = try HMACKey(key)
    cookieKey = try HMACKey(key).code(of: Array("cookies".utf8)[...])
    self.now = now
  }

  /// The minimum number of bytes of the secret.
  public static let minimumKeyLength = 32

  /// Returns a secret for a server that shares its sessions with no other, and loses them when it ends.
  public static func randomKey() -> [UInt8] { randomBytes(minimumKeyLength) }

  static func randomBytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max) }
  }

  // MARK: Members

  /// Returns the member to whom a token belongs; nil for one that is not accepted.
  private func member(token: String) async throws -> DeskMember? {
    guard let tokens, (1...Self.tokenLimit).contains(token.utf8.count) else { return nil }
    do {
      return member(named: try await tokens.caller(token: token).name, agents)
    } catch is AuthenticationFailure {
      return nil
    }
  }

  /// The maximum number of bytes of a token, so that it fits into a cookie.
  private static let tokenLimit = 1024

  private func member(named name: String, _ agents: Set<String>) -> DeskMember? {
    guard (1...100).contains(name.utf8.count) else { return nil }
    return DeskMember(name: name, role: agents.contains(name) ? .agent : .reader)
  }

  /// Returns the session of a request; nil if nobody is signed in.
  func session(of request: HTTPRequestMessage) async throws -> DeskSession? {
    if let signOn {
      let names = request.headers.values(for: signOn.nameField)
      let secrets = request.headers.values(for: signOn.secretField)
      if names.count == 1, secrets.count == 1,
        isEqualInConstantTime(Array(secrets[0].utf8), signOn.secret),
        let member = member(named: names[0], signOn.agents)
      {
        // The same for all requests of a member, as the proxy keeps the session.
        return DeskSession(member: member, id: "sign-on \(member.name)")
      }
    }
    guard let cookie = request.headers.cookie(cookieName), let content = opened(cookie),
      let member = try await member(token: content.token)
    else { return nil }
    return DeskSession(member: member, id: content.id)
  }

  // MARK: The cookie

  /// The name of the cookie; browsers take one with this beginning only by HTTPS, from this very host, for all paths.
  var cookieName: String { requiresHTTPS ? "__Host-desk" : "desk" }

  /// Returns the field that begins a session with a token; nil for one that is not accepted.
  func cookie(for token: String) async throws -> String? {
    guard try await member(token: token) != nil else { return nil }
    let end = now() + sessionLength.timeInterval
    let id = hexadecimal(Self.randomBytes(16))
    let nonce = Self.randomBytes(AESGCM.nonceSize)
    let sealed = try AESGCM.sealed(
      Array("\(Int(end.timeIntervalSince1970)) \(id) \(token)".utf8), key: cookieKey,
      nonce: nonce, associated: [])
    return field(Base64.encode(nonce + sealed, .url), lasting: sessionLength)
  }

  /// The field that ends a session.
  var endedCookie: String { field("", lasting: .zero) }

  private func field(_ value: String, lasting length: Duration) -> String {
    "\(cookieName)=\(value); Path=/; Max-Age=\(length.components.seconds); HttpOnly; SameSite=Strict"
      + (requiresHTTPS ? "; Secure" : "")
  }

  private func opened(_ cookie: String) -> (token: String, id: String)? {
    guard let bytes = Base64.decode(cookie, .url), bytes.count >= AESGCM.nonceSize + AESGCM.tagSize,
      let plain = try? AESGCM.opened(
        bytes[AESGCM.nonceSize...], key: cookieKey,
        nonce: Array(bytes[..<AESGCM.nonceSize]), associated: []),
      let text = String(validating: plain, as: UTF8.self)
    else { return nil }
    let parts = text.split(separator: " ", maxSplits: 2)
    guard parts.count == 3, let end = Int(parts[0]), now().timeIntervalSince1970 < Double(end)
    else { return nil }
    return (String(parts[2]), String(parts[1]))
  }

  // MARK: Forms

  /// Returns the seal of a text, which nobody else can make.
  func seal(_ text: String) throws -> String {
    Base64.encode(try key.code(of: Array("form \(text)".utf8)[...]), .url)
  }

  /// Returns whether a seal is that of a text; compared in constant time.
  func isSeal(_ seal: String, of text: String) throws -> Bool {
    isEqualInConstantTime(Array(try self.seal(text).utf8), Array(seal.utf8))
  }
}

/// A member who is signed in.
struct DeskSession: Sendable {
  let member: DeskMember
  /// The identifier of the session, which forms are bound to.
  let id: String
}

extension HTTPHeaders {
  /// Returns the value of a cookie; nil if there is none, or more than one.
  ///
  /// Source: RFC 6265, section 4.2.1.
  fileprivate func cookie(_ name: String) -> String? {
    let pairs = values(for: "Cookie").joined(separator: ";").split(separator: ";")
    let found = pairs.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("\(name)=") }
    return found.count == 1 ? found.first.map { String($0.dropFirst(name.count + 1)) } : nil
  }
}

/// The reason why a desk can't be made.
@nonexhaustive
public enum DeskFailure: Error, Hashable, Sendable {
  /// The secret has fewer bytes than the minimum.
  case keyTooShort(minimum: Int)
  /// The name of a field is none that a header can have.
  case noHeaderField
}
