internal import StorekeeperCrypto
internal import JSONValues
public import ReceiptModels

/// A private key that Apple issued to sign requests and offers (a `.p8` file), with its id.
///
/// The key is parsed once and never shows itself: it has no accessor, and printing gives the id.
public struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// The id that App Store Connect shows for the key.
  public let keyID: String

  private let key: PrivateKey

  /// Reads a key.
  ///
  /// - Parameters:
  ///   - pem: The text of the `.p8` file: an unencrypted PKCS#8 key on P-256 in PEM.
  ///   - keyID: The id that App Store Connect shows for it.
  /// - Throws: ``SigningFailure``.
  public init(pem: String, keyID: String) throws(SigningFailure) {
    guard !keyID.isEmpty else { throw .emptyKeyID }
    guard let key = try? PrivateKey(pem: pem), let publicKey = try? key.publicKey else {
      throw .malformedKey
    }
    guard publicKey.kind == .p256 else { throw .keyNotOnP256 }
    self.key = key
    self.keyID = keyID
  }

  /// A compact JWS by ES256 over claims (RFC 7515 section 7.1, RFC 7518 section 3.4).
  func token(claims: [String: JSONValue]) throws(SigningFailure) -> String {
    let header: JSONValue = .object([
      "alg": .string("ES256"), "typ": .string("JWT"), "kid": .string(keyID),
    ])
    let content =
      Base64.encode(header.serialized, .url) + "."
      + Base64.encode(JSONValue.object(claims).serialized, .url)
    guard let signature = ECDSASignature(der: try signature(of: content)) else { throw .signing }
    return content + "." + Base64.encode(signature.rawBytes, .url)
  }

  /// The ECDSA signature of a text in UTF-8, hashed with SHA-256, in ASN.1 form.
  func signature(of text: String) throws(SigningFailure) -> [UInt8] {
    guard let signature = try? key.signature(of: Array(text.utf8)) else { throw .signing }
    return signature
  }

  /// The id, never the key.
  public var description: String { "SigningKey(\(keyID))" }

  /// Shows the id only.
  public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID]) }
}

/// Why something could not be signed.
@nonexhaustive
public enum SigningFailure: Error, Hashable, Sendable {
  /// The text is no unencrypted private key in PEM.
  case malformedKey
  /// The key is not an elliptic-curve key on P-256.
  case keyNotOnP256
  /// The key id is empty.
  case emptyKeyID
  /// The issuer id is no UUID.
  case issuerNotUUID
  /// The bundle id is empty.
  case emptyBundleID
  /// A token may live from one second to sixty minutes; this is the lifetime given, in seconds.
  case lifetimeOutOfRange(Double)
  /// An Advanced Commerce request breaks one of Apple's limits.
  case invalidRequest(AdvancedCommerceRequestFailure)
  /// A text holds U+2063, which separates the texts that are signed together.
  case separatorInText
  /// OpenSSL could not sign.
  case signing
}
