internal import HTTPMessages
internal import JSONValues
internal import StorekeeperCrypto
internal import StorekeeperLocks
internal import StorekeeperTesting

/// A key with which a simulator signs the bearer tokens of pushes, in place of Google's.
public struct TestPushKey: Sendable, CustomStringConvertible, CustomReflectable {
  public let keyID: String
  private let key: RSAPrivateKey

  /// Creates a new key.
  public init() throws {
    key = try RSAPrivateKey(PrivateKey(generating: .rsa2048))
    keyID = PlayToken.hexadecimal(40)
  }

  func sign(_ claims: [String: JSONValue]) throws -> String {
    let header: [String: JSONValue] = [
      "alg": .string("RS256"), "kid": .string(keyID), "typ": .string("JWT"),
    ]
    let signed =
      Base64.encode(JSONValue.object(header).serialized, .url) + "."
      + Base64.encode(JSONValue.object(claims).serialized, .url)
    return signed + "." + Base64.encode(try key.signature(of: Array(signed.utf8)), .url)
  }

  /// The public key as a JSON Web Key (RFC 7517).
  var webKey: JSONValue {
    get throws {
      let numbers = try key.publicKey.webKeyNumbers
      return .object([
        "kty": .string("RSA"), "alg": .string("RS256"), "use": .string("sig"),
        "kid": .string(keyID), "n": .string(numbers.modulus), "e": .string(numbers.exponent),
      ])
    }
  }

  /// The identifier, never the key.
  public var description: String { "TestPushKey(\(keyID))" }
  /// A mirror with the identifier only.
  public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID]) }
}

/// The keys of pushes that Google publishes, of which the last one signs.
struct PlayPushKeys: Sendable {
  private(set) var published: [TestPushKey]

  init(_ key: TestPushKey) { published = [key] }

  /// The key that signs; there is always one.
  var current: TestPushKey { published[published.count - 1] }

  /// Adds a key that signs from now on, and drops the one before the last.
  mutating func rotate(to key: TestPushKey) { published = [current, key] }
}

extension PlayStoreSimulator {
  /// Signs pushes with another key from now on; the key before stays published until the next rotation.
  ///
  /// Without a key, it is a new one.
  public func rotatePushKey(to key: TestPushKey? = nil) throws {
    let key = try key ?? TestPushKey()
    state.withLock { $0.pushKeys.rotate(to: key) }
  }

  /// The identifiers of the published keys, oldest first.
  public var publishedPushKeyIDs: [String] {
    state.withLock { $0.pushKeys.published.map(\.keyID) }
  }

  /// The answer with the keys, which clients keep as long as it says.
  var certificates: HTTPResponseMessage {
    let published = state.withLock { $0.pushKeys.published }
    guard let keys = try? published.map({ try $0.webKey }) else {
      return GoogleAPIError(.internalServerError, "backendError", "The keys cannot be written")
        .response
    }
    var response = HTTPResponseMessage.google(["keys": .array(keys)])
    // The value has no control characters.
    try? response.headers.set(
      "public, max-age=\(Self.keyLifetime), must-revalidate, no-transform", for: .cacheControl)
    return response
  }

  /// The seconds for which clients may keep the keys.
  static let keyLifetime = 19_845
}
