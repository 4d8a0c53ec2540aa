import StoreSimulators
import StorekeeperCertificateJudge
import StorekeeperCrypto
import StorekeeperTesting
import Testing

/// A certificate as OpenSSL reads it.
@safe
private final class JudgedCertificate {
  let handle: OpaquePointer

  init?(der: [UInt8]) {
    guard let handle = unsafe judge_read(der, der.count) else { return nil }
    unsafe self.handle = handle
  }

  deinit { unsafe judge_free(handle) }
}

/// The certificates of the test authorities, as strict verifiers and people see them.
@Suite("Certificates of test authorities")
struct CertificateFormTests {
  /// OpenSSL's numbers of the kinds of keys, as the judge tells them.
  private enum Key {
    static let rsa: Int32 = 1
    static let p256: Int32 = 2
    static let p384: Int32 = 3
  }

  /// ecdsa-with-SHA384, 1.2.840.10045.4.3.3 (RFC 5758 section 3.2).
  private static let ecdsaWithSHA384: [UInt8] = [
    0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03,
  ]
  /// sha256WithRSAEncryption, 1.2.840.113549.1.1.11 (RFC 8017 appendix C).
  private static let rsaWithSHA256: [UInt8] = [
    0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B,
  ]

  private static let positions: [TestAuthority.Position] = [.root, .intermediate, .leaf]

  /// Returns the result of OpenSSL's strict verification (X509_V_...).
  private func strictResult(_ authority: TestAuthority) throws -> Int32 {
    let judged = try Self.positions.map { try judge(authority, $0) }
    return withExtendedLifetime(judged) {
      unsafe judge_strictly(judged[2].handle, judged[1].handle, judged[0].handle)
    }
  }

  private func key(_ authority: TestAuthority, _ position: TestAuthority.Position) throws -> Int32 {
    let judged = try judge(authority, position)
    var facts = JudgedFacts()
    withExtendedLifetime(judged) { unsafe judge_facts(judged.handle, &facts) }
    return facts.key
  }

  private func judge(
    _ authority: TestAuthority, _ position: TestAuthority.Position
  ) throws -> JudgedCertificate {
    try #require(JudgedCertificate(der: authority.certificate(position)))
  }

  /// The number of places where some bytes stand in a certificate.
  private func count(_ bytes: [UInt8], in der: [UInt8]) -> Int {
    der.indices.count { der[$0...].starts(with: bytes) }
  }

  @Test("a strict verifier accepts the chain of signed data, and that of receipts")
  func strict() throws {
    #expect(try strictResult(TestAuthority()) == 0)
    #expect(try strictResult(TestAuthority.forSignedData()) == 0)
    #expect(try strictResult(TestAuthority.forReceipts()) == 0)
    #expect(try strictResult(TestAuthority().withNewLeaf()) == 0)
    #expect(try strictResult(TestAuthority().withNewIntermediate()) == 0)
  }

  @Test("without key identifiers a strict verifier refuses the chain")
  func withoutIdentifiers() throws {
    let authority = try TestAuthority { $0.leaf.hasKeyIdentifiers = false }
    // X509_V_ERR_MISSING_AUTHORITY_KEY_IDENTIFIER.
    #expect(try strictResult(authority) == 85)
  }

  @Test("signed data has authorities on P-384 with SHA-384, and a leaf on P-256, as Apple's")
  func signedData() throws {
    for authority in try [TestAuthority(), .forSignedData()] {
      #expect(
        try Self.positions.map { try key(authority, $0) } == [Key.p384, Key.p384, Key.p256])
      for position in Self.positions {
        // Once in the signed part, and once beside the signature.
        #expect(count(Self.ecdsaWithSHA384, in: authority.certificate(position)) == 2)
      }
    }
  }

  @Test("receipts have RSA throughout, as Apple's")
  func receipts() throws {
    let authority = try TestAuthority.forReceipts()
    for position in Self.positions {
      #expect(try key(authority, position) == Key.rsa)
      #expect(count(Self.rsaWithSHA256, in: authority.certificate(position)) == 2)
    }
  }

  @Test("a simulator has two roots, as Apple has, so neither is mistaken for the other")
  func twoRoots() throws {
    let appStore = try AppStoreSimulator(bundleID: "com.example.reader")
    #expect(try key(appStore.authority, .root) == Key.rsa)
    #expect(try key(appStore.signedDataAuthority, .root) == Key.p384)
    let developer = try TestDeveloper(apps: [TestApp("com.example.reader", products: [])])
    #expect(try key(developer.apps[0].signedDataAuthority, .root) == Key.p384)
  }

  @Test("names consist of common name, unit, organization and country, as Apple's")
  func names() throws {
    // The ends of the types' identifiers, 2.5.4.3, 2.5.4.11, 2.5.4.10 and 2.5.4.6.
    let types: [UInt8] = [3, 11, 10, 6]
    for authority in try [TestAuthority(), .forReceipts()] {
      for position in Self.positions {
        let der = authority.certificate(position)
        let found = der.indices.filter { der[$0...].starts(with: [0x06, 0x03, 0x55, 0x04]) }
          .map { der[$0 + 4] }
        // The issuer's name, then the subject's.
        #expect(found == types + types)
      }
    }
  }
}
