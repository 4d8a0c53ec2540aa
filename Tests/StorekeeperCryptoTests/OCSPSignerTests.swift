import StorekeeperCrypto
import StorekeeperTesting
import Testing

/// The signers of answers that are accepted or refused.
///
/// | signer | accepted |
/// | --- | --- |
/// | the issuer, with or without its certificate in the answer | yes |
/// | a delegate that the issuer authorized, on P-256, P-384 or RSA | yes |
/// | the same with a critical "no check" | yes |
/// | a certificate of the issuer without authorization; the leaf about itself | no |
/// | a delegate with another critical extension | no |
/// | a delegate that has expired, or is not valid yet | no |
/// | a delegate of the root, or the root, about the leaf | no |
/// | a delegate of the intermediate about the intermediate | no |
/// | a delegate whose certificate has another signer | no |
/// | a delegate below a certificate that the issuer issued | no |
/// | an unknown signer with authorization, with the issuer's name, or both | no |
/// | an expired issuer | no |
/// | the issuer, with SHA-1 | no |
@Suite("Signers of answers")
struct OCSPSignerTests {
  private typealias Identity = OCSPScene.Identity
  private let scene: OCSPScene
  private let good = OCSPAnswer.good(until: OCSPScene.now + 3600)

  init() throws {
    scene = try OCSPScene()
  }

  // MARK: Accepted

  @Test("accepts the issuer, its certificate in the answer or not", arguments: [true, false])
  func issuer(includesSigner: Bool) throws {
    let pairs = [
      (try scene.leafQuery(), scene.intermediate), (try scene.intermediateQuery(), scene.root),
    ]
    for (query, issuer) in pairs {
      let bytes = try scene.answer(to: query, by: issuer) { $0.includesSigner = includesSigner }
      #expect(try scene.read(bytes, to: query) == good)
    }
  }

  @Test(
    "accepts a delegate of the issuer",
    arguments: [PrivateKey.Generated.p256, .p384, .rsa2048])
  func delegate(kind: PrivateKey.Generated) throws {
    let leafQuery = try scene.leafQuery()
    let leafAnswer = try scene.answer(
      to: leafQuery, by: scene.delegate(of: scene.intermediate, kind))
    #expect(try scene.read(leafAnswer, to: leafQuery) == good)

    let intermediateQuery = try scene.intermediateQuery()
    let intermediateAnswer = try scene.answer(
      to: intermediateQuery, by: scene.delegate(of: scene.root, kind))
    #expect(try scene.read(intermediateAnswer, to: intermediateQuery) == good)
  }

  @Test("accepts a delegate that is not to be asked about")
  func noCheck() throws {
    let query = try scene.leafQuery()
    let delegate = try scene.delegate(of: scene.intermediate) {
      $0.markers = ["1.3.6.1.5.5.7.48.1.5"]
      $0.markersAreCritical = true
    }
    #expect(try scene.read(scene.answer(to: query, by: delegate), to: query) == good)
  }

  // MARK: Refused

  @Test("refuses a certificate of the issuer that was not made for it")
  func withoutPurpose() throws {
    let delegate = try scene.delegate(of: scene.intermediate) { $0.mayAnswerRevocation = false }
    try expectRefusal(of: delegate, about: scene.leafQuery())
  }

  @Test("refuses the leaf as witness for itself")
  func leafItself() throws {
    try expectRefusal(of: scene.leaf, about: scene.leafQuery())
  }

  @Test("refuses a delegate with an unknown critical extension")
  func unknownExtension() throws {
    let delegate = try scene.delegate(of: scene.intermediate) {
      $0.markers = ["1.2.3.4"]
      $0.markersAreCritical = true
    }
    try expectRefusal(of: delegate, about: scene.leafQuery())
  }

  @Test("refuses a delegate outside its time", arguments: [(-100, -1), (1, 100)])
  func delegateTime(notBefore: Int, notAfter: Int) throws {
    let delegate = try scene.delegate(of: scene.intermediate) {
      $0.validity = .init(
        notBefore: OCSPScene.now + notBefore, notAfter: OCSPScene.now + notAfter)
    }
    try expectRefusal(of: delegate, about: scene.leafQuery())
  }

  @Test("refuses the root, and a delegate of the root, as witness for the leaf")
  func rootAboutLeaf() throws {
    try expectRefusal(of: scene.root, about: scene.leafQuery())
    try expectRefusal(of: scene.delegate(of: scene.root), about: scene.leafQuery()) {
      $0.companions = [scene.intermediate.certificate, scene.root.certificate]
    }
  }

  @Test("refuses the intermediate and its delegate as witness for the intermediate")
  func intermediateAboutItself() throws {
    try expectRefusal(of: scene.intermediate, about: scene.intermediateQuery())
    try expectRefusal(
      of: scene.delegate(of: scene.intermediate), about: scene.intermediateQuery())
  }

  @Test("refuses a delegate whose certificate has another signer")
  func forgedDelegate() throws {
    let delegate = try OCSPScene.identity(
      "Delegate", 7, .p256, issuer: scene.intermediate,
      signingKey: PrivateKey(generating: .p384)
    ) { $0.mayAnswerRevocation = true }
    try expectRefusal(of: delegate, about: scene.leafQuery())
  }

  @Test("refuses a delegate below a certificate that the issuer issued")
  func delegateOfDelegate() throws {
    let authority = try OCSPScene.identity("Below", 8, .p256, issuer: scene.root) {
      $0.isAuthority = true
      $0.mayAnswerRevocation = true
    }
    try expectRefusal(of: scene.delegate(of: authority), about: scene.intermediateQuery()) {
      $0.companions = [authority.certificate]
    }
  }

  @Test(
    "refuses a stranger, whatever its name and purposes",
    arguments: ["Stranger", "Intermediate", "Root"], [true, false])
  func stranger(name: String, includesSigner: Bool) throws {
    let stranger = try OCSPScene.identity(name, 2, .p384) {
      $0.isAuthority = true
      $0.mayAnswerRevocation = true
    }
    try expectRefusal(of: stranger, about: scene.leafQuery()) {
      $0.includesSigner = includesSigner
    }
    try expectRefusal(of: scene.delegate(of: stranger), about: scene.leafQuery()) {
      $0.includesSigner = includesSigner
      $0.companions = [stranger.certificate]
    }
  }

  @Test("refuses an expired issuer")
  func issuerTime() throws {
    let query = try scene.leafQuery()
    let later = OCSPScene.validity.notAfter + 1
    let bytes = try scene.answer(to: query, by: scene.intermediate) {
      $0.nextUpdate = later + 1
    }
    #expect(
      try query.answer(from: bytes, at: later - 1, leeway: 0) == .good(until: later + 1))
    #expect(throws: OCSPAnswerFailure.notAuthorized) {
      try query.answer(from: bytes, at: later, leeway: 0)
    }
  }

  @Test("refuses SHA-1 and accepts SHA-384")
  func digests() throws {
    let query = try scene.leafQuery()
    try expectRefusal(of: scene.intermediate, about: query) { $0.digest = .sha1 }
    let bytes = try scene.answer(to: query, by: scene.intermediate) { $0.digest = .sha384 }
    #expect(try scene.read(bytes, to: query) == good)
  }

  /// Expects that neither "good" nor "revoked" is accepted from this signer.
  private func expectRefusal(
    of signer: OCSPScene.Identity, about query: OCSPQuery,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout OCSPAnswerBuilder) -> Void = { _ in }
  ) throws {
    for status in [OCSPAnswerBuilder.Status.good, .revoked(at: OCSPScene.now - 10), .unknown] {
      let bytes = try scene.answer(to: query, by: signer) {
        $0.status = status
        change(&$0)
      }
      #expect(throws: OCSPAnswerFailure.notAuthorized, sourceLocation: sourceLocation) {
        try scene.read(bytes, to: query)
      }
    }
  }
}
