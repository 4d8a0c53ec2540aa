import StorekeeperCrypto
import StorekeeperHTTP
import StorekeeperTesting
import Testing

/// RFC 7515 and RFC 7518.
@Suite("Session keys")
struct SessionKeyTests {
  private static let payload =
    "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}"
  private static let content =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

  /// RFC 7515 appendix A.1.
  private static let tokenHS256 =
    "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(content).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  private static let secretText =
    "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"

  /// RFC 7515 appendix A.3.
  private static let tokenES256 =
    "eyJhbGciOiJFUzI1NiJ9.\(content)."
    + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
  private static let point = (
    x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
  )

  private static func rfcSecret() throws -> SessionKey {
    try SessionKey(secret: try #require(Base64.decode(Array(secretText.utf8)[...], .url)))
  }

  private static func rfcPublicKey() throws -> SessionKey {
    let x = try #require(Base64.decode(Array(point.x.utf8)[...], .url))
    let y = try #require(Base64.decode(Array(point.y.utf8)[...], .url))
    let header = try #require(
      bytes(hexadecimal: "3059301306072a8648ce3d020106082a8648ce3d030107034200" + "04"))
    return try SessionKey(publicKeyPEM: TestSession.pem(info: header + x + y))
  }

  @Test("the tokens of RFC 7515 are signed by its keys")
  func vectors() throws {
    let expected = Array(Self.payload.utf8)
    #expect(try Self.rfcSecret().payload(of: Self.tokenHS256) == expected)
    #expect(try Self.rfcPublicKey().payload(of: Self.tokenES256) == expected)
    #expect(try Self.rfcSecret().algorithm == "HS256")
    #expect(try Self.rfcPublicKey().algorithm == "ES256")
  }

  @Test("the key fixes the algorithm")
  func otherAlgorithm() throws {
    #expect(try Self.rfcSecret().payload(of: Self.tokenES256) == nil)
    #expect(try Self.rfcPublicKey().payload(of: Self.tokenHS256) == nil)
    // The text of a public key as the secret of a code, the classic confusion.
    let key = try PrivateKey(generating: .p256)
    let pem = try TestSession.pem(key.publicKey)
    for header in [#"{"alg":"HS256"}"#, #"{"alg":"ES256"}"#] {
      let token = try TestSession.token(header: header, claims: "{}", secret: Array(pem.utf8))
      #expect(try SessionKey(publicKeyPEM: pem).payload(of: token) == nil)
    }
  }

  @Test("a change of any character breaks a token")
  func changed() throws {
    let (secret, publicKey) = (try Self.rfcSecret(), try Self.rfcPublicKey())
    for (key, token) in [(secret, Self.tokenHS256), (publicKey, Self.tokenES256)] {
      for index in token.utf8.indices {
        var bytes = Array(token.utf8)
        let place = token.utf8.distance(from: token.utf8.startIndex, to: index)
        bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        #expect(try key.payload(of: String(decoding: bytes, as: UTF8.self)) == nil)
      }
    }
  }

  @Test(
    "a header that names no algorithm, or another, or an extension, is refused",
    arguments: [
      "{}", #"{"alg":null}"#, #"{"alg":"none"}"#, #"{"alg":"hs256"}"#, #"{"alg":"HS512"}"#,
      #"{"alg":["HS256"]}"#, #"{"alg":"HS256\u0000"}"#, #"{"alg":"HS256","crit":["exp"]}"#,
      #"{"alg":"HS256","crit":[]}"#, #"{"alg":"HS256","crit":null}"#,
      #"{"alg":"HS256","alg":"HS256"}"#, #"{"alg":"none","alg":"HS256"}"#,
      #"{"alg":"HS256","alg":"none"}"#, #"{"alg":"HS256","\u0061lg":"none"}"#, #"["HS256"]"#, "",
      "HS256", #"{"alg":"HS256"} x"#,
    ])
  func headers(header: String) throws {
    let token = try TestSession.token(header: header, claims: #"{"sub":"u1"}"#)
    #expect(try SessionKey(secret: TestSession.secret).payload(of: token) == nil)
  }

  @Test(
    "a key that the token names itself, and a type, are ignored",
    arguments: [
      #"{"alg":"HS256","kid":"../../dev/null"}"#, #"{"alg":"HS256","jku":"https://example.com"}"#,
      #"{"alg":"HS256","jwk":{"kty":"oct","k":"","alg":"none"}}"#, #"{"typ":"x","alg":"HS256"}"#,
    ])
  func ignoredMembers(header: String) throws {
    let token = try TestSession.token(header: header, claims: #"{"sub":"u1"}"#)
    let key = try SessionKey(secret: TestSession.secret)
    #expect(try key.payload(of: token) == Array(#"{"sub":"u1"}"#.utf8))
  }

  @Test("a token without a signature, with parts missing or added, is refused")
  func shape() throws {
    let key = try SessionKey(secret: TestSession.secret)
    let token = try TestSession.token(claims: "{}")
    let parts = token.split(separator: ".").map(String.init)
    for wrong in [
      "", ".", "..", "...", parts[0], parts[0] + "." + parts[1], parts[0] + "." + parts[1] + ".",
      token + ".", token + "=", token + " ", " " + token, token + "\n", token + ".e30", "." + token,
      parts[0] + ".." + parts[2], "é" + token,
    ] {
      #expect(try key.payload(of: wrong) == nil)
    }
    #expect(try key.payload(of: token) == Array("{}".utf8))
  }

  @Test("a signature with a number out of range, or in ASN.1 form, is refused")
  func signatures() throws {
    let key = try PrivateKey(generating: .p256)
    let session = try SessionKey(publicKeyPEM: TestSession.pem(key.publicKey))
    let content = TestSession.encoded(#"{"alg":"ES256"}"#) + "." + TestSession.encoded("{}")
    let der = try key.signature(of: Array(content.utf8))
    let raw = try #require(ECDSASignature(der: der)).rawBytes
    let zeros = [UInt8](repeating: 0, count: 64)
    for wrong in [
      der, zeros, Array(raw.dropLast()), raw + [0], [UInt8](repeating: 0xFF, count: 64),
    ] {
      #expect(try session.payload(of: content + "." + Base64.encode(wrong, .url)) == nil)
    }
    #expect(try session.payload(of: content + "." + Base64.encode(raw, .url)) != nil)
    // Another key.
    let other = try PrivateKey(generating: .p256)
    #expect(try session.payload(of: TestSession.token(claims: "{}", key: other)) == nil)
  }

  @Test("a secret has at least 32 bytes")
  func secretLength() throws {
    #expect(throws: SessionKeyFailure.secretTooShort(minimum: 32)) {
      try SessionKey(secret: Array(TestSession.secret.dropLast()))
    }
    #expect(throws: SessionKeyFailure.secretTooShort(minimum: 32)) { try SessionKey(secret: []) }
    _ = try SessionKey(secret: TestSession.secret)
  }

  @Test("a public key is one on P-256, in PEM")
  func publicKeys() throws {
    for kind in [PrivateKey.Generated.p384, .rsa2048] {
      let pem = try TestSession.pem(PrivateKey(generating: kind).publicKey)
      #expect(throws: SessionKeyFailure.keyNotOnP256) { try SessionKey(publicKeyPEM: pem) }
    }
    let key = try PrivateKey(generating: .p256)
    let pem = try TestSession.pem(key.publicKey)
    for text in [
      "", "secret", try key.pem, pem.replacing("PUBLIC", with: "CERTIFICATE"),
      String(pem.dropLast(40)), TestSession.pem(info: [0x30, 0x00]),
    ] {
      #expect(throws: SessionKeyFailure.malformedKey) { try SessionKey(publicKeyPEM: text) }
    }
    _ = try SessionKey(publicKeyPEM: pem)
  }

  @Test("printing shows no secret")
  func printing() throws {
    let key = try SessionKey(secret: TestSession.secret)
    var text = "\(key) \(String(reflecting: key)) \(SessionTokens(key: key))"
    dump(key, to: &text)
    dump(SessionTokens(key: key), to: &text)
    #expect("\(key)" == "SessionKey(HS256)")
    #expect(!text.contains("0123456789abcdef"))
    #expect(!text.contains("48, 49, 50"))
  }
}
