import StorekeeperCrypto
import StorekeeperTesting
import Testing

@Suite("Ed25519")
struct Ed25519Tests {
  /// A test vector of RFC 8032 section 7.1, in hexadecimal digits.
  struct Vector: Sendable, CustomTestStringConvertible {
    let name: String
    let secret: String
    let key: String
    let message: String
    let signature: String

    var testDescription: String { name }
  }

  static let vectors = [
    Vector(
      name: "TEST 1", secret: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", message: "",
      signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bac"
        + "c61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    Vector(
      name: "TEST 2", secret: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", message: "72",
      signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e"
        + "458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
    Vector(
      name: "TEST 3", secret: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", message: "af82",
      signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290"
        + "ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
  ]

  /// The key of a vector as PKCS #8 in PEM (RFC 8410 section 7).
  private func privateKey(_ secret: String) throws -> PrivateKey {
    let header: [UInt8] = [
      0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04,
      0x20,
    ]
    let der = header + (try #require(bytes(hexadecimal: secret)))
    return try PrivateKey(
      pem: """
        -----BEGIN PRIVATE KEY-----
        \(Base64.encode(der, .standard))
        -----END PRIVATE KEY-----

        """)
  }

  @Test("signs as the vectors of RFC 8032 do, and verifies them", arguments: vectors)
  func vector(_ vector: Vector) throws {
    let key = try privateKey(vector.secret)
    let message = try #require(bytes(hexadecimal: vector.message))
    let signature = try key.ed25519Signature(of: message)
    #expect(hexadecimal(signature) == vector.signature)
    #expect(try key.publicKey.rawBytes.map(hexadecimal) == vector.key)
    let raw = try #require(bytes(hexadecimal: vector.key))
    let read = try #require(PublicKey(rawBytes: raw, kind: .ed25519))
    #expect(read.kind == .ed25519)
    #expect(read.isValid(ed25519Signature: signature, of: message))
  }

  @Test("a signature with any bit changed, or of another message or length, is not valid")
  func changed() throws {
    let key = try privateKey(Self.vectors[2].secret)
    let message: [UInt8] = [0xAF, 0x82]
    let signature = try key.ed25519Signature(of: message)
    let publicKey = try key.publicKey
    for bit in 0..<512 {
      var changed = signature
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!publicKey.isValid(ed25519Signature: changed, of: message), "bit \(bit)")
    }
    #expect(!publicKey.isValid(ed25519Signature: signature, of: [0xAF, 0x83]))
    #expect(!publicKey.isValid(ed25519Signature: signature, of: []))
    for count in [0, 63] {
      #expect(!publicKey.isValid(ed25519Signature: Array(signature.prefix(count)), of: message))
    }
    #expect(!publicKey.isValid(ed25519Signature: signature + [0], of: message))
  }

  @Test("S plus the order of the group is another text for the same number, and is not valid")
  func malleability() throws {
    let key = try privateKey(Self.vectors[1].secret)
    var signature = try key.ed25519Signature(of: [0x72])
    // L of RFC 8032 section 5.1, little-endian.
    let order = try #require(
      bytes(hexadecimal: "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"))
    var carry = 0
    for index in 0..<32 {
      let sum = Int(signature[32 + index]) + Int(order[index]) + carry
      signature[32 + index] = UInt8(sum & 255)
      carry = sum >> 8
    }
    #expect(try !key.publicKey.isValid(ed25519Signature: signature, of: [0x72]))
  }

  @Test(
    "keys of other kinds neither sign nor verify", arguments: [PrivateKey.Generated.p256, .rsa2048])
  func otherKinds(kind: PrivateKey.Generated) throws {
    let other = try PrivateKey(generating: kind)
    #expect(throws: OpenSSLFailure.self) { try other.ed25519Signature(of: [1]) }
    let signature = try PrivateKey(generating: .ed25519).ed25519Signature(of: [1])
    #expect(try !other.publicKey.isValid(ed25519Signature: signature, of: [1]))
  }

  @Test("a generated key survives PEM, and signs the same each time")
  func generated() throws {
    let key = try PrivateKey(generating: .ed25519)
    let read = try PrivateKey(pem: try key.pem)
    #expect(try read.publicKey.kind == .ed25519)
    #expect(try read.publicKey.rawBytes == key.publicKey.rawBytes)
    #expect(try read.ed25519Signature(of: [7]) == key.ed25519Signature(of: [7]))
  }

  @Test("the raw bytes of a key on P-256 make the same key; those of others are none")
  func rawBytes() throws {
    let key = try PrivateKey(generating: .p256).publicKey
    let raw = try #require(key.rawBytes)
    #expect(raw.count == 64)
    let read = try #require(PublicKey(rawBytes: raw, kind: .p256))
    #expect(try read.subjectPublicKeyInfo == key.subjectPublicKeyInfo)
    #expect(PublicKey(rawBytes: [UInt8](repeating: 1, count: 64), kind: .p256) == nil)
    #expect(PublicKey(rawBytes: Array(raw.dropLast()), kind: .p256) == nil)
    #expect(PublicKey(rawBytes: raw, kind: .ed25519) == nil)
    #expect(PublicKey(rawBytes: raw, kind: .p384) == nil)
    #expect(try PrivateKey(generating: .rsa2048).publicKey.rawBytes == nil)
    #expect(try PrivateKey(generating: .p384).publicKey.rawBytes == nil)
  }
}
