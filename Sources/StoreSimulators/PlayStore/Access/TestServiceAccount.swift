internal import JSONValues
internal import StorekeeperCrypto
internal import StorekeeperTesting

/// A Google service account with a key, for requests to a simulator.
///
/// The key opens nothing but a simulator. Printing it shows no key, as for a real one.
public struct TestServiceAccount: Sendable, CustomStringConvertible, CustomReflectable {
  /// The account's e-mail address, the issuer of requests for access tokens.
  public let clientEmail: String
  /// The identifier of the key, of 40 hexadecimal digits.
  public let privateKeyID: String
  /// The private key as an unencrypted PKCS#8 key of RSA in PEM.
  public let privateKey: String
  /// The address for access tokens.
  public var tokenURI: String
  let publicKey: RSAPublicKey

  /// Google's address for access tokens.
  public static let googleTokenURI = "https://oauth2.googleapis.com/token"

  /// Creates an account with a new key.
  ///
  /// A simulator that serves a port has an address for access tokens, `tokenURI`, of its own.
  public init(
    clientEmail: String = "publisher@example-project.iam.gserviceaccount.com",
    tokenURI: String = googleTokenURI
  ) throws {
    let key = try PrivateKey(generating: .rsa2048)
    privateKey = try key.pem
    publicKey = try RSAPrivateKey(key).publicKey
    privateKeyID = PlayToken.hexadecimal(40)
    self.clientEmail = clientEmail
    self.tokenURI = tokenURI
  }

  /// The key file that Google Cloud offers for download, in JSON.
  public var keyFile: [UInt8] {
    let project = clientEmail.split(separator: "@").last?.split(separator: ".").first ?? ""
    return JSONValue.object([
      "type": .string("service_account"), "project_id": .string(String(project)),
      "private_key_id": .string(privateKeyID), "private_key": .string(privateKey),
      "client_email": .string(clientEmail), "client_id": .string("100000000000000000000"),
      "auth_uri": .string("https://accounts.google.com/o/oauth2/auth"),
      "token_uri": .string(tokenURI), "universe_domain": .string("googleapis.com"),
    ]).serialized
  }

  /// The e-mail address, never the key.
  public var description: String { "TestServiceAccount(\(clientEmail))" }
  /// A mirror with the e-mail address only.
  public var customMirror: Mirror { Mirror(self, children: ["clientEmail": clientEmail]) }
}
