import JWSVerifier
import StorekeeperCrypto
import ReceiptModels
import StorekeeperTesting
import Testing

/// A chain with one fault, and the expected reason.
struct ChainAttack: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var reason: SignedDataFailure
  var change: @Sendable (inout TestAuthority.Shape) -> Void

  init(
    _ description: String, _ reason: SignedDataFailure,
    change: @escaping @Sendable (inout TestAuthority.Shape) -> Void
  ) {
    testDescription = description
    self.reason = reason
    self.change = change
  }
}

@Suite("Authorities and extensions in a chain")
struct AuthorityTests {
  static let attacks: [ChainAttack] = [
    ChainAttack("an intermediate that is CA:FALSE", .chain(.notACertificateAuthority(1))) {
      $0.intermediate.isAuthority = false
      $0.intermediate.pathLength = nil
    },
    ChainAttack("an intermediate without basicConstraints", .chain(.notACertificateAuthority(1))) {
      $0.intermediate.isAuthority = nil
    },
    ChainAttack("an intermediate of version 1", .chain(.notACertificateAuthority(1))) {
      $0.intermediate.version = 1
    },
    ChainAttack("an anchor that allows no authority below", .chain(.pathLength)) {
      $0.root.pathLength = 0
    },
    ChainAttack("a leaf that is an authority", .chain(.leafIsAuthority)) {
      $0.leaf.isAuthority = true
    },
    ChainAttack("an intermediate that may not sign certificates", .chain(.keyUsage(1))) {
      $0.intermediate.keyUsage = "digitalSignature,cRLSign"
    },
    ChainAttack("an anchor that may not sign certificates", .chain(.keyUsage(2))) {
      $0.root.keyUsage = "cRLSign"
    },
    ChainAttack("a leaf on P-384", .chain(.unsupportedLeafKey)) {
      $0.leaf.key = .p384
      $0.signer = .stranger
    },
    ChainAttack("a leaf with an RSA key", .chain(.unsupportedLeafKey)) {
      $0.leaf.key = .rsa2048
      $0.signer = .stranger
    },
    ChainAttack(
      "an unknown critical extension in the leaf",
      .chain(.criticalExtension(0, type: "1.3.6.1.4.1.99999.1"))
    ) {
      $0.leaf.markers.append("1.3.6.1.4.1.99999.1")
      $0.leaf.markersAreCritical = true
    },
    ChainAttack(
      "an unknown critical extension in the intermediate",
      .chain(.criticalExtension(1, type: "1.2.840.113635.100.6.2.99"))
    ) {
      $0.intermediate.markers.append("1.2.840.113635.100.6.2.99")
      $0.intermediate.markersAreCritical = true
    },
    ChainAttack(
      "an unknown critical extension in the anchor",
      .chain(.criticalExtension(2, type: "1.3.6.1.4.1.99999.1"))
    ) {
      $0.root.markers = ["1.3.6.1.4.1.99999.1"]
      $0.root.markersAreCritical = true
    },
  ]

  @Test("a chain with one fault is refused for it", arguments: attacks)
  func attack(row: ChainAttack) throws {
    let authority = try TestAuthority(row.change)
    let token = try authority.sign(Sample.transaction())
    #expect(throws: row.reason) { try authority.verifier().transaction(token) }
    #expect(throws: row.reason) { try authority.pinningVerifier().transaction(token) }
  }

  static let variations: [Change<TestAuthority.Shape>] = [
    variation("an anchor that allows one authority below") { $0.root.pathLength = 1 },
    variation("an intermediate with any number below") { $0.intermediate.pathLength = nil },
    variation("authorities without keyUsage") {
      $0.root.keyUsage = nil
      $0.intermediate.keyUsage = nil
    },
    variation("a leaf without basicConstraints") { $0.leaf.isAuthority = nil },
    variation("a leaf without keyUsage") { $0.leaf.keyUsage = nil },
    variation("authorities on P-256") {
      $0.root.key = .p256
      $0.intermediate.key = .p256
    },
    variation("authorities with RSA keys") {
      $0.root.key = .rsa2048
      $0.intermediate.key = .rsa2048
    },
    variation("an unknown extension that is not critical") {
      $0.leaf.markers.append("1.3.6.1.4.1.99999.1")
    },
  ]

  private static func variation(
    _ description: String, _ change: @escaping @Sendable (inout TestAuthority.Shape) -> Void
  ) -> Change<TestAuthority.Shape> {
    Change(description) { shape in
      var shape = shape
      change(&shape)
      return shape
    }
  }

  @Test(
    "variants that RFC 5280 allows are accepted, even if Apple's chain lacks them",
    arguments: variations
  )
  func allowed(variation: Change<TestAuthority.Shape>) throws {
    let shape = try variation(TestAuthority.Shape())
    let authority = try TestAuthority { $0 = shape }
    let token = try authority.sign(Sample.transaction())
    #expect(try authority.verifier().transaction(token).token == token)
    #expect(try authority.pinningVerifier().transaction(token).token == token)
  }

  /// The holder of a genuine leaf's key issues a certificate with it.
  @Test("a leaf that issues another leaf is refused")
  func leafAsIssuer() throws {
    let authority = try TestAuthority()
    let forged = try authority.forged(
      authority.shape.leaf, issuedBy: authority.leaf, signedWith: authority.leafKey)
    let token = try forged.sign(x5c: [forged.certificate, authority.leaf, authority.root])
    // No anchor has the issuer's name in the leaf.
    #expect(throws: SignedDataFailure.chain(.untrustedRoot)) {
      try authority.verifier().transaction(token)
    }
    #expect(throws: SignedDataFailure.chain(.issuerName(1))) {
      try authority.pinningVerifier().transaction(token)
    }
  }

  @Test("a leaf directly under the root that issues another leaf is refused")
  func rootLeafAsIssuer() throws {
    let authority = try TestAuthority()
    var shape = authority.shape.leaf
    shape.markers += authority.shape.intermediate.markers
    let issuer = try authority.forged(
      shape, issuedBy: authority.root, signedWith: authority.rootKey)
    let forged = try authority.forged(
      authority.shape.leaf, issuedBy: issuer.certificate, signedWith: issuer.key)
    let token = try forged.sign(x5c: [forged.certificate, issuer.certificate, authority.root])
    for verifier in [try authority.verifier(), try authority.pinningVerifier()] {
      #expect(throws: SignedDataFailure.chain(.notACertificateAuthority(1))) {
        try verifier.transaction(token)
      }
    }
  }

  /// The intermediate is trusted as anchor by mistake; its path length of 0 still applies.
  @Test("an authority below an intermediate that allows none is refused")
  func authorityBelowIntermediate() throws {
    let authority = try TestAuthority()
    var shape = authority.shape.intermediate
    shape.commonName = "Below"
    let below = try authority.forged(
      shape, issuedBy: authority.intermediate,
      signedWith: authority.intermediateKey)
    let leaf = try authority.forged(
      authority.shape.leaf, issuedBy: below.certificate, signedWith: below.key)
    let token = try leaf.sign(
      x5c: [leaf.certificate, below.certificate, authority.intermediate])
    let anchor = try TrustAnchor(certificate: authority.intermediate.der)
    #expect(throws: SignedDataFailure.chain(.pathLength)) {
      try authority.verifier(anchors: [anchor]).transaction(token)
    }
    for verifier in [try authority.verifier(), try authority.pinningVerifier()] {
      #expect(throws: SignedDataFailure.chain(.untrustedRoot)) { try verifier.transaction(token) }
    }
  }

  @Test("an intermediate with name constraints, which are unsupported, is refused")
  func nameConstraints() throws {
    let type = "2.5.29.30"
    let authority = try TestAuthority {
      $0.intermediate.markers.append(type)
      // This key signs with SHA-256, as below.
      $0.root.key = .p256
    }
    // The builder gives extensions the value NULL; an empty sequence is a constraint without effect
    // (RFC 5280 section 4.2.1.10).
    let intermediate = try authority.intermediate.resigned(
      replacing: [0x55, 0x1D, 0x1E, 0x04, 0x02, 0x05, 0x00],
      with: [0x55, 0x1D, 0x1E, 0x04, 0x02, 0x30, 0x00], key: authority.rootKey)
    let token = try ForgedCertificate(certificate: authority.leaf, key: authority.leafKey)
      .sign(x5c: [authority.leaf, intermediate, authority.root])
    #expect(throws: SignedDataFailure.chain(.nameConstraints(1))) {
      try authority.verifier().transaction(token)
    }
  }
}
