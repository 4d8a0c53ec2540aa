import JWSVerifier
import ReceiptModels
import StorekeeperCertificateJudge
import StorekeeperCrypto
import StorekeeperFixtures
import StorekeeperTesting
import Testing

@Suite(
  "Intermediates that are built in", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct BuiltInIntermediateTests {
  /// The files in the list of fixtures, each with its root and the security level of its kind of
  /// data.
  private static let published = [
    ("apple-wwdr-g6", "apple-root-ca-g3", 2), ("apple-wwdr-2008-2016", "apple-inc-root-ca", 0),
    ("apple-wwdr-2013-2023", "apple-inc-root-ca", 0), ("apple-wwdr-g5", "apple-inc-root-ca", 0),
    ("apple-wwdr-g7", "apple-inc-root-ca", 0),
  ]

  private static func der(_ name: String) throws -> [UInt8] {
    Array(try Fixtures.data("certificates/apple/\(name).der"))
  }

  @Test("each is signed by its root, as OpenSSL verifies it", arguments: published)
  func signature(name: String, root: String, level: Int) throws {
    let (intermediate, root) = (try Self.der(name), try Self.der(root))
    let subject = unsafe judge_read(intermediate, intermediate.count)
    let issuer = unsafe judge_read(root, root.count)
    defer {
      unsafe judge_free(subject)
      unsafe judge_free(issuer)
    }
    try #require(unsafe subject != nil && issuer != nil)
    #expect(unsafe judge_issued(subject, issuer, Int32(level)) == 0)
    let fingerprint = try SHA256.digest(of: intermediate)
    let builtIn = BuiltInIntermediate.all.filter { $0.fingerprint == fingerprint }
    #expect(builtIn.map(\.root) == [try SHA256.digest(of: root)])
  }

  @Test("there are no others")
  func count() {
    #expect(BuiltInIntermediate.all.count == Self.published.count)
  }

  /// A forged root with the name of Apple's: the intermediate names it, but it did not sign.
  @Test("a trusted root that only has the name of Apple's is not the issuer")
  func impostor() throws {
    let root = try Self.root(namedAs: try Self.der("apple-root-ca-g3"))
    let text = try Fixtures.text("signed-data/apple/goiap-sandbox-renewal-info-2023.jws")
    let genuine = try SignedDataVerifier(
      apps: [App(bundleID: "any")], environments: [.sandbox], trustAnchors: [.appleRootCAG3])
    // The certificates are good, so the token is refused for its app, or accepted.
    #expect(throws: Never.self) { try genuine.renewalInfo(text) }
    let deceived = try SignedDataVerifier(
      apps: [App(bundleID: "any")], environments: [.sandbox],
      trustAnchors: [TrustAnchor(certificate: root)])
    #expect(throws: SignedDataFailure.chain(.signature(1))) {
      try deceived.renewalInfo(text)
    }
  }

  /// A self-signed root with a new key and the name of another certificate.
  private static func root(namedAs other: [UInt8]) throws -> [UInt8] {
    let authority = try TestAuthority.namesake()
    let der = authority.root.der
    let name = try Names(other).subject
    let names = try Names(der)
    var signedPart = Array(der[names.signedPart])
    // From the end, so that the ranges before stay valid.
    for place in [names.subjectPlace, names.issuerPlace] {
      let start = place.lowerBound - names.signedPart.lowerBound
      signedPart.replaceSubrange(start..<(start + place.count), with: name)
    }
    signedPart = DERHeader(.sequence, length: signedPart.count).bytes + signedPart
    let signature = try authority.rootKey.signature(of: signedPart)
    let bits = DERHeader(.bitString, length: signature.count + 1).bytes + [0] + signature
    let content = signedPart + der[names.algorithm] + bits
    return DERHeader(.sequence, length: content.count).bytes + content
  }

  /// The ranges of the names in a certificate.
  private struct Names {
    let subject: [UInt8]
    let signedPart: Range<Int>
    let issuerPlace: Range<Int>
    let subjectPlace: Range<Int>
    let algorithm: Range<Int>

    init(_ der: [UInt8]) throws {
      var whole = DERReader(in: 0..<der.count)
      var parts = try whole.contents(.sequence, der)
      signedPart = try parts.value(.sequence, der).content
      algorithm = try parts.value(.sequence, der).whole
      var fields = DERReader(in: signedPart)
      for _ in 0..<3 { _ = try fields.value(der) }
      issuerPlace = try fields.value(der).whole
      _ = try fields.value(der)
      subjectPlace = try fields.value(der).whole
      subject = Array(der[subjectPlace])
    }
  }
}
