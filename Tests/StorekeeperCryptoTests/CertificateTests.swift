import StorekeeperFixtures
import Foundation
import StorekeeperCrypto
import StorekeeperTesting
import Testing

@Suite("Certificates")
struct CertificateTests {
  private let key: PrivateKey

  init() throws {
    key = try PrivateKey(generating: .p256)
  }

  private func builder(serialNumber: Int = 1) -> CertificateBuilder {
    CertificateBuilder(
      subject: "Sample", serialNumber: serialNumber,
      validity: Certificate.Validity(notBefore: 1_700_000_000, notAfter: 1_800_000_000))
  }

  private func selfSigned(_ builder: CertificateBuilder) throws -> Certificate {
    try builder.certificate(for: key, issuedBy: nil, signedWith: key)
  }

  @Test("a certificate keeps its bytes and knows its validity and key")
  func parsing() throws {
    let made = try selfSigned(builder())
    let read = try #require(Certificate(der: made.der))
    #expect(read.der == made.der)
    #expect(read.validity == .init(notBefore: 1_700_000_000, notAfter: 1_800_000_000))
    #expect(
      try read.publicKey?.subjectPublicKeyInfo == key.publicKey.subjectPublicKeyInfo)
    #expect(read.publicKey?.kind == .p256)
  }

  @Test("a certificate truncated anywhere is refused")
  func truncation() throws {
    let der = try selfSigned(builder()).der
    for count in 0..<der.count {
      #expect(Certificate(der: Array(der.prefix(count))) == nil, "\(count) bytes")
    }
  }

  @Test("bytes behind a certificate make it none")
  func trailingBytes() throws {
    let der = try selfSigned(builder()).der
    for rest in [[0], [0, 0], [0x05, 0x00], der] {
      #expect(Certificate(der: der + rest) == nil)
    }
  }

  @Test("an outermost length in more bytes than needed is no DER (X.690 section 10.1)")
  func longLength() throws {
    let der = try selfSigned(builder()).der
    try #require(der[1] == 0x82)
    #expect(Certificate(der: [0x30, 0x83, 0x00] + der.dropFirst(2)) == nil)
    #expect(Certificate(der: [0x30, 0x84, 0x00, 0x00] + der.dropFirst(2)) == nil)
    // The indefinite form, ended by two zero bytes.
    #expect(Certificate(der: [0x30, 0x80] + der.dropFirst(4) + [0, 0]) == nil)
  }

  /// The generator is seeded, so that a failure can be repeated.
  @Test("a certificate with exchanged bytes never crashes")
  func exchangedBytes() async throws {
    let der = try selfSigned(builder()).der
    var state: UInt64 = 20_251_101
    for _ in 0..<3_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var changed = der
      changed[Int(state >> 33) % der.count] = UInt8(truncatingIfNeeded: state >> 24)
      // Whether it is still a certificate depends on the byte; if so, using it must be safe.
      if let read = Certificate(der: changed) {
        #expect(read.der == changed)
        _ = (read.serialNumber, read.publicKey?.kind, read.revocationResponders, read.pathLength)
        _ = read.unknownCriticalExtension(besides: [])
        _ = try? read.checkIssued(by: read)
      }
      await Task.yield()
    }
  }

  @Test(
    "the serial number is in hexadecimal without leading zeros",
    arguments: [
      (0, "0"), (1, "1"), (15, "f"), (16, "10"), (255, "ff"), (256, "100"), (4_096, "1000"),
      (0x7FFF_FFFF_FFFF_FFFF, "7fffffffffffffff"),
    ])
  func serialNumber(number: Int, text: String) throws {
    #expect(try selfSigned(builder(serialNumber: number)).serialNumber == text)
  }

  @Test("both ends of the validity belong to it (RFC 5280 section 4.1.2.5)")
  func validity() {
    let validity = Certificate.Validity(notBefore: 100, notAfter: 200)
    for moment in [100, 100.5, 150, 200] { #expect(validity.contains(moment)) }
    for moment in [99, 99.999, 200.001, 201, -.infinity, .infinity, .nan] {
      #expect(!validity.contains(moment))
    }
    let part = validity.intersection(.init(notBefore: 150, notAfter: 300))
    #expect(part == .init(notBefore: 150, notAfter: 200))
    let none = validity.intersection(.init(notBefore: 300, notAfter: 400))
    for moment in [150, 200, 250, 300] { #expect(!none.contains(Double(moment))) }
  }

  /// Times before 2050 are UTCTime, later ones GeneralizedTime (RFC 5280 section 4.1.2.5).
  @Test(
    "times are read in both of their forms",
    arguments: [
      (0, 1), (-315_619_200, 2_524_607_999), (2_524_608_000, 4_102_444_800),
      (1_761_962_975, 253_402_300_799),
    ])
  func times(notBefore: Int, notAfter: Int) throws {
    var builder = builder()
    builder.validity = .init(notBefore: notBefore, notAfter: notAfter)
    #expect(try selfSigned(builder).validity == builder.validity)
  }

  @Test("extensions are found by their type")
  func extensions() throws {
    var builder = builder()
    builder.markers = ["1.2.840.113635.100.6.11.1", "1.3.6.1.4.1.99999.1"]
    builder.isAuthority = true
    builder.pathLength = 3
    builder.keyUsage = "keyCertSign"
    builder.revocationResponder = "http://ocsp.example.com/a"
    let certificate = try selfSigned(builder)
    #expect(certificate.hasExtension("1.2.840.113635.100.6.11.1"))
    #expect(certificate.hasExtension("2.5.29.19"))
    for type in [
      "1.2.840.113635.100.6.11.2", "1.2.840.113635.100.6.11", "1.2.840.113635.100.6.11.1.1", "",
      "basicConstraints?", "1", "99.99",
    ] {
      #expect(!certificate.hasExtension(type), "\(type)")
    }
    #expect(certificate.isAuthority && certificate.maySignCertificates)
    #expect(certificate.pathLength == 3)
    #expect(certificate.revocationResponders == ["http://ocsp.example.com/a"])
    #expect(certificate.unknownCriticalExtension(besides: []) == nil)
    #expect(!certificate.hasNameConstraints)
  }

  @Test("the first unknown critical extension is named")
  func criticalExtensions() throws {
    var builder = builder()
    builder.markers = ["1.2.840.113635.100.6.11.1", "1.3.6.1.4.1.99999.1"]
    builder.markersAreCritical = true
    let certificate = try selfSigned(builder)
    #expect(
      certificate.unknownCriticalExtension(besides: []) == "1.2.840.113635.100.6.11.1")
    #expect(
      certificate.unknownCriticalExtension(besides: ["1.2.840.113635.100.6.11.1"])
        == "1.3.6.1.4.1.99999.1")
    #expect(certificate.unknownCriticalExtension(besides: Set(builder.markers)) == nil)
  }

  @Test("without the extensions a certificate is no authority and limits nothing")
  func noExtensions() throws {
    for version in [1, 3] {
      var builder = builder()
      builder.version = version
      let certificate = try selfSigned(builder)
      #expect(!certificate.isAuthority)
      #expect(certificate.maySignCertificates)
      #expect(certificate.pathLength == nil)
      #expect(certificate.revocationResponders.isEmpty)
    }
  }

  @Test("issuing needs name, authority, key usage and signature, and each fault is named")
  func issuance() throws {
    var issuing = builder()
    issuing.subject = "Issuer"
    issuing.isAuthority = true
    let issuerKey = try PrivateKey(generating: .p384)
    func issuer(_ change: (inout CertificateBuilder) -> Void = { _ in }) throws -> Certificate {
      var builder = issuing
      change(&builder)
      return try builder.certificate(for: issuerKey, issuedBy: nil, signedWith: issuerKey)
    }
    let certificate = try builder().certificate(
      for: key, issuedBy: try issuer(), signedWith: issuerKey)
    #expect(throws: Never.self) { try certificate.checkIssued(by: issuer()) }
    #expect(throws: Certificate.IssuanceFailure.issuerName) {
      try certificate.checkIssued(by: issuer { $0.subject = "Other" })
    }
    #expect(throws: Certificate.IssuanceFailure.notAnAuthority) {
      try certificate.checkIssued(by: issuer { $0.isAuthority = false })
    }
    #expect(throws: Certificate.IssuanceFailure.keyUsage) {
      try certificate.checkIssued(by: issuer { $0.keyUsage = "digitalSignature" })
    }
    let foreign = try builder().certificate(
      for: key, issuedBy: try issuer(), signedWith: try PrivateKey(generating: .p384))
    #expect(throws: Certificate.IssuanceFailure.signature) {
      try foreign.checkIssued(by: issuer())
    }
    // The times are left to the caller.
    #expect(throws: Never.self) {
      try certificate.checkIssued(
        by: issuer { $0.validity = .init(notBefore: 1, notAfter: 2) })
    }
  }
}

@Suite(
  "Certificates of Apple", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct AppleCertificateTests {
  /// The dates in the list of fixtures, in UTC.
  @Test(
    "validity has the published days",
    arguments: [
      ("apple/apple-inc-root-ca", "2006-04-25", "2035-02-09"),
      ("apple/apple-root-ca-g2", "2014-04-30", "2039-04-30"),
      ("apple/apple-root-ca-g3", "2014-04-30", "2039-04-30"),
      ("apple/apple-wwdr-g6", "2021-03-17", "2036-03-19"),
      ("apple/apple-receipt-signing-2021-2023", "2021-08-25", "2023-09-24"),
      ("apple/apple-wwdr-2008-2016", "2008-02-14", "2016-02-14"),
      ("apple/apple-wwdr-2013-2023", "2013-02-07", "2023-02-07"),
      ("apple/apple-wwdr-g7", "2022-11-17", "2023-11-17"),
      ("apple/apple-wwdr-g5", "2020-12-16", "2030-12-10"),
      // The list has 01-01 for the whole authority; its root expires a day later.
      ("apple-library-test-pki/root", "2023-01-05", "2033-01-02"),
      ("apple-library-test-pki/intermediate", "2023-01-05", "2033-01-01"),
      ("apple-library-test-pki/leaf", "2023-01-05", "2033-01-01"),
      ("apple-library-test-pki/leaf-invalid-oid", "2023-01-05", "2033-01-01"),
    ])
  func validity(name: String, first: String, last: String) throws {
    let certificate = try certificate(name)
    let days = [certificate.validity.notBefore, certificate.validity.notAfter].map { seconds in
      Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601.year().month().day())
    }
    #expect(days == [first, last])
  }

  @Test("the published fingerprints are those of the files")
  func fingerprints() throws {
    for (name, fingerprint) in [
      (
        "apple-inc-root-ca", "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024"
      ),
      ("apple-root-ca-g2", "c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050"),
      ("apple-root-ca-g3", "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"),
    ] {
      let digest = try SHA256.digest(of: Array(try Fixtures.data("certificates/apple/\(name).der")))
      #expect(digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == fingerprint)
    }
  }

  @Test("keys and marks are the published ones")
  func keys() throws {
    #expect(try certificate("apple/apple-root-ca-g3").publicKey?.kind == .p384)
    #expect(try certificate("apple/apple-wwdr-g6").publicKey?.kind == .p384)
    #expect(try certificate("apple/apple-inc-root-ca").publicKey?.kind == .rsa)
    let leaf = try certificate("apple/apple-receipt-signing-2021-2023")
    #expect(leaf.publicKey?.kind == .p256)
    #expect(leaf.hasExtension("1.2.840.113635.100.6.11.1"))
    #expect(!leaf.isAuthority)
    let test = try certificate("apple-library-test-pki/leaf-invalid-oid")
    #expect(!test.hasExtension("1.2.840.113635.100.6.11.1"))
    #expect(test.hasExtension("1.2.840.113635.100.6.11.2"))
    let intermediate = try certificate("apple-library-test-pki/intermediate")
    #expect(intermediate.hasExtension("1.2.840.113635.100.6.2.1"))
    #expect(intermediate.pathLength == 0)
    #expect(intermediate.revocationResponders.isEmpty)
    #expect(try certificate("apple-library-test-pki/root").serialNumber == "b51ce402e21f9a5b")
  }

  @Test("each of Apple's certificates, truncated anywhere, is refused")
  func truncation() throws {
    for path in Fixtures.paths(in: "certificates/apple", withExtension: "der") {
      let der = Array(try Fixtures.data(path))
      #expect(Certificate(der: der) != nil, "\(path)")
      for count in 0..<der.count {
        #expect(Certificate(der: Array(der.prefix(count))) == nil, "\(path), \(count) bytes")
      }
    }
  }

  private func certificate(_ name: String) throws -> Certificate {
    try #require(Certificate(der: Array(try Fixtures.data("certificates/\(name).der"))))
  }
}
