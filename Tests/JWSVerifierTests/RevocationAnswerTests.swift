import HTTPMessages
import JWSVerifier
import StorekeeperFixtures
import StorekeeperTesting
import Testing

/// The effect of each reply of a responder.
@Suite("OCSP answers and their effect", .timeLimit(.minutes(30)))
struct RevocationAnswerTests {
  typealias Reply = TestRevocationResponder.Reply
  private let scene: RevocationScene

  init() throws {
    scene = try RevocationScene()
  }

  /// Inconclusive replies, with the reported cause.
  static let failures: [(Reply, OnlineCheckFailure)] = [
    (.declined(status: 1), .responderStatus(1)),
    (.declined(status: 2), .responderStatus(2)),
    (.declined(status: 3), .responderStatus(3)),
    (.declined(status: 6), .responderStatus(6)),
    (.httpStatus(503), .httpStatus(503)),
    (.httpStatus(404), .httpStatus(404)),
    (.httpStatus(204), .httpStatus(204)),
    (.httpStatus(301), .httpStatus(301)),
    (.body([]), .malformedAnswer),
    (.body(Array("<html>try later</html>".utf8)), .malformedAnswer),
    (.body([UInt8](repeating: 0x30, count: 65_537)), .malformedAnswer),
    (.transportFailure(.notConnected), .transport),
    (.transportFailure(.interrupted), .transport),
    (.transportFailure(.untrustedPeer), .transport),
    (.transportFailure(.timedOut), .timeBudgetSpent),
    (.transportFailure(.responseTooLarge), .malformedAnswer),
    (.answer(.stale), .staleAnswer),
    (.answer(.withoutEnd), .staleAnswer),
    (.answer(.stranger), .answerNotAuthorized),
    (.answer(.withoutPurpose), .answerNotAuthorized),
    (.answer(.otherCertificate), .otherCertificate),
    (.answer(.otherNonce), .otherNonce),
  ]

  // MARK: Final

  @Test("passes when leaf and intermediate are good, and does not ask about the root")
  func good() async throws {
    #expect(try await scene.checker().check([scene.chain]) == .good)
    #expect(scene.counts == [1, 1])
    #expect(
      scene.responder.requests.map(\.url)
        == [RevocationScene.leafAddress, RevocationScene.intermediateAddress])
  }

  @Test("posts a question with its type, the time budget and the limit")
  func request() async throws {
    _ = try await scene.checker { $0.timeBudget = .seconds(7) }.check([scene.chain])
    let request = try #require(scene.responder.requests.first)
    #expect(request.method == .post)
    #expect(
      request.headers == [
        .contentType: "application/ocsp-request", .accept: "application/ocsp-response",
      ])
    #expect(request.timeout == .seconds(7))
    #expect(request.responseLimit == 65_536)
  }

  @Test("asks with another nonce each time")
  func nonces() async throws {
    scene.responder.setReply(.unknown, about: .leaf)
    for _ in 0..<2 {
      await #expect(throws: SignedDataFailure.certificateStatusUnknown(0)) {
        try await scene.checker().check([scene.chain])
      }
    }
    #expect(Set(scene.responder.requests.map(\.body)).count == 2)
  }

  @Test("takes an answer without nonce")
  func withoutNonce() async throws {
    scene.responder.setReply(.answer(.withoutNonce), about: .leaf)
    #expect(try await scene.checker().check([scene.chain]) == .good)
  }

  @Test(
    "refuses a revoked leaf for good, and asks no further",
    arguments: [RevocationChecker.Mode.hard, .soft])
  func revokedLeaf(mode: RevocationChecker.Mode) async {
    scene.responder.setReply(.revoked, about: .leaf)
    await expect(.certificateRevoked(0), mode)
    #expect(scene.counts == [1, 0])
  }

  @Test(
    "refuses a revoked intermediate for good",
    arguments: [RevocationChecker.Mode.hard, .soft])
  func revokedIntermediate(mode: RevocationChecker.Mode) async {
    scene.responder.setReply(.revoked, about: .intermediate)
    await expect(.certificateRevoked(1), mode)
    #expect(scene.counts == [1, 1])
  }

  @Test(
    "refuses a certificate that the responder does not know, for good",
    arguments: [RevocationChecker.Mode.hard, .soft])
  func unknown(mode: RevocationChecker.Mode) async {
    scene.responder.setReply(.unknown, about: .leaf)
    await expect(.certificateStatusUnknown(0), mode)
    scene.responder.setReply(.good, about: .leaf)
    scene.responder.setReply(.unknown, about: .intermediate)
    await expect(.certificateStatusUnknown(1), mode)
  }

  // MARK: Not final

  @Test(
    "refuses in the hard mode after a failed request, which is retryable", arguments: failures)
  func hard(reply: Reply, cause: OnlineCheckFailure) async throws {
    let checker = scene.checker()
    scene.responder.setReply(reply, about: .leaf)
    await #expect(throws: SignedDataFailure.onlineCheckFailed(cause)) {
      try await checker.check([scene.chain])
    }
    #expect(SignedDataFailure.onlineCheckFailed(cause).isRetryable)
    #expect(scene.counts == [1, 0])
    // The failure was not cached.
    scene.responder.setReply(.good, about: .leaf)
    #expect(try await checker.check([scene.chain]) == .good)
  }

  @Test("accepts in the soft mode after a failed request, and reports it", arguments: failures)
  func soft(reply: Reply, cause: OnlineCheckFailure) async throws {
    let checker = scene.checker { $0.mode = .soft }
    let leaf = UncheckedCertificate(index: 0, reason: .failed(cause))
    let intermediate = UncheckedCertificate(index: 1, reason: .failed(cause))
    scene.responder.setReply(reply, about: .leaf)
    #expect(try await checker.check([scene.chain]) == .notChecked([leaf]))
    #expect(scene.counts == [1, 1])

    let other = scene.checker { $0.mode = .soft }
    scene.responder.setReply(reply, about: .intermediate)
    #expect(try await other.check([scene.chain]) == .notChecked([leaf, intermediate]))
  }

  @Test("refuses in the soft mode a revoked intermediate though the leaf could not be asked about")
  func softRevocation() async {
    scene.responder.setReply(.declined(status: 3), about: .leaf)
    scene.responder.setReply(.revoked, about: .intermediate)
    await expect(.certificateRevoked(1), .soft)
  }

  @Test("takes any error of a transport for a failure on the way")
  func otherErrors() async {
    struct Broken: Error {}
    let broken = ScriptedTransport { _, _ in throw Broken() }
    await #expect(throws: SignedDataFailure.onlineCheckFailed(.transport)) {
      try await scene.checker(transport: broken).check([scene.chain])
    }
  }

  @Test("reports no check when there is no chain")
  func noChain() async throws {
    #expect(try await scene.checker().check([]) == .notRequested)
  }

  // MARK: Not asked

  @Test(
    "passes a certificate without responder by default, and says so",
    arguments: [nil, "ldap://ocsp.example.org", "httpx://ocsp.example.org", "http://a b"])
  func withoutResponder(address: String?) async throws {
    let scene = try RevocationScene(leafAddress: address)
    #expect(
      try await scene.checker().check([scene.chain])
        == .notChecked([UncheckedCertificate(index: 0, reason: .noResponder)]))
    #expect(scene.counts == [0, 1])
  }

  @Test(
    "refuses a certificate without responder if told so, in either mode",
    arguments: [RevocationChecker.Mode.hard, .soft])
  func refusesWithoutResponder(mode: RevocationChecker.Mode) async throws {
    let scene = try RevocationScene(intermediateAddress: nil)
    let checker = scene.checker {
      $0.mode = mode
      $0.missingResponder = .refuse
    }
    await #expect(throws: SignedDataFailure.onlineCheckFailed(.noResponder)) {
      try await checker.check([scene.chain])
    }
    #expect(scene.counts == [1, 0])
  }

  @Test(
    "asks at the first address that it can use",
    arguments: ["HTTP://ocsp.example.org/a", "https://ocsp.example.org/a"])
  func addresses(address: String) async throws {
    let scene = try RevocationScene(
      leafAddress: "ldap://ocsp.example.org,OCSP;URI:\(address),OCSP;URI:http://other.example.org")
    #expect(try await scene.checker().check([scene.chain]) == .good)
    #expect(scene.responder.requests.first?.url == address)
  }

  @Test("does not ask about an expired certificate, and reports it")
  func expired() async throws {
    let scene = try RevocationScene(leafEnd: RevocationScene.start)
    #expect(try await scene.checker().check([scene.chain]) == .good)
    scene.setTime(1)
    #expect(
      try await scene.checker().check([scene.chain])
        == .notChecked([UncheckedCertificate(index: 0, reason: .expired)]))
    #expect(scene.counts == [1, 2])
  }

  private func expect(
    _ failure: SignedDataFailure, _ mode: RevocationChecker.Mode,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    #expect(!failure.isRetryable, sourceLocation: sourceLocation)
    await #expect(throws: failure, sourceLocation: sourceLocation) {
      try await scene.checker { $0.mode = mode }.check([scene.chain])
    }
  }
}
