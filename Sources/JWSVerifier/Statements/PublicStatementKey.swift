public import JSONValues
internal import StorekeeperCrypto

/// A public key for verifying what a server signed, as a JSON Web Key (RFC 7517): Ed25519, or on P-256.
///
/// ```swift
/// let keys = try StatementKeySet(parsing: bytes)
/// let isGenuine = keys["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"]?
///   .isValid(signature, of: message)
/// ```
///
/// Source: RFC 7518 section 6.2 for P-256, RFC 8037 section 2 for Ed25519.
public struct PublicStatementKey: Sendable {
  /// An algorithm of signatures, by its name in the header `alg`.
  public enum Algorithm: String, Hashable, Sendable, CaseIterable {
    /// Ed25519 (RFC 8037 section 3.1).
    case edDSA = "EdDSA"
    /// ECDSA on P-256 with SHA-256, as r and s of 32 bytes each (RFC 7518 section 3.4).
    case es256 = "ES256"
  }

  public let algorithm: Algorithm
  /// The thumbprint of the key with SHA-256, in base64url (RFC 7638), which is its `kid`.
  public let keyID: String
  /// The members that make the key, without those that describe it.
  private let members: [String: JSONValue]
  private let key: PublicKey

  /// Creates a key of its JSON form.
  ///
  /// The member `kid` need not be there, and is not believed: ``keyID`` is computed. Members that describe the key,
  /// such as `use`, are not looked at.
  ///
  /// - Throws: ``StatementKeyFailure``.
  public init(json: JSONValue) throws(StatementKeyFailure) {
    guard case .string(let kind)? = json["kty"], case .string(let curve)? = json["crv"] else {
      throw .unsupportedKey
    }
    switch (kind, curve) {
    case ("OKP", "Ed25519"): try self.init(rawBytes: Self.bytes("x", of: json), kind: .ed25519)
    case ("EC", "P-256"):
      try self.init(rawBytes: Self.bytes("x", of: json) + Self.bytes("y", of: json), kind: .p256)
    default: throw .unsupportedKey
    }
  }

  private init(rawBytes: [UInt8], kind: PublicKey.Kind) throws(StatementKeyFailure) {
    guard let key = PublicKey(rawBytes: rawBytes, kind: kind) else { throw .malformedKey }
    try self.init(key)
  }

  /// Takes a key that was read elsewhere.
  init(_ key: PublicKey) throws(StatementKeyFailure) {
    switch key.kind {
    case .ed25519: algorithm = .edDSA
    case .p256: algorithm = .es256
    case .p384, .rsa, .other: throw .unsupportedKey
    }
    guard let raw = key.rawBytes else { throw .malformedKey }
    members =
      switch algorithm {
      case .edDSA:
        ["kty": .string("OKP"), "crv": .string("Ed25519"), "x": .string(Base64.encode(raw, .url))]
      case .es256:
        [
          "kty": .string("EC"), "crv": .string("P-256"),
          "x": .string(Base64.encode(raw[..<32], .url)),
          "y": .string(Base64.encode(raw[32...], .url)),
        ]
      }
    // The required members, in the order of their names and without white space (RFC 7638 section 3.3).
    guard let digest = try? SHA256.digest(of: JSONValue.object(members).serialized) else {
      throw .malformedKey
    }
    keyID = Base64.encode(digest, .url)
    self.key = key
  }

  private static func bytes(
    _ name: String, of json: JSONValue
  ) throws(StatementKeyFailure) -> [UInt8] {
    guard case .string(let text)? = json[name], let bytes = Base64.decode(text, .url),
      bytes.count == 32
    else { throw .malformedKey }
    return bytes
  }

  /// The key with its `alg`, `kid` and `use`, which is `sig`.
  public var json: JSONValue {
    .object(
      members.merging([
        "alg": .string(algorithm.rawValue), "kid": .string(keyID), "use": .string("sig"),
      ]) { key, _ in key })
  }

  /// Returns whether a signature of 64 bytes is valid for a message.
  public func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    switch algorithm {
    case .edDSA: return key.isValid(ed25519Signature: signature, of: message)
    case .es256:
      guard let signature = ECDSASignature(rawBytes: signature),
        let digest = try? SHA256.digest(of: message)
      else { return false }
      return (try? key.isValid(signature, forDigest: digest)) ?? false
    }
  }
}

/// Public keys as a JSON Web Key Set (RFC 7517 section 5).
public struct StatementKeySet: Sendable {
  public let keys: [PublicStatementKey]

  /// Creates a set.
  public init(_ keys: [PublicStatementKey]) { self.keys = keys }

  /// Reads a set, without the keys of other kinds (RFC 7517 section 5).
  ///
  /// - Throws: ``StatementKeyFailure/malformedSet``, or ``StatementKeyFailure/malformedKey`` for a key of a kind that is known.
  public init(parsing bytes: [UInt8]) throws(StatementKeyFailure) {
    guard let json = try? JSONValue(parsing: bytes), case .array(let elements)? = json["keys"]
    else { throw .malformedSet }
    var keys: [PublicStatementKey] = []
    for element in elements {
      do throws(StatementKeyFailure) {
        keys.append(try PublicStatementKey(json: element))
      } catch {
        guard error == .unsupportedKey else { throw error }
      }
    }
    self.keys = keys
  }

  /// The key with a thumbprint, or nil if there is none.
  public subscript(keyID: String) -> PublicStatementKey? {
    keys.first { $0.keyID.utf8.elementsEqual(keyID.utf8) }
  }

  public var json: JSONValue { .object(["keys": .array(keys.map(\.json))]) }
}

/// A reason why a public key, or a set of them, can't be read.
@nonexhaustive
public enum StatementKeyFailure: Error, Hashable, Sendable {
  /// The text is no JSON object with an array `keys`.
  case malformedSet
  /// A coordinate is missing, is no base64url of 32 bytes, or they are no point of the curve.
  case malformedKey
  /// The key is neither an Ed25519 key nor one on P-256.
  case unsupportedKey
}
