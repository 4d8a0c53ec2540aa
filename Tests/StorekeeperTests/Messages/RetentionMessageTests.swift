import Foundation
import Storekeeper
import StorekeeperFixtures
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("Retention messages: requests and answers")
struct RetentionMessageTests {
  private static let message = UUID(uuidString: "748BC0C8-F778-4616-8DFF-7F4A8F4DD411") ?? UUID()

  @Test("a verified request reaches the host, and its answer comes back with the time it took")
  func answered() async throws {
    let seen = Locked<[RealtimeRequest]>([])
    let scene = try RetentionMessageScene { request in
      seen.withLock { $0.append(request.payload) }
      return .message(Self.message)
    }
    let token = try scene.request()
    let answer = try await scene.service.answer(signedPayload: token)
    #expect(answer.response == .message(Self.message))
    #expect(answer.duration == .zero)
    let request = try #require(seen.withLock { $0.first })
    #expect(request.originalTransactionID == "2000000000000001")
    #expect(request.productID == "reader.month")
    #expect(request.userLocale == "en-US")
    #expect(seen.withLock { $0.count } == 1)
    #expect(scene.incidents.all.isEmpty)
  }

  @Test("nil stands for Apple's default message")
  func noMessage() async throws {
    let scene = try RetentionMessageScene()
    #expect(try await scene.service.answer(signedPayload: scene.request()).response == nil)
  }

  @Test("a body may have other members beside the signed payload")
  func body() async throws {
    let scene = try RetentionMessageScene { _ in .message(Self.message) }
    let text = #"{"brandNew":[1],"signedPayload":"\#(try scene.request())"}"#
    #expect(
      try await scene.service.answer(body: Array(text.utf8)).response == .message(Self.message))
  }

  @Test(
    "a body without a signed payload is malformed",
    arguments: [
      "", "{", "[]", "null", "{}", #"{"signedPayload":null}"#, #"{"signedPayload":1}"#,
      #"{"signedPayload":"a"}{}"#, "\u{FEFF}{}",
    ])
  func malformed(text: String) async throws {
    let scene = try RetentionMessageScene()
    do {
      _ = try await scene.service.answer(body: Array(text.utf8))
      Issue.record("no failure")
    } catch {
      guard case .malformedBody = error else { throw error }
    }
  }

  @Test(
    "the recorded request is decoded, once it names an environment of Apple's",
    .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
  func recorded() async throws {
    let text = try Fixtures.text("models/decodedRealtimeRequest.json")
    let seen = Locked<RealtimeRequest?>(nil)
    let scene = try RetentionMessageScene(appAppleID: 531_412) { request in
      seen.withLock { $0 = request.payload }
      return nil
    }
    let local = try scene.authority.sign(try JSONValue(parsing: Array(text.utf8)))
    guard case .notAuthentic(.environmentNotAllowed(.localTesting))? = await scene.failure(local)
    else {
      Issue.record("local data was not refused")
      return
    }
    let real = text.replacing("LocalTesting", with: "Production")
    let token = try scene.authority.sign(try JSONValue(parsing: Array(real.utf8)))
    _ = try await scene.service.answer(signedPayload: token)
    let request = try #require(seen.withLock { $0 })
    #expect(request.originalTransactionID == "99371282")
    #expect(request.appAppleID == 531_412)
    #expect(request.productID == "com.example.product")
    #expect(request.requestIdentifier == UUID(uuidString: "3db5c98d-8acf-4e29-831e-8e1f82f9f6e9"))
    #expect(request.signedDate == Date(timeIntervalSince1970: 1_698_148_900))
  }

  // MARK: Refusals

  @Test("a forged request is refused, and the host is not asked")
  func forged() async throws {
    let asked = Locked(false)
    let scene = try RetentionMessageScene { _ in
      asked.withLock { $0 = true }
      return nil
    }
    let other = try RetentionMessageScene(authority: TestAuthority())
    let stranger = try RetentionMessageScene(authority: TestAuthority { $0.signer = .stranger })
    for token in [try other.request(), try stranger.request(), "e30.e30.AAAA", ""] {
      guard case .notAuthentic? = await scene.failure(token) else {
        Issue.record("taken: \(token.prefix(20))")
        continue
      }
    }
    #expect(!asked.withLock { $0 })
    #expect(scene.incidents.all.isEmpty)
  }

  @Test("a request of another app is refused in Production; the Sandbox names no app that counts")
  func otherApp() async throws {
    let scene = try RetentionMessageScene()
    let production = await scene.failure(try scene.request(["appAppleId": .integer(1)]))
    guard case .otherApp(.appAppleIdMismatch(found: 1))? = production else {
      Issue.record("\(String(describing: production))")
      return
    }
    let sandbox = try scene.request([
      "appAppleId": .integer(1), "environment": .string("Sandbox"),
    ])
    #expect(await scene.failure(sandbox) == nil)
  }

  @Test("a request of an environment that is not accepted is refused")
  func otherEnvironment() async throws {
    let scene = try RetentionMessageScene(environments: [.production])
    let failure = await scene.failure(try scene.request(["environment": .string("Sandbox")]))
    guard case .notAuthentic(.environmentNotAllowed(.sandbox))? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test("an authentic request that is not understood is reported with its path")
  func undecoded() async throws {
    let scene = try RetentionMessageScene()
    let failure = await scene.failure(try scene.request(["productId": .integer(1)]))
    guard case .notDecoded(let reason)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(reason.undecodedPath == "productId")
    guard case .signedDataRefused(reason)? = scene.incidents.all.first else {
      Issue.record("not reported")
      return
    }
  }

  @Test("a revoked certificate is refused; a silent responder leaves it unknown")
  func revocation() async throws {
    let authority = try TestAuthority {
      $0.leaf.revocationResponder = "http://ocsp.example/leaf"
      $0.intermediate.revocationResponder = "http://ocsp.example/intermediate"
    }
    for (role, reply): (TestRevocationResponder.Role?, Bool) in [
      (nil, true), (.leaf, true), (.leaf, false),
    ] {
      let responder = try authority.revocationResponder(now: { RetentionMessageScene.start })
      if let role {
        responder.setReply(reply ? .revoked : .transportFailure(.notConnected), about: role)
      }
      let scene = try RetentionMessageScene(
        authority: authority,
        revocationChecker: RevocationChecker(
          transport: responder, clock: ManualClock(), now: { RetentionMessageScene.start }))
      switch (role, reply, await scene.failure(try scene.request())) {
      case (nil, _, nil), (_?, true, .notAuthentic(.certificateRevoked)?),
        (_?, false, .revocationUnknown?):
        break
      case (_, _, let failure): Issue.record("\(String(describing: failure))")
      }
    }
  }
}
