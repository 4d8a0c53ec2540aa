import HTTPMessages
import JWSVerifier
import StorekeeperCrypto
import StorekeeperTesting
import Testing

@Suite("The test responder")
struct RevocationResponderTests {
  private let scene: RevocationScene
  private let query: OCSPQuery

  init() throws {
    scene = try RevocationScene()
    query = try OCSPQuery(
      about: scene.chain.leaf, issuedBy: scene.chain.intermediate, nonce: [1, 2, 3])
  }

  private func request(_ body: [UInt8]) -> HTTPRequestMessage {
    HTTPRequestMessage(
      method: .post, url: RevocationScene.leafAddress,
      headers: [.contentType: "application/ocsp-request"], body: body)
  }

  private func answer(_ response: HTTPResponseMessage) throws -> OCSPAnswer {
    try query.answer(from: response.body, at: RevocationScene.start, leeway: 0)
  }

  @Test("answers a question about a certificate that it knows")
  func good() async throws {
    let response = try await scene.responder.send(request(query.der))
    #expect(response.status == .ok)
    #expect(response.headers == [.contentType: "application/ocsp-response"])
    #expect(
      try answer(response) == .good(until: RevocationScene.start + RevocationScene.lifetime))
    #expect(scene.counts == [1, 0])
  }

  @Test("refuses a question that is not posted")
  func method() async throws {
    var request = request(query.der)
    request.method = .get
    #expect(
      try await scene.responder.send(request) == HTTPResponseMessage(status: .methodNotAllowed))
  }

  @Test("refuses a question of another type")
  func contentType() async throws {
    var request = request(query.der)
    request.headers = [.contentType: "application/octet-stream"]
    #expect(
      try await scene.responder.send(request) == HTTPResponseMessage(status: .unsupportedMediaType))
  }

  @Test("declines a malformed query")
  func malformed() async throws {
    let response = try await scene.responder.send(request([0x30, 0x00]))
    #expect(throws: OCSPAnswerFailure.declined(status: 1)) { try answer(response) }
    #expect(scene.counts == [0, 0])
  }

  @Test("declines a question about a certificate that it does not know")
  func unknown() async throws {
    let stranger = try RevocationScene()
    let response = try await stranger.responder.send(request(query.der))
    #expect(throws: OCSPAnswerFailure.declined(status: 6)) { try answer(response) }
    #expect(stranger.counts == [0, 0])
    #expect(stranger.responder.requests == [request(query.der)])
  }
}
