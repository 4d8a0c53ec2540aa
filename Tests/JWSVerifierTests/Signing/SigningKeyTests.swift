import JWSVerifier
import StorekeeperTesting
import StorekeeperCrypto
import Testing

@Suite("Keys for signing")
struct SigningKeyTests {
  private static func armoured(_ bytes: [UInt8], _ label: String, headers: String = "") -> String {
    """
    -----BEGIN \(label)-----
    \(headers)\(Base64.encode(bytes, .standard))
    -----END \(label)-----

    """
  }

  /// Returns the DER in a PEM text of one object.
  private static func content(of pem: String) throws -> [UInt8] {
    let lines = pem.split(separator: "\n").dropFirst().dropLast()
    return try #require(Base64.decode(Array(lines.joined().utf8)[...], .standard))
  }

  @Test("a key on P-256 in PKCS#8 is read, with CRLF and text around it too")
  func good() throws {
    let pem = try PrivateKey(generating: .p256).pem
    let crlf = pem.split(separator: "\n").joined(separator: "\r\n") + "\r\n"
    for text in [pem, crlf, "Key of App Store Connect\n\n" + pem + "\n\n", String(pem.dropLast())] {
      #expect(try SigningKey(pem: text, keyID: "2X9R4HXF34").keyID == "2X9R4HXF34")
    }
  }

  @Test("a key on another curve or of RSA is not on P-256")
  func otherKeys() throws {
    for kind in [PrivateKey.Generated.p384, .rsa2048] {
      let pem = try PrivateKey(generating: kind).pem
      #expect(throws: SigningFailure.keyNotOnP256) { try SigningKey(pem: pem, keyID: "A") }
    }
  }

  @Test("an empty key id is refused")
  func emptyKeyID() throws {
    let pem = try PrivateKey(generating: .p256).pem
    #expect(throws: SigningFailure.emptyKeyID) { try SigningKey(pem: pem, keyID: "") }
  }

  @Test(
    "what is no private key in PEM is malformed",
    arguments: [
      Change<String>("nothing") { _ in "" },
      Change("text") { _ in "AuthKey_2X9R4HXF34.p8" },
      Change("NULs") { _ in "\0\0\0" },
      Change("the base64 alone") { Base64.encode(try content(of: $0), .standard) },
      Change("a first line only") { String($0.prefix(28)) },
      Change("no last line") { $0.split(separator: "\n").dropLast().joined(separator: "\n") },
      Change("a character missing") { $0.replacing("MIG", with: "MI", maxReplacements: 1) },
      Change("half of it") { armoured(Array(try content(of: $0).prefix(60)), "PRIVATE KEY") },
      Change("a public key") {
        armoured(try PrivateKey(pem: $0).publicKey.subjectPublicKeyInfo, "PUBLIC KEY")
      },
      Change("a public key that says it is private") {
        armoured(try PrivateKey(pem: $0).publicKey.subjectPublicKeyInfo, "PRIVATE KEY")
      },
      Change("the label of a certificate") { armoured(try content(of: $0), "CERTIFICATE") },
      Change("an empty object") { _ in armoured([], "PRIVATE KEY") },
    ])
  func malformed(change: Change<String>) throws {
    let text = try change(PrivateKey(generating: .p256).pem)
    #expect(throws: SigningFailure.malformedKey) { try SigningKey(pem: text, keyID: "A") }
  }

  // The forms of RFC 5958 section 3 and RFC 1421. A password prompt would come before the
  // decryption, so random bytes stand for the encrypted key.
  @Test("an encrypted key is malformed, without a password prompt")
  func encrypted() throws {
    func element(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
      let content = parts.flatMap(\.self)
      let length = UInt8(truncatingIfNeeded: content.count)
      return [tag] + (content.count < 128 ? [length] : [0x81, length]) + content
    }
    let noise = try SecureRandom.bytes(count: 144)
    // PBES2 with PBKDF2, HMAC-SHA-256 and AES-256-CBC (RFC 8018).
    let derivation = element(
      0x30, [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C],
      element(
        0x30, element(0x04, Array(noise.prefix(8))), element(0x02, [0x08, 0x00]),
        element(0x30, [0x06, 0x08, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, 0x09, 0x05, 0x00])))
    let cipher = element(
      0x30, [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2A],
      element(0x04, Array(noise.prefix(16))))
    let algorithm = element(
      0x30, [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D],
      element(0x30, derivation, cipher))
    let pkcs8 = element(0x30, algorithm, element(0x04, noise))
    let old = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,000102030405060708090A0B0C0D0E0F\n\n"
    for text in [
      Self.armoured(pkcs8, "ENCRYPTED PRIVATE KEY"),
      Self.armoured(Array(noise.prefix(112)), "EC PRIVATE KEY", headers: old),
    ] {
      #expect(throws: SigningFailure.malformedKey) { try SigningKey(pem: text, keyID: "A") }
    }
  }
}
