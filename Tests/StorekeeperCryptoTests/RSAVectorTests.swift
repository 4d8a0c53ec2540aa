import StorekeeperFixtures
import StorekeeperCrypto
import Testing

@Suite(
  "RSA vectors of Wycheproof", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct RSAVectorTests {
  @Test("signatures in PKCS#1 v1.5, as receipts have them, have the results that the vectors state")
  func vectors() throws {
    let path = "wycheproof/rsa_signature_2048_sha256_test.json"
    let counts = try SignatureVectors.check(path) { key, signature, message in
      key.isValid(rsaSignature: signature, of: message, digest: .sha256)
    }
    // A signature whose algorithm lacks its NULL is acceptable.
    #expect(counts == ["valid": 9, "invalid": 249, "acceptable": 1])
  }
}
