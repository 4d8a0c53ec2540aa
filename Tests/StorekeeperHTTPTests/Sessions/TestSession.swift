import StorekeeperCrypto
import StorekeeperHTTP
import StorekeeperTesting

/// A maker of session tokens, right and wrong.
enum TestSession {
  /// A secret of exactly the minimum length.
  static let secret = Array("0123456789abcdef0123456789abcdef".utf8)

  /// A token with HS256.
  static func token(
    header: String = #"{"alg":"HS256","typ":"JWT"}"#, claims: String, secret: [UInt8] = secret
  ) throws -> String {
    let content = encoded(header) + "." + encoded(claims)
    let code = try HMACKey(secret).code(of: Array(content.utf8)[...])
    return content + "." + Base64.encode(code, .url)
  }

  /// A token with ES256.
  static func token(
    header: String = #"{"alg":"ES256"}"#, claims: String, key: PrivateKey
  ) throws -> String {
    let content = encoded(header) + "." + encoded(claims)
    let der = try key.signature(of: Array(content.utf8))
    return content + "." + Base64.encode(ECDSASignature(der: der)?.rawBytes ?? [], .url)
  }

  static func encoded(_ text: String) -> String { Base64.encode(Array(text.utf8), .url) }

  /// A public key in PEM.
  static func pem(_ key: PublicKey) throws -> String { pem(info: try key.subjectPublicKeyInfo) }

  /// A SubjectPublicKeyInfo in PEM.
  static func pem(info: [UInt8]) -> String {
    "-----BEGIN PUBLIC KEY-----\n\(lines(info))-----END PUBLIC KEY-----\n"
  }

  private static func lines(_ bytes: [UInt8]) -> String {
    var rest = Base64.encode(bytes, .standard)[...]
    var text = ""
    while !rest.isEmpty {
      text += rest.prefix(64) + "\n"
      rest = rest.dropFirst(64)
    }
    return text
  }
}
