public import JSONValues
internal import StorekeeperCrypto

/// A service account of Google Cloud, with the private key that signs its requests for access tokens.
///
/// The account needs the permissions "View financial data" and "Manage orders and subscriptions" in
/// the Play Console; a grant may take a day to work.
///
/// The key is parsed once and is never exposed: it has no accessor, and printing shows the e-mail
/// address and the ID of the key. Source: Google, "Using OAuth 2.0 for server to server
/// applications".
public struct GoogleServiceAccount: Sendable, CustomStringConvertible, CustomReflectable {
  public let clientEmail: String
  public let privateKeyID: String
  public let tokenURI: String

  let key: RSAPrivateKey

  /// The maximum size of a key file in bytes.
  public static let maximumSize = 65_536

  /// Reads a key file, as Google Cloud offers it for download.
  ///
  /// It is JSON with `client_email`, `private_key` (PKCS #8 in PEM), `private_key_id` and `token_uri`. A token
  /// URI without TLS is for tests only.
  public init(
    keyFile: [UInt8], allowsHTTP: Bool = false
  ) throws(ServiceAccountFailure) {
    guard keyFile.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
    let json: JSONValue
    do { json = try JSONValue(parsing: keyFile) } catch { throw .notJSON }
    let file: KeyFile
    do throws(FieldTypeFailure) { file = try KeyFile(json) } catch { throw .malformed(error) }
    // Key files of other kinds, such as those for users, have other members too.
    guard file.type.map({ $0.isSameText(as: "service_account") }) ?? true else {
      throw .notServiceAccount
    }
    try self.init(
      clientEmail: file.clientEmail, privateKey: file.privateKey, privateKeyID: file.privateKeyID,
      tokenURI: file.tokenURI, allowsHTTP: allowsHTTP)
  }

  /// Creates an account from the parts of its key file.
  ///
  /// The key is an unencrypted RSA key of at least 2048 bits, PKCS #8 in PEM. A token URI without TLS is for
  /// tests only.
  public init(
    clientEmail: String, privateKey: String, privateKeyID: String,
    tokenURI: String = "https://oauth2.googleapis.com/token", allowsHTTP: Bool = false
  ) throws(ServiceAccountFailure) {
    guard !clientEmail.isEmpty, !privateKeyID.isEmpty else { throw .emptyName }
    guard ServiceAddress.isURL(tokenURI, allowsHTTP: allowsHTTP) else { throw .malformedTokenURI }
    do throws(RSAKeyFailure) {
      key = try RSAPrivateKey(pem: privateKey)
    } catch {
      switch error {
      case .notRSA: throw .keyNotRSA
      case .bitCount(let count): throw .keySize(bits: count)
      case .malformed, .modulus, .exponent, .openSSL: throw .malformedKey
      }
    }
    self.clientEmail = clientEmail
    self.privateKeyID = privateKeyID
    self.tokenURI = tokenURI
  }

  /// The e-mail address and the ID of the key, never the key.
  public var description: String { "GoogleServiceAccount(\(clientEmail), key \(privateKeyID))" }

  public var customMirror: Mirror {
    Mirror(self, children: ["clientEmail": clientEmail, "privateKeyID": privateKeyID])
  }
}

/// The members of a key file that are used.
private struct KeyFile {
  let type: String?
  let clientEmail: String
  let privateKey: String
  let privateKeyID: String
  let tokenURI: String

  init(_ json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    type = try members.text("type")
    clientEmail = try members.requiredText("client_email")
    privateKey = try members.requiredText("private_key")
    privateKeyID = try members.requiredText("private_key_id")
    tokenURI = try members.requiredText("token_uri")
  }
}

/// A reason why a service account cannot be used.
@nonexhaustive
public enum ServiceAccountFailure: Error, Hashable, Sendable {
  /// The key file is larger than the limit in bytes.
  case tooLarge(limit: Int)
  case notJSON
  /// A member of the key file is missing, empty or has the wrong type.
  case malformed(FieldTypeFailure)
  case notServiceAccount
  /// The e-mail address or the ID of the key is empty.
  case emptyName
  /// The token URI is not an absolute URL with `https`.
  case malformedTokenURI
  /// The private key is not an unencrypted one in PEM.
  case malformedKey
  case keyNotRSA
  /// The private key has this number of bits, which is not from 2048 to 8192.
  case keySize(bits: Int)
}
