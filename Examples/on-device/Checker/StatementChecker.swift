public import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import JWSVerifier
#endif

/// A statement of the products that a user may use in an app; moments are in seconds since 1970.
public struct Statement: Codable, Sendable {
  public struct Product: Codable, Sendable { public let id: String, end: Int? }
  public let sub: String, aud: String, env: [String], subscription: Product?, products: [Product]
  public let complete: Bool, exp: Int, ask: Int, counter: Int
}

/// The memory of an app about a user's statements: the newest, and the latest time, in milliseconds.
public struct StatementMemory: Codable, Hashable, Sendable {
  public var newest = 0, clock = 0
  public init() {}
}

/// The reason why a statement is refused; `older` means that the app has seen a newer one.
public enum StatementRefusal: String, Error, Sendable {
  case malformed, unknownKey, badSignature, otherUser, otherApp, otherEnvironment
  case older, clockSetBack, over
}

/// A checker of statements about one user, with the server's keys (a JWK set).
public struct StatementChecker: Sendable {
  typealias Check = @Sendable (_ signature: Data, _ message: Data) -> Bool
  private let checks: [String: Check], user: String, app: String, environments: Set<String>

  public init(keys: Data, user: String, app: String, environments: Set<String>) throws {
    (checks, self.user, self.app) = (try Self.checks(of: keys), user, app)
    self.environments = environments
  }

  /// Returns a statement that counts at a moment, and remembers it; a fresh one has just come from the server, so that
  /// its counter is the time, and that of any other is in the past.
  public func statement(
    in text: String, at date: Date = Date(), isFresh: Bool = false, memory: inout StatementMemory
  ) throws(StatementRefusal) -> Statement {
    struct Header: Decodable { let typ: String, kid: String, crit: [String]? }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= 1024, parts.count == 3, let signature = Self.bytes(parts[2]),
      let header: Header = Self.value(parts[0]), header.typ == "entitlement+jwt", header.crit == nil
    else { throw .malformed }
    guard let isValid = checks[header.kid] else { throw .unknownKey }
    guard isValid(signature, Data("\(parts[0]).\(parts[1])".utf8)) else { throw .badSignature }
    guard let statement: Statement = Self.value(parts[1]) else { throw .malformed }
    guard statement.sub.utf8.elementsEqual(user.utf8) else { throw .otherUser }
    guard statement.aud.utf8.elementsEqual(app.utf8) else { throw .otherApp }
    guard environments.isSuperset(of: statement.env) else { throw .otherEnvironment }
    guard isFresh || statement.counter >= memory.newest else { throw .older }
    memory.newest = statement.counter
    memory.clock = isFresh ? statement.counter : max(memory.clock, statement.counter)
    let now = Int(date.timeIntervalSince1970 * 1000)
    guard now >= memory.clock - 300_000 else { throw .clockSetBack }  // Five minutes may be wrong.
    memory.clock = max(memory.clock, now)
    guard now / 1000 < statement.exp else { throw .over }
    return statement
  }

  private static func value<Value: Decodable>(_ text: Substring) -> Value? {
    bytes(text).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
  }

  /// Decodes base64url, but only as it is written: another text for the same bytes was changed.
  private static func bytes(_ text: Substring) -> Data? {
    let values: [Character: Character] = ["-": "+", "_": "/", "+": "!", "/": "!", "=": "!"]
    let digits = String(text.map { values[$0] ?? $0 })
    let padded = String((digits + "===").prefix((text.count + 3) / 4 * 4))
    return Data(base64Encoded: padded).flatMap { $0.base64EncodedString() == padded ? $0 : nil }
  }

  #if canImport(CryptoKit)
    private static func checks(of keys: Data) throws -> [String: Check] {
      struct Key: Decodable { let kid: String?, crv: String?, x: String?, y: String? }
      let keys = try JSONDecoder().decode([String: [Key]].self, from: keys)["keys"] ?? []
      return try keys.reduce(into: [:]) { checks, key in
        guard let kid = key.kid else { return }  // No statement can name it.
        let (x, y) = (bytes((key.x ?? "")[...]) ?? Data(), bytes((key.y ?? "")[...]) ?? Data())
        if key.crv == "Ed25519" {
          let ed25519 = try Curve25519.Signing.PublicKey(rawRepresentation: x)
          checks[kid] = { ed25519.isValidSignature($0, for: $1) }
        } else if key.crv == "P-256" {
          let p256 = try P256.Signing.PublicKey(rawRepresentation: x + y)
          checks[kid] = {
            (try? p256.isValidSignature(.init(rawRepresentation: $0), for: $1)) ?? false
          }
        }
      }
    }
  #else
    private static func checks(of keys: Data) throws -> [String: Check] {
      try StatementKeySet(parsing: Array(keys)).keys.reduce(into: [:]) { checks, key in
        checks[key.keyID] = { key.isValid(Array($0), of: Array($1)) }
      }
    }
  #endif
}
