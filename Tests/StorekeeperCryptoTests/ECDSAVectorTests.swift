import StorekeeperFixtures
import StorekeeperCrypto
import Testing

@Suite(
  "ECDSA vectors of Wycheproof", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct ECDSAVectorTests {
  private func isValid(
    _ signature: ECDSASignature?, _ key: PublicKey, _ message: [UInt8]
  ) throws -> Bool {
    guard let signature else { return false }
    return try key.isValid(signature, forDigest: try SHA256.digest(of: message))
  }

  @Test("signatures in the form of JWS have the results that the vectors state")
  func rawForm() throws {
    let path = "wycheproof/ecdsa_secp256r1_sha256_p1363_test.json"
    let counts = try SignatureVectors.check(path) { key, signature, message in
      try isValid(ECDSASignature(rawBytes: signature), key, message)
    }
    #expect(counts == ["valid": 173, "invalid": 89])
  }

  @Test("signatures in DER have the results that the vectors state")
  func der() throws {
    let path = "wycheproof/ecdsa_secp256r1_sha256_test.json"
    let counts = try SignatureVectors.check(path) { key, signature, message in
      try isValid(ECDSASignature(der: signature), key, message)
    }
    #expect(counts == ["valid": 174, "invalid": 310])
  }
}
