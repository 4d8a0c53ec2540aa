import JWSVerifier
import StorekeeperCrypto
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("Chains of other authorities")
struct ForeignChainTests {
  let authority: TestAuthority
  /// Trusts the root by its certificate.
  let verifier: SignedDataVerifier
  /// Trusts the root by its fingerprint.
  let pinning: SignedDataVerifier

  init() throws {
    authority = try TestAuthority()
    verifier = try authority.verifier()
    pinning = try authority.pinningVerifier()
  }

  @Test("the right chain is accepted, by certificate and by fingerprint")
  func rightChain() throws {
    let token = try authority.sign(Sample.transaction())
    #expect(try verifier.transaction(token).token == token)
    #expect(try pinning.transaction(token).token == token)
  }

  @Test("an authority of other names is not trusted")
  func otherNames() throws {
    let stranger = try TestAuthority {
      $0.root.commonName = "Other Root"
      $0.intermediate.commonName = "Other Intermediate"
    }
    let token = try stranger.sign(Sample.transaction())
    #expect(throws: SignedDataFailure.chain(.untrustedRoot)) { try verifier.transaction(token) }
    #expect(throws: SignedDataFailure.chain(.untrustedRoot)) { try pinning.transaction(token) }
  }

  @Test("a self-made chain with the right names and markers is not trusted")
  func rightNames() throws {
    let token = try TestAuthority.namesake().sign(Sample.transaction())
    // Our root has that name, but did not sign.
    #expect(throws: SignedDataFailure.chain(.signature(1))) {
      try verifier.transaction(token)
    }
    #expect(throws: SignedDataFailure.chain(.untrustedRoot)) { try pinning.transaction(token) }
  }

  @Test("a chain of the right names that names another key as its issuer's is not trusted")
  func otherKeyIdentifier() throws {
    let token = try TestAuthority().sign(Sample.transaction())
    // X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY: our root has the name, and another key identifier.
    #expect(throws: SignedDataFailure.chain(.refused(1, code: 20))) {
      try verifier.transaction(token)
    }
    #expect(throws: SignedDataFailure.chain(.untrustedRoot)) { try pinning.transaction(token) }
  }

  @Test("the genuine root under a foreign chain of the same names gives no trust")
  func genuineRootSameNames() throws {
    let stranger = try TestAuthority.namesake()
    let forged = ForgedCertificate(certificate: stranger.leaf, key: stranger.leafKey)
    let token = try forged.sign(x5c: [stranger.leaf, stranger.intermediate, authority.root])
    #expect(throws: SignedDataFailure.chain(.signature(1))) {
      try verifier.transaction(token)
    }
    #expect(throws: SignedDataFailure.chain(.signature(1))) {
      try pinning.transaction(token)
    }
  }

  @Test("the genuine root under a foreign chain of other names gives no trust")
  func genuineRootOtherNames() throws {
    let stranger = try TestAuthority { $0.root.commonName = "Other Root" }
    let forged = ForgedCertificate(certificate: stranger.leaf, key: stranger.leafKey)
    let token = try forged.sign(x5c: [stranger.leaf, stranger.intermediate, authority.root])
    #expect(throws: SignedDataFailure.chain(.untrustedRoot)) { try verifier.transaction(token) }
    #expect(throws: SignedDataFailure.chain(.issuerName(1))) {
      try pinning.transaction(token)
    }
  }

  @Test("the genuine intermediate and root over a self-made leaf give no trust")
  func genuineIntermediate() throws {
    let stranger = try TestAuthority.namesake()
    let leaf = try authority.forged(
      authority.shape.leaf, issuedBy: stranger.intermediate, signedWith: stranger.intermediateKey)
    let token = try leaf.sign(x5c: [leaf.certificate, authority.intermediate, authority.root])
    #expect(throws: SignedDataFailure.chain(.signature(0))) {
      try verifier.transaction(token)
    }
    #expect(throws: SignedDataFailure.chain(.signature(0))) {
      try pinning.transaction(token)
    }
  }

  @Test("a leaf that names another issuer does not belong to the intermediate")
  func otherIssuer() throws {
    let stranger = try TestAuthority { $0.intermediate.commonName = "Other Intermediate" }
    let forged = ForgedCertificate(certificate: stranger.leaf, key: stranger.leafKey)
    let token = try forged.sign(x5c: [stranger.leaf, authority.intermediate, authority.root])
    #expect(throws: SignedDataFailure.chain(.issuerName(0))) {
      try verifier.transaction(token)
    }
    #expect(throws: SignedDataFailure.chain(.issuerName(0))) {
      try pinning.transaction(token)
    }
  }

  @Test("a self-signed leaf in all three places is not trusted")
  func selfSigned() throws {
    let key = try PrivateKey(generating: .p256)
    var shape = authority.shape.leaf
    shape.commonName = authority.shape.root.commonName
    shape.organizationalUnit = authority.shape.root.organizationalUnit
    shape.markers += authority.shape.intermediate.markers
    let certificate = try shape.builder(serialNumber: 5)
      .certificate(for: key, issuedBy: nil, signedWith: key)
    let token = try ForgedCertificate(certificate: certificate, key: key)
      .sign(x5c: [certificate, certificate, certificate])
    // X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: it has our root's name, but is self-signed.
    #expect(throws: SignedDataFailure.chain(.refused(1, code: 18))) {
      try verifier.transaction(token)
    }
    #expect(throws: SignedDataFailure.chain(.untrustedRoot)) { try pinning.transaction(token) }
  }

  static let orders: [([TestAuthority.Position], SignedDataFailure, SignedDataFailure)] = [
    ([.intermediate, .leaf, .root], .chain(.untrustedRoot), .chain(.issuerName(1))),
    ([.leaf, .root, .intermediate], .chain(.issuerName(0)), .chain(.untrustedRoot)),
    ([.root, .intermediate, .leaf], .chain(.issuerName(0)), .chain(.untrustedRoot)),
    ([.intermediate, .root, .leaf], .chain(.leafIsAuthority), .chain(.untrustedRoot)),
    ([.root, .leaf, .intermediate], .chain(.untrustedRoot), .chain(.untrustedRoot)),
    ([.leaf, .leaf, .root], .chain(.untrustedRoot), .chain(.issuerName(1))),
  ]

  /// With an anchor in DER, the third certificate is ignored.
  @Test("certificates in another order are refused", arguments: orders)
  func order(
    presented: [TestAuthority.Position], byCertificate: SignedDataFailure,
    byFingerprint: SignedDataFailure
  ) throws {
    let token = try authority.withNewLeaf { $0.presented = presented }.sign(Sample.transaction())
    #expect(throws: byCertificate) { try verifier.transaction(token) }
    #expect(throws: byFingerprint) { try pinning.transaction(token) }
  }

  @Test("anything in the third place is accepted under a certificate, and not under a fingerprint")
  func thirdPlace() throws {
    for position in [TestAuthority.Position.leaf, .intermediate] {
      let token = try authority.withNewLeaf { $0.presented[2] = position }
        .sign(Sample.transaction())
      #expect(try verifier.transaction(token).token == token)
      #expect(throws: SignedDataFailure.chain(.untrustedRoot)) { try pinning.transaction(token) }
    }
  }
}
