import JWSVerifier
import StorekeeperCrypto
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("Trust anchors")
struct TrustAnchorTests {
  let authority: TestAuthority

  init() throws {
    authority = try TestAuthority()
  }

  private func fingerprint(of certificate: Certificate) throws -> TrustAnchor {
    try TrustAnchor(sha256: try SHA256.digest(of: certificate.der))
  }

  /// The genuine leaf and intermediate, with another third certificate.
  private func token(third: Certificate) throws -> String {
    try ForgedCertificate(certificate: authority.leaf, key: authority.leafKey)
      .sign(x5c: [authority.leaf, authority.intermediate, third])
  }

  @Test("the version 1 twin of the root is no obstacle where the root is trusted by certificate")
  func twin() throws {
    let token = try token(third: try authority.twinRoot(version: 1))
    #expect(try authority.verifier().transaction(token).token == token)
  }

  @Test("the version 1 twin is not trusted by the fingerprint of another root")
  func twinByOtherFingerprint() throws {
    let token = try token(third: try authority.twinRoot(version: 1))
    let other = try fingerprint(of: TestAuthority().root)
    for anchors in [[other], [try authority.fingerprintAnchor], [other, .appleRootCAG3]] {
      #expect(throws: SignedDataFailure.chain(.untrustedRoot)) {
        try authority.verifier(anchors: anchors).transaction(token)
      }
    }
  }

  @Test("an anchor without CA:TRUE is refused, though its own fingerprint is pinned")
  func pinnedTwin() throws {
    let twin = try authority.twinRoot(version: 1)
    #expect(throws: SignedDataFailure.chain(.notACertificateAuthority(2))) {
      try authority.verifier(anchors: [fingerprint(of: twin)]).transaction(token(third: twin))
    }
  }

  @Test("a version 3 twin of the root is trusted by its own fingerprint")
  func pinnedVersion3Twin() throws {
    let twin = try authority.twinRoot(version: 3)
    let token = try token(third: twin)
    let verifier = try authority.verifier(anchors: [fingerprint(of: twin)])
    #expect(try verifier.transaction(token).token == token)
    #expect(throws: SignedDataFailure.chain(.untrustedRoot)) {
      try authority.pinningVerifier().transaction(token)
    }
  }

  @Test("the root of a self-made chain with the same name has another fingerprint")
  func sameName() throws {
    let stranger = try TestAuthority()
    #expect(throws: SignedDataFailure.chain(.untrustedRoot)) {
      try authority.pinningVerifier().transaction(stranger.sign(Sample.transaction()))
    }
  }

  @Test("of several anchors each is enough")
  func severalAnchors() throws {
    let other = try TestAuthority()
    let mixtures = [
      [try authority.trustAnchor, try other.trustAnchor],
      [try other.trustAnchor, try authority.trustAnchor],
      [try authority.fingerprintAnchor, try other.fingerprintAnchor],
      [try other.trustAnchor, try authority.fingerprintAnchor, .appleRootCAG2, .appleRootCAG3],
    ]
    for anchors in mixtures {
      let verifier = try authority.verifier(anchors: anchors)
      for signer in [authority, other] {
        let token = try signer.sign(Sample.transaction())
        #expect(try verifier.transaction(token).token == token)
      }
    }
  }

  @Test("the root is accepted in PEM", arguments: ["\n", "\r\n"])
  func pem(lineEnd: String) throws {
    var lines = ["-----BEGIN CERTIFICATE-----"]
    var rest = Base64.encode(authority.certificate(.root), .standard)[...]
    while !rest.isEmpty {
      lines.append(String(rest.prefix(64)))
      rest = rest.dropFirst(64)
    }
    let text = (lines + ["-----END CERTIFICATE-----", ""]).joined(separator: lineEnd)
    let anchor = try TrustAnchor(certificate: Array(text.utf8))
    #expect(anchor == (try authority.trustAnchor))
  }

  @Test(
    "what is not exactly one certificate is no anchor",
    arguments: [
      Change<[UInt8]>("nothing") { _ in [] },
      Change("text") { _ in Array("root".utf8) },
      Change("two certificates") { $0 + $0 },
      Change("bytes behind it") { $0 + [0] },
      Change("cut off") { Array($0.dropLast()) },
      Change("empty PEM") { _ in
        Array("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n".utf8)
      },
      Change("PEM of something else") { bytes in
        Array(
          """
          -----BEGIN PUBLIC KEY-----
          \(Base64.encode(bytes, .standard))
          -----END PUBLIC KEY-----
          """.utf8)
      },
    ])
  func notACertificate(change: Change<[UInt8]>) throws {
    let bytes = try change(authority.certificate(.root))
    #expect(throws: TrustAnchor.Failure.notACertificate) { try TrustAnchor(certificate: bytes) }
  }

  @Test("a certificate that is no authority is no anchor")
  func notAnAuthority() throws {
    let noStatement = try TestAuthority { $0.root.isAuthority = nil }
    let denied = try TestAuthority { $0.root.isAuthority = false }
    for der in [
      authority.certificate(.leaf), try authority.twinRoot(version: 1).der,
      noStatement.certificate(.root), denied.certificate(.root),
    ] {
      #expect(throws: TrustAnchor.Failure.notACertificateAuthority) {
        try TrustAnchor(certificate: der)
      }
    }
  }

  @Test("a fingerprint has 32 bytes", arguments: [0, 20, 31, 33, 48, 64])
  func fingerprintLength(count: Int) {
    #expect(throws: TrustAnchor.Failure.fingerprintLength(count)) {
      try TrustAnchor(sha256: [UInt8](repeating: 0, count: count))
    }
  }
}
