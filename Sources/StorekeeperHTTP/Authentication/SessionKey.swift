internal import JSONValues
internal import ReceiptModels
internal import StorekeeperCrypto

/// A key that proves the origin of session tokens: a secret for HS256, or a public key for ES256.
///
/// The key fixes the algorithm. A token that names another one is refused, whatever it says.
///
/// The key is never exposed: it has no accessor, and printing shows the algorithm. Source: RFC 7518, sections 3.2 and
/// 3.4.
public struct SessionKey: Sendable, CustomStringConvertible, CustomReflectable {
  private enum Material: Sendable {
    case secret(HMACKey)
    case publicKey(PublicKey)
  }

  private let material: Material

  /// The minimum number of bytes in a secret, the length of the code (RFC 7518 section 3.2).
  public static let minimumSecretLength = 32

  /// Creates a key for HS256 from a secret that the maker of the tokens shares with this server.
  ///
  /// The secret has at least ``minimumSecretLength`` bytes. They should be random: a password can be guessed from a
  /// token.
  public init(secret: [UInt8]) throws(SessionKeyFailure) {
    guard secret.count >= Self.minimumSecretLength else {
      throw .secretTooShort(minimum: Self.minimumSecretLength)
    }
    guard let key = try? HMACKey(secret) else { throw .unusable }
    material = .secret(key)
  }

  /// Creates a key for ES256 from the public key of the maker of the tokens: one on P-256 in PEM, with the label
  /// `PUBLIC KEY`.
  public init(publicKeyPEM: String) throws(SessionKeyFailure) {
    guard let key = try? PublicKey(pem: publicKeyPEM) else { throw .malformedKey }
    guard key.kind == .p256 else { throw .keyNotOnP256 }
    material = .publicKey(key)
  }

  /// The name of the algorithm (RFC 7518 section 3.1).
  public var algorithm: String {
    switch material {
    case .secret: "HS256"
    case .publicKey: "ES256"
    }
  }

  /// The algorithm, never the key.
  public var description: String { "SessionKey(\(algorithm))" }

  /// A mirror with the algorithm only.
  public var customMirror: Mirror { Mirror(self, children: ["algorithm": algorithm]) }

  /// Returns the payload of a token in compact form if this key signed it, and nil otherwise.
  ///
  /// Of the header, `alg` and `crit` are read. A key that the token itself names proves nothing, so
  /// `jwk`, `jku`, `x5c` and `kid` are ignored (RFC 7515 section 4.1).
  ///
  /// - Throws: An error of OpenSSL, but not for an invalid signature.
  package func payload(of token: String) throws -> [UInt8]? {
    guard let jws = CompactJWS(token), !jws.payload.isEmpty,
      let header = Base64.decode(jws.header, .url),
      let payload = Base64.decode(jws.payload, .url),
      let signature = Base64.decode(jws.signature, .url), isAcceptable(header),
      try isValid(signature, of: jws.signed)
    else { return nil }
    return payload
  }

  /// Whether a header names the algorithm of this key, and no extension that must be understood.
  private func isAcceptable(_ header: [UInt8]) -> Bool {
    guard let members = JSONValue.uniqueMembers(of: header), members["crit"] == nil,
      case .string(let name)? = members["alg"]
    else { return false }
    return name.isSameText(as: algorithm)
  }

  private func isValid(_ signature: [UInt8], of signed: ArraySlice<UInt8>) throws -> Bool {
    switch material {
    case .secret(let key):
      return isEqualInConstantTime(try key.code(of: signed), signature)
    case .publicKey(let key):
      guard let numbers = ECDSASignature(rawBytes: signature) else { return false }
      return try key.isValid(numbers, forDigest: SHA256.digest(of: Array(signed)))
    }
  }
}

/// The reason why a text is no key for session tokens.
@nonexhaustive
public enum SessionKeyFailure: Error, Hashable, Sendable {
  /// The secret has fewer bytes than the minimum.
  case secretTooShort(minimum: Int)
  /// The text is not a public key in PEM.
  case malformedKey
  /// The public key is not an elliptic-curve key on P-256.
  case keyNotOnP256
  /// OpenSSL could not use the key.
  case unusable
}
