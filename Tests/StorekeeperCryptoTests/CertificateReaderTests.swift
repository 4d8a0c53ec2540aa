import Foundation
import StorekeeperCrypto
import StorekeeperFixtures
import StorekeeperTesting
import Testing

@Suite("Certificates beside OpenSSL's X509 functions")
struct CertificateReaderTests {
  /// Chains with each kind of key, with every byte changed in several ways.
  @Test(
    "what OpenSSL refuses is refused, and what it accepts is accepted, whatever byte is changed",
    arguments: [TestCertificate.Key.p256, .rsa2048])
  func changedBytes(key: TestCertificate.Key) async throws {
    let authority = try TestAuthority { shape in
      shape.root.key = key
      shape.intermediate.key = key
      shape.leaf.key = key
      shape.leaf.revocationResponder = "http://ocsp.example.com/"
    }
    let (subject, issuer) = (authority.certificate(.intermediate), authority.certificate(.root))
    #expect(
      CertificateComparison.difference(issuing: subject, by: issuer, level: 2) == nil)
    for index in subject.indices {
      for change: UInt8 in [0x01, 0x20, 0x80, 0xFF] {
        var changed = subject
        changed[index] ^= change
        let difference = CertificateComparison.difference(issuing: changed, by: issuer, level: 0)
        #expect(difference == nil, "byte \(index) by \(change)")
      }
      // Other tests, which wait for processes and for time, have their turns.
      await Task.yield()
    }
  }

  @Test(
    "Apple's certificates and those of its test authority are read as OpenSSL reads them",
    .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
  func published() async throws {
    let paths = ["certificates/apple", "certificates/apple-library-test-pki", "xcode"].flatMap {
      Fixtures.paths(in: $0, withExtension: "der")
    }
    let certificates = try paths.map { Array(try Fixtures.data($0)) }.filter {
      Certificate(der: $0) != nil
    }
    #expect(certificates.count == 14)
    for subject in certificates {
      for issuer in certificates {
        for level in 0...2 {
          #expect(
            CertificateComparison.difference(issuing: subject, by: issuer, level: level) == nil)
        }
        await Task.yield()
      }
    }
  }

  /// The first certificate was found by the fuzzer and has an empty distribution point; then come
  /// certificates with unusual extensions, and some inputs that the fuzzer kept.
  @Test("inputs that the fuzzer kept are parsed as by OpenSSL")
  func kept() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appending(path: "Fuzzing/Corpus/certificates.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let issuer = try TestAuthority().certificate(.root)
    #expect(lines.count > 150)
    for (number, line) in lines.enumerated() {
      let der = try #require(Base64.decode(Array(line.utf8)[...], .standard))
      for (subject, issuer) in [(der, der), (der, issuer), (issuer, der)] {
        let difference = CertificateComparison.difference(issuing: subject, by: issuer, level: 0)
        #expect(difference == nil, "line \(number + 1)")
      }
    }
    let found = try #require(Base64.decode(Array(lines[0].utf8)[...], .standard))
    #expect(try #require(Certificate(der: found)).isWellFormed == false)
  }
}
