import StorekeeperCrypto
import StorekeeperTesting
import Testing

@Suite("Keys")
struct KeyTests {
  @Test(
    "a private key survives PEM", arguments: [PrivateKey.Generated.p256, .p384, .rsa2048])
  func pem(kind: PrivateKey.Generated) throws {
    let key = try PrivateKey(generating: kind)
    let pem = try key.pem
    #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    #expect(pem.hasSuffix("-----END PRIVATE KEY-----\n"))
    let read = try PrivateKey(pem: pem)
    #expect(try read.pem == pem)
    #expect(
      try read.publicKey.subjectPublicKeyInfo == key.publicKey.subjectPublicKeyInfo)
  }

  @Test("keys differ each time")
  func different() throws {
    let keys = try (0..<10).map { _ in
      try PrivateKey(generating: .p256).publicKey.subjectPublicKeyInfo
    }
    #expect(Set(keys).count == 10)
  }

  @Test("a signature by the key read from PEM fits the first key's public half")
  func signature() throws {
    let key = try PrivateKey(generating: .p256)
    let message = Array("message".utf8)
    let der = try PrivateKey(pem: try key.pem).signature(of: message)
    let signature = try #require(ECDSASignature(der: der))
    #expect(try key.publicKey.isValid(signature, forDigest: SHA256.digest(of: message)))
  }

  @Test("the kind of a public key depends on its curve")
  func kinds() throws {
    #expect(try PrivateKey(generating: .p256).publicKey.kind == .p256)
    #expect(try PrivateKey(generating: .p384).publicKey.kind == .p384)
    #expect(try PrivateKey(generating: .rsa2048).publicKey.kind == .rsa)
  }

  @Test("a public key cut off anywhere, or with bytes behind it, is refused")
  func publicKeyForm() throws {
    let info = try PrivateKey(generating: .p256).publicKey.subjectPublicKeyInfo
    #expect(info.count == 91)
    for count in 0..<info.count {
      #expect(throws: OpenSSLFailure.self, "\(count) bytes") {
        try PublicKey(subjectPublicKeyInfo: Array(info.prefix(count)))
      }
    }
    for rest in [[0], info] {
      #expect(throws: OpenSSLFailure.self) { try PublicKey(subjectPublicKeyInfo: info + rest) }
    }
  }

  @Test("a point that is not on the curve is no key")
  func invalidPoint() throws {
    let info = try PrivateKey(generating: .p256).publicKey.subjectPublicKeyInfo
    let prefix = Array(info.dropLast(64))
    let one = [UInt8](repeating: 0, count: 31) + [1]
    // Neither (1, 1) nor (0, 0) satisfies y² = x³ − 3x + b.
    for point in [one + one, [UInt8](repeating: 0, count: 64), [UInt8](repeating: 0xFF, count: 64)]
    {
      #expect(throws: OpenSSLFailure.self) {
        try PublicKey(subjectPublicKeyInfo: prefix + point)
      }
    }
  }

  @Test("random bytes have the length asked for, and differ")
  func randomBytes() throws {
    for count in [0, 1, 2, 31, 32, 33, 4_096] {
      #expect(try SecureRandom.bytes(count: count).count == count)
    }
    let values = try (0..<200).map { _ in try SecureRandom.bytes(count: 16) }
    #expect(Set(values).count == 200)
    // Each byte value occurs among this many.
    #expect(Set(try SecureRandom.bytes(count: 65_536)).count == 256)
  }

  @Test("a failure of OpenSSL has a code and never quotes the input")
  func failure() throws {
    let failure = try #require(throws: OpenSSLFailure.self) {
      try PrivateKey(pem: "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n")
    }
    #expect(failure.code != 0)
    #expect(!failure.description.contains("c2VjcmV0") && !failure.description.contains("secret"))
    // The queue was emptied, so the next failure has its own code.
    #expect(OpenSSLFailure.taken() == OpenSSLFailure.taken())
  }
}
