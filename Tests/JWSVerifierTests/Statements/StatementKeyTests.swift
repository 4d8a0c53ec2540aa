import JSONValues
import JWSVerifier
import StorekeeperCrypto
import StorekeeperTesting
import Testing

@Suite("Keys of statements")
struct StatementKeyTests {
  /// The key of RFC 8037 appendix A.1, as PKCS #8.
  static let published = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
    -----END PRIVATE KEY-----

    """

  private static func key(_ kind: PrivateKey.Generated) throws -> StatementKey {
    try StatementKey(pem: try PrivateKey(generating: kind).pem)
  }

  private func bytes(_ text: Substring) throws -> [UInt8] {
    try #require(Base64.decode(Array(text.utf8)[...], .url))
  }

  // MARK: Published vectors

  @Test("the public key and its thumbprint are those of RFC 8037, appendices A.2 and A.3")
  func thumbprint() throws {
    let key = try StatementKey(pem: Self.published).publicKey
    #expect(key.algorithm == .edDSA)
    #expect(key.keyID == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    #expect(
      key.json
        == .object([
          "kty": .string("OKP"), "crv": .string("Ed25519"),
          "x": .string("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"), "alg": .string("EdDSA"),
          "use": .string("sig"), "kid": .string("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"),
        ]))
  }

  @Test("the signature of RFC 8037, appendix A.4, is valid by its key of appendix A.2")
  func signature() throws {
    let key = try PublicStatementKey(
      json: .object([
        "kty": .string("OKP"), "crv": .string("Ed25519"),
        "x": .string("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"),
      ]))
    let message = Array("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8)
    let signature = try bytes(
      "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")
    #expect(key.isValid(signature, of: message))
    #expect(!key.isValid(signature, of: message + [0x41]))
    // The same key signs the same.
    #expect(try PrivateKey(pem: Self.published).ed25519Signature(of: message) == signature)
  }

  @Test("the thumbprint of a key on P-256 is that of RFC 9449, section 6.1")
  func thumbprintOnP256() throws {
    let key = try PublicStatementKey(
      json: .object([
        "kty": .string("EC"), "crv": .string("P-256"),
        "x": .string("l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs"),
        "y": .string("9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA"),
      ]))
    #expect(key.algorithm == .es256)
    #expect(key.keyID == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
  }

  // MARK: Tokens

  @Test(
    "a token names algorithm, key and type, and its signature is valid by the published key",
    arguments: [PrivateKey.Generated.ed25519, .p256])
  func token(kind: PrivateKey.Generated) throws {
    let key = try Self.key(kind)
    let token = try key.token(of: Array("{}".utf8), type: "entitlement+jwt")
    let parts = token.split(separator: ".")
    #expect(parts.count == 3)
    #expect(
      try JSONValue(parsing: bytes(parts[0]))
        == .object([
          "alg": .string(kind == .p256 ? "ES256" : "EdDSA"), "kid": .string(key.publicKey.keyID),
          "typ": .string("entitlement+jwt"),
        ]))
    #expect(try bytes(parts[1]) == Array("{}".utf8))
    let signature = try bytes(parts[2])
    #expect(signature.count == 64)
    let published = try StatementKeySet(
      parsing: try StatementKeys([key]).published.json.serialized)
    let read = try #require(published[key.publicKey.keyID])
    #expect(read.isValid(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
    #expect(!read.isValid(signature, of: Array(parts[0].utf8)))
  }

  @Test("the limit of a payload is exact", arguments: [PrivateKey.Generated.ed25519, .p256])
  func payloadLimit(kind: PrivateKey.Generated) throws {
    let key = try Self.key(kind)
    for limit in 240...1100 {
      let count = key.payloadLimit(ofTokensUpTo: limit, type: "entitlement+jwt")
      func length(_ count: Int) throws -> Int {
        try key.token(of: [UInt8](repeating: 0, count: count), type: "entitlement+jwt").utf8.count
      }
      #expect(try length(count) <= limit)
      #expect(try length(count + 1) > limit)
    }
    #expect(key.payloadLimit(ofTokensUpTo: 1024, type: "entitlement+jwt") == 610)
    #expect(key.payloadLimit(ofTokensUpTo: 100, type: "entitlement+jwt") < 0)
  }

  // MARK: Several keys

  @Test("the first key signs, all are published in their order")
  func rotation() throws {
    let (old, new) = (try Self.key(.p256), try Self.key(.ed25519))
    let keys = try StatementKeys([old, new])
    #expect(keys.first.publicKey.keyID == old.publicKey.keyID)
    #expect(keys.published.keys.map(\.keyID) == [old.publicKey.keyID, new.publicKey.keyID])
  }

  @Test("no key, and one that is there twice, are refused")
  func noKeys() throws {
    #expect(throws: SigningFailure.keyMissing) { try StatementKeys([]) }
    let key = try Self.key(.ed25519)
    #expect(throws: SigningFailure.repeatedKey) { try StatementKeys([key, key]) }
  }

  // MARK: Refusals

  @Test("a text that is no key, or an encrypted one, is refused without a question for a password")
  func malformed() throws {
    for text in [
      "", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
    ] {
      #expect(throws: SigningFailure.malformedKey) { try StatementKey(pem: text) }
    }
  }

  @Test("keys of other kinds are refused", arguments: [PrivateKey.Generated.p384, .rsa2048])
  func otherKinds(kind: PrivateKey.Generated) throws {
    let pem = try PrivateKey(generating: kind).pem
    #expect(throws: SigningFailure.keyKindNotSupported) { try StatementKey(pem: pem) }
  }

  @Test("a set leaves out keys of other kinds, and refuses those of its own that are wrong")
  func sets() throws {
    func read(_ json: String) throws -> StatementKeySet {
      try StatementKeySet(parsing: Array(json.utf8))
    }
    #expect(try read(#"{"keys":[]}"#).keys.isEmpty)
    #expect(
      try read(
        #"{"keys":[{"kty":"RSA","n":"AQ","e":"AQAB"},{"kty":"OKP","crv":"X25519","x":"AA"},{}]}"#
      ).keys.isEmpty)
    for text in ["", "[]", "{}", #"{"keys":{}}"#] {
      #expect(throws: StatementKeyFailure.malformedSet) { try read(text) }
    }
    for key in [
      #"{"kty":"OKP","crv":"Ed25519"}"#, #"{"kty":"OKP","crv":"Ed25519","x":"AA"}"#,
      #"{"kty":"EC","crv":"P-256","x":"l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs"}"#,
      #"{"kty":"EC","crv":"P-256","x":"l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs","#
        + #""y":"l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs"}"#,
    ] {
      #expect(throws: StatementKeyFailure.malformedKey) { try read(#"{"keys":[\#(key)]}"#) }
    }
  }

  @Test("neither printing nor dumping a key shows more than its thumbprint")
  func secrecy() throws {
    let pem = try PrivateKey(generating: .ed25519).pem
    let key = try StatementKey(pem: pem)
    var text = "\(key) \(String(reflecting: key))"
    dump(key, to: &text)
    dump(try StatementKeys([key]), to: &text)
    let secret = pem.split(separator: "\n").dropFirst().dropLast().joined()
    #expect(!text.contains(secret))
    #expect(text.contains("StatementKey(\(key.publicKey.keyID))"))
  }
}
