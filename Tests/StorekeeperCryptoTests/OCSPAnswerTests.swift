import StorekeeperCrypto
import StorekeeperTesting
import Testing

@Suite("Answers of a responder")
struct OCSPAnswerTests {
  private static let now = OCSPScene.now
  private let scene: OCSPScene

  init() throws {
    scene = try OCSPScene()
  }

  @Test(
    "understands what the issuer signed",
    arguments: [
      (OCSPAnswerBuilder.Status.good, OCSPAnswer.good(until: now + 3600)),
      (.revoked(at: now - 3600), .revoked(until: now + 3600)),
      (.unknown, .unknown),
    ])
  func statuses(status: OCSPAnswerBuilder.Status, expected: OCSPAnswer) throws {
    let query = try scene.leafQuery()
    let bytes = try scene.answer(to: query, by: scene.intermediate) { $0.status = status }
    #expect(try scene.read(bytes, to: query) == expected)
  }

  // MARK: Form

  @Test("refuses an answer that is cut off anywhere")
  func truncation() throws {
    let query = try scene.leafQuery()
    let bytes = try scene.answer(to: query, by: scene.intermediate)
    for count in 0..<bytes.count {
      #expect(throws: OCSPAnswerFailure.malformed, "\(count) bytes") {
        try scene.read(Array(bytes.prefix(count)), to: query)
      }
    }
  }

  @Test("refuses an answer with a byte behind it")
  func trailingByte() throws {
    let query = try scene.leafQuery()
    let bytes = try scene.answer(to: query, by: scene.intermediate)
    #expect(throws: OCSPAnswerFailure.malformed) { try scene.read(bytes + [0], to: query) }
  }

  @Test("refuses an answer with a byte too many inside")
  func innerTrailingByte() throws {
    let query = try scene.leafQuery()
    var bytes = try scene.answer(to: query, by: scene.intermediate)
    // The lengths, two bytes each, of the response, [0], ResponseBytes and its OCTET STRING.
    for (tag, place) in [(0x30, 0), (0xA0, 7), (0x30, 11), (0x04, 26)] as [(UInt8, Int)] {
      try #require(bytes[place] == tag && bytes[place + 1] == 0x82 && bytes[place + 3] < 0xFF)
      bytes[place + 3] += 1
    }
    #expect(throws: OCSPAnswerFailure.malformed) { try scene.read(bytes + [0], to: query) }
  }

  @Test("believes no answer in which a bit was changed")
  func bitFlips() throws {
    let query = try scene.leafQuery()
    let bytes = try scene.answer(to: query, by: scene.intermediate) { $0.includesSigner = false }
    #expect(try scene.read(bytes, to: query) == .good(until: Self.now + 3600))
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 1 << UInt8(place % 8)
      #expect(throws: OCSPAnswerFailure.self, "byte \(place)") {
        try scene.read(changed, to: query)
      }
    }
  }

  @Test("refuses an answer of more than 64 KiB before it looks inside")
  func size() throws {
    let query = try scene.leafQuery()
    let small = try scene.answer(to: query, by: scene.intermediate) {
      $0.nonce = .other([UInt8](repeating: 1, count: 64_000))
    }
    let large = try scene.answer(to: query, by: scene.intermediate) {
      $0.nonce = .other([UInt8](repeating: 1, count: 65_536))
    }
    #expect(throws: OCSPAnswerFailure.otherNonce) { try scene.read(small, to: query) }
    #expect(throws: OCSPAnswerFailure.malformed) { try scene.read(large, to: query) }
  }

  @Test(
    "refuses what is no answer",
    arguments: [
      [], [0x30, 0x00], Array("<html></html>".utf8), [UInt8](repeating: 0x30, count: 99),
    ])
  func garbage(bytes: [UInt8]) throws {
    let query = try scene.leafQuery()
    #expect(throws: OCSPAnswerFailure.malformed) { try scene.read(bytes, to: query) }
  }

  @Test("refuses a successful answer without content")
  func empty() throws {
    let query = try scene.leafQuery()
    let bytes = try OCSPAnswerBuilder.declined(status: 0)
    #expect(throws: OCSPAnswerFailure.malformed) { try scene.read(bytes, to: query) }
  }

  @Test("reports the status with which a responder declined", arguments: [1, 2, 3, 5, 6])
  func declined(status: Int) throws {
    let query = try scene.leafQuery()
    let bytes = try OCSPAnswerBuilder.declined(status: status)
    #expect(throws: OCSPAnswerFailure.declined(status: status)) {
      try scene.read(bytes, to: query)
    }
  }

  @Test(
    "refuses an answer with a critical extension that nobody knows",
    arguments: [OCSPAnswerBuilder.CriticalExtension.ofResponse, .ofStatus])
  func criticalExtension(place: OCSPAnswerBuilder.CriticalExtension) throws {
    let query = try scene.leafQuery()
    let bytes = try scene.answer(to: query, by: scene.intermediate) {
      $0.criticalExtension = place
    }
    #expect(throws: OCSPAnswerFailure.malformed) { try scene.read(bytes, to: query) }
  }

  // MARK: About what

  @Test("refuses an answer about another certificate of the issuer")
  func otherCertificate() throws {
    let query = try scene.leafQuery()
    let other = try OCSPScene.identity("Leaf", 4, .p256, issuer: scene.intermediate)
    let id = try OCSPCertificateID(
      of: other.certificate, issuedBy: scene.intermediate.certificate)
    let bytes = try scene.answer(to: query, by: scene.intermediate) { $0.certificateID = id }
    #expect(throws: OCSPAnswerFailure.otherCertificate) { try scene.read(bytes, to: query) }
  }

  @Test("refuses an answer about a certificate of another issuer")
  func otherIssuer() throws {
    let query = try scene.leafQuery()
    let id = try OCSPCertificateID(
      of: scene.leaf.certificate, issuedBy: scene.root.certificate)
    let bytes = try scene.answer(to: query, by: scene.intermediate) { $0.certificateID = id }
    // The signer has no authority over certificates of that issuer.
    #expect(throws: OCSPAnswerFailure.notAuthorized) { try scene.read(bytes, to: query) }
  }

  // MARK: Nonce

  @Test("accepts an answer without nonce")
  func absentNonce() throws {
    let query = try scene.leafQuery()
    let bytes = try scene.answer(to: query, by: scene.intermediate) { $0.nonce = .absent }
    #expect(try scene.read(bytes, to: query) == .good(until: Self.now + 3600))
  }

  @Test(
    "refuses an answer with another nonce",
    arguments: [[], [1], Array(1...31), Array(1...33), [UInt8](repeating: 0, count: 200)])
  func otherNonce(nonce: [UInt8]) throws {
    let query = try scene.leafQuery()
    let bytes = try scene.answer(to: query, by: scene.intermediate) { $0.nonce = .other(nonce) }
    #expect(throws: OCSPAnswerFailure.otherNonce) { try scene.read(bytes, to: query) }
  }

  @Test("refuses an answer with a nonce to a question without one")
  func nonceNotAsked() throws {
    let query = try scene.leafQuery(nonce: nil)
    let bytes = try scene.answer(to: query, by: scene.intermediate) { $0.nonce = .other([1]) }
    #expect(throws: OCSPAnswerFailure.otherNonce) { try scene.read(bytes, to: query) }
  }

  // MARK: Time

  @Test(
    "takes both ends of the time as part of it, and the leeway",
    arguments: [
      (0, 10, 0), (-10, 0, 0), (0, 0, 0), (5, 10, 5), (-10, -5, 5), (-1_000_000, 1_000_000, 0),
    ])
  func inTime(thisUpdate: Int, nextUpdate: Int, leeway: Int) throws {
    let query = try scene.leafQuery()
    let bytes = try scene.answer(to: query, by: scene.intermediate) {
      $0.thisUpdate = Self.now + thisUpdate
      $0.nextUpdate = Self.now + nextUpdate
    }
    #expect(
      try query.answer(from: bytes, at: Self.now, leeway: leeway)
        == .good(until: Self.now + nextUpdate))
  }

  @Test(
    "refuses an answer that is too old, from the future, or has no end",
    arguments: [
      (1, 10, 0), (-10, -1, 0), (6, 10, 5), (-10, -6, 5), (5, -5, 60), (-10, nil, 60),
    ] as [(Int, Int?, Int)])
  func stale(thisUpdate: Int, nextUpdate: Int?, leeway: Int) throws {
    let query = try scene.leafQuery()
    let bytes = try scene.answer(to: query, by: scene.intermediate) {
      $0.thisUpdate = Self.now + thisUpdate
      $0.nextUpdate = nextUpdate.map { Self.now + $0 }
    }
    #expect(throws: OCSPAnswerFailure.stale) {
      try query.answer(from: bytes, at: Self.now, leeway: leeway)
    }
  }
}
