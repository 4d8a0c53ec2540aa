internal import JSONValues
internal import StorekeeperCrypto

/// A private key of the host for signing what its own apps verify: Ed25519, or on P-256.
///
/// The key is parsed once and is never exposed: it has no accessor, and printing shows its thumbprint.
public struct StatementKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// The public key, with the thumbprint that tokens name as their `kid`.
  public let publicKey: PublicStatementKey

  private let key: PrivateKey

  /// Reads an unencrypted key in PEM, in PKCS #8 or SEC 1.
  ///
  /// `openssl genpkey -algorithm ed25519` makes one, as does `openssl genpkey -algorithm EC -pkeyopt
  /// ec_paramgen_curve:P-256`.
  ///
  /// - Throws: ``SigningFailure/malformedKey``, or ``SigningFailure/keyKindNotSupported``.
  public init(pem: String) throws(SigningFailure) {
    guard let key = try? PrivateKey(pem: pem), let publicKey = try? key.publicKey else {
      throw .malformedKey
    }
    guard let publicKey = try? PublicStatementKey(publicKey) else { throw .keyKindNotSupported }
    self.key = key
    self.publicKey = publicKey
  }

  /// Returns a payload as a compact JWS of a type (RFC 7515 sections 4.1.9 and 7.1).
  ///
  /// The type is the header `typ`, by which a token of one purpose is not taken for that of another (RFC 8725 section
  /// 3.11).
  ///
  /// - Throws: ``SigningFailure/signing``.
  public func token(of payload: [UInt8], type: String) throws(SigningFailure) -> String {
    let content = header(ofType: type) + "." + Base64.encode(payload, .url)
    guard let signature = signature(of: Array(content.utf8)) else { throw .signing }
    return content + "." + Base64.encode(signature, .url)
  }

  /// Returns how many bytes a payload may have for a token of a type that has at most so many.
  ///
  /// It is negative where not even an empty one fits.
  public func payloadLimit(ofTokensUpTo limit: Int, type: String) -> Int {
    // Between them are two dots, and a signature of 64 bytes.
    let rest = limit - header(ofType: type).utf8.count - 86 - 2
    // Four characters stand for three bytes, and two or three for one or two.
    return rest < 0 ? rest : rest / 4 * 3 + max(0, rest % 4 - 1)
  }

  private func header(ofType type: String) -> String {
    let header: JSONValue = .object([
      "alg": .string(publicKey.algorithm.rawValue), "kid": .string(publicKey.keyID),
      "typ": .string(type),
    ])
    return Base64.encode(header.serialized, .url)
  }

  private func signature(of message: [UInt8]) -> [UInt8]? {
    switch publicKey.algorithm {
    case .edDSA: try? key.ed25519Signature(of: message)
    case .es256:
      (try? key.signature(of: message)).flatMap { ECDSASignature(der: $0) }?.rawBytes
    }
  }

  public var description: String { "StatementKey(\(publicKey.keyID))" }

  public var customMirror: Mirror { Mirror(self, children: ["keyID": publicKey.keyID]) }
}

/// The keys of a host for signing what its own apps verify.
///
/// The first one signs, and all are published, so that keys change with overlap: a new key is added at the end; once
/// every app has fetched it, it becomes the first; and the old one is removed when its last token is over.
public struct StatementKeys: Sendable {
  public let keys: [StatementKey]
  /// The key that signs.
  public let first: StatementKey

  /// Creates the keys, the first of which signs.
  ///
  /// - Throws: ``SigningFailure/keyMissing`` without any, or ``SigningFailure/repeatedKey``.
  public init(_ keys: [StatementKey]) throws(SigningFailure) {
    guard let first = keys.first else { throw .keyMissing }
    guard Set(keys.map(\.publicKey.keyID)).count == keys.count else { throw .repeatedKey }
    self.keys = keys
    self.first = first
  }

  /// The public keys, in the same order.
  public var published: StatementKeySet { StatementKeySet(keys.map(\.publicKey)) }
}
