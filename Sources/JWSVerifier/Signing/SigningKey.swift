internal import StorekeeperCrypto
internal import JSONValues
public import ReceiptModels

/// A private key that Apple issued for signing requests and offers (a `.p8` file), with its ID.
///
/// The key is parsed once and is never exposed: it has no accessor, and printing shows the ID.
public struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// The ID that App Store Connect shows for the key.
  public let keyID: String

  private let key: PrivateKey
  /// The header of tokens, encoded.
  private let header: String

  /// Creates a key from a `.p8` file.
  ///
  /// The text is an unencrypted PKCS#8 key on P-256 in PEM. App Store Connect shows the ID.
  public init(pem: String, keyID: String) throws(SigningFailure) {
    guard !keyID.isEmpty else { throw .emptyKeyID }
    guard let key = try? PrivateKey(pem: pem), let publicKey = try? key.publicKey else {
      throw .malformedKey
    }
    guard publicKey.kind == .p256 else { throw .keyNotOnP256 }
    self.key = key
    self.keyID = keyID
    let header: JSONValue = .object([
      "alg": .string("ES256"), "typ": .string("JWT"), "kid": .string(keyID),
    ])
    self.header = Base64.encode(header.serialized, .url)
  }

  /// Signs claims with ES256 as a compact JWS (RFC 7515 section 7.1, RFC 7518 section 3.4).
  func token(claims: [String: JSONValue]) throws(SigningFailure) -> String {
    let content = header + "." + Base64.encode(JSONValue.object(claims).serialized, .url)
    guard let signature = ECDSASignature(der: try signature(of: content)) else { throw .signing }
    return content + "." + Base64.encode(signature.rawBytes, .url)
  }

  /// Signs a text in UTF-8 with ECDSA over SHA-256; the signature is in ASN.1 form.
  func signature(of text: String) throws(SigningFailure) -> [UInt8] {
    guard let signature = try? key.signature(of: Array(text.utf8)) else { throw .signing }
    return signature
  }

  public var description: String { "SigningKey(\(keyID))" }

  public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID]) }
}

/// A reason why something could not be signed.
@nonexhaustive
public enum SigningFailure: Error, Hashable, Sendable {
  /// The text is not an unencrypted private key in PEM.
  case malformedKey
  /// The key is not an elliptic-curve key on P-256.
  case keyNotOnP256
  /// The key of statements is neither an Ed25519 key nor one on P-256 in the uncompressed form.
  case keyKindNotSupported
  /// There is no key of statements.
  case keyMissing
  /// A key of statements is there twice.
  case repeatedKey
  case emptyKeyID
  case issuerNotUUID
  case emptyBundleID
  /// The lifetime is not between one second and sixty minutes.
  case lifetimeOutOfRange(Duration)
  /// An Advanced Commerce request exceeds one of Apple's limits.
  case invalidRequest(AdvancedCommerceRequestFailure)
  /// A field contains U+2063, which separates the signed fields.
  case separatorInText
  case signing
}
