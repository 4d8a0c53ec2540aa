import JWSVerifier
import StorekeeperTesting
import Testing

@Suite("The cache of OCSP answers", .timeLimit(.minutes(30)))
struct RevocationCacheTests {
  private let scene: RevocationScene

  init() throws {
    scene = try RevocationScene()
  }

  @Test("asks once until the answer ends, and again after")
  func lifetime() async throws {
    let checker = scene.checker()
    for second in [0, 1, RevocationScene.lifetime] {
      scene.setTime(second)
      #expect(try await checker.check([scene.chain]) == .good)
      #expect(scene.counts == [1, 1])
    }
    scene.setTime(RevocationScene.lifetime + 1)
    #expect(try await checker.check([scene.chain]) == .good)
    #expect(scene.counts == [2, 2])
  }

  @Test("keeps that a certificate is revoked")
  func revoked() async {
    let checker = scene.checker()
    scene.responder.setReply(.revoked, about: .leaf)
    for _ in 0..<3 {
      await #expect(throws: SignedDataFailure.certificateRevoked(0)) {
        try await checker.check([scene.chain])
      }
    }
    #expect(scene.counts == [1, 0])
  }

  @Test("does not keep that a certificate is unknown")
  func unknown() async throws {
    let checker = scene.checker()
    scene.responder.setReply(.unknown, about: .leaf)
    await #expect(throws: SignedDataFailure.certificateStatusUnknown(0)) {
      try await checker.check([scene.chain])
    }
    scene.responder.setReply(.good, about: .leaf)
    #expect(try await checker.check([scene.chain]) == .good)
    #expect(scene.counts == [2, 1])
  }

  @Test("learns of a revocation when the answer has expired")
  func laterRevocation() async throws {
    let checker = scene.checker()
    #expect(try await checker.check([scene.chain]) == .good)
    scene.responder.setReply(.revoked, about: .intermediate)
    #expect(try await checker.check([scene.chain]) == .good)
    scene.setTime(RevocationScene.lifetime + 1)
    await #expect(throws: SignedDataFailure.certificateRevoked(1)) {
      try await checker.check([scene.chain])
    }
  }

  @Test("caches no more answers than the limit, and evicts the least recently used")
  func limit() async throws {
    let checker = scene.checker { $0.cacheLimit = 2 }
    let other = try scene.otherChain(serialNumber: 4)
    // Cached: leaf, intermediate.
    #expect(try await checker.check([scene.chain]) == .good)
    #expect(scene.counts == [1, 1])
    // The other leaf replaces the first, then the intermediate is used.
    #expect(try await checker.check([other]) == .good)
    #expect(scene.counts == [2, 1])
    #expect(try await checker.check([other]) == .good)
    #expect(scene.counts == [2, 1])
    // The first leaf replaces the other.
    #expect(try await checker.check([scene.chain]) == .good)
    #expect(scene.counts == [3, 1])
  }

  @Test("lets answers that have ended make room first")
  func room() async throws {
    let checker = scene.checker { $0.cacheLimit = 3 }
    let other = try scene.otherChain(serialNumber: 4)
    let third = try scene.otherChain(serialNumber: 5)
    #expect(try await checker.check([scene.chain]) == .good)
    scene.setTime(1800)
    #expect(try await checker.check([other]) == .good)
    scene.setTime(3000)
    #expect(try await checker.check([scene.chain]) == .good)
    #expect(scene.counts == [2, 1])
    // Of the three answers, that about the other leaf was used first and is the only current one.
    scene.setTime(RevocationScene.lifetime + 1)
    #expect(try await checker.check([third]) == .good)
    #expect(scene.counts == [3, 2])
    #expect(try await checker.check([other]) == .good)
    #expect(scene.counts == [3, 2])
  }

  @Test("shares nothing with another checker")
  func separate() async throws {
    #expect(try await scene.checker().check([scene.chain]) == .good)
    #expect(try await scene.checker().check([scene.chain]) == .good)
    #expect(scene.counts == [2, 2])
  }

  @Test("stops the program on a cache without room")
  func noRoom() async {
    await #expect(processExitsWith: .failure) {
      let scene = try RevocationScene()
      _ = scene.checker { $0.cacheLimit = 0 }
    }
  }
}
