import InMemoryStorage
import Storekeeper
import StorekeeperHTTP
import StorekeeperTesting
import Testing

/// Credit rules, sections 2 to 4.
@Suite("Failures of the server in requests about credits")
struct ServerFailureTests {
  /// Expects status 503 to a client, and the error behind it to the observer.
  private func expectUnavailable(
    _ response: HTTPResponseMessage, in scene: CreditScene,
    _ location: SourceLocation = #_sourceLocation
  ) -> (any Error)? {
    #expect(response.problem == .unavailable, sourceLocation: location)
    #expect(response.headers.values(for: .retryAfter) == ["5"], sourceLocation: location)
    guard case .failed(let error)? = scene.reports.all.last?.outcome else {
      Issue.record("not reported as a failure", sourceLocation: location)
      return nil
    }
    return error
  }

  @Test("a conflict that remains is 503, and the observer gets the failure")
  func conflict() async throws {
    let store = WrappedStore(InMemoryPurchaseStore()) { _, _ in
      throw StorageFailure.conflict
    }
    let scene = try await CreditScene(store: store)
    _ = expectUnavailable(try await scene.verify(), in: scene)
    let booking =
      #"{"userId":"u1","eventId":"a","changeType":"b","bizType":"c","bizId":"1","amount":1}"#
    _ = expectUnavailable(try await scene.book(booking), in: scene)
  }

  /// Expects status 503 to a client, and an outcome that is no failure of the server.
  private func expectAway(
    _ response: HTTPResponseMessage, in scene: CreditScene,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(response.problem == .unavailable, sourceLocation: location)
    #expect(response.headers.values(for: .retryAfter) == ["5"], sourceLocation: location)
    guard case .refused? = scene.reports.all.last?.outcome else {
      Issue.record("reported as a failure of the server", sourceLocation: location)
      return
    }
  }

  @Test("if the status of a certificate cannot be asked for, the answer is 503")
  func unknownCertificateStatus() async throws {
    let authority = try TestAuthority {
      $0.leaf.revocationResponder = "http://ocsp.example/leaf"
      $0.intermediate.revocationResponder = "http://ocsp.example/intermediate"
    }
    let responder = try authority.revocationResponder(now: { CreditScene.now })
    let scene = try await CreditScene(
      authority: authority,
      revocationChecker: RevocationChecker(
        transport: responder, clock: ManualClock(), now: { CreditScene.now }))
    responder.setReply(.httpStatus(500), about: .leaf)
    expectAway(try await scene.verify(), in: scene)
    #expect(scene.reports.all.last?.reason == "revocationUnknown, onlineCheckFailed")
    expectAway(try await scene.notify(scene.notification()), in: scene)
    #expect(scene.reports.all.last?.reason == "revocationUnknown, onlineCheckFailed")
    #expect(try await scene.balance() == 100)
  }

  @Test(
    "an identity that the host makes and the store cannot hold is not the client's fault",
    arguments: [String(repeating: "a", count: 1025), "ann\0"])
  func unusableIdentity(identity: String) async throws {
    let scene = try await CreditScene { $0.identity = { _, _ in identity } }
    let error = expectUnavailable(try await scene.verify(), in: scene)
    guard case .invalidValue(field: "identity")? = error as? StorageFailure else {
      Issue.record("reported \(String(describing: error))")
      return
    }
    #expect(try await scene.balance() == 100)
    // A pack that is no starter needs no identity.
    let big = CreditScene.Purchase(
      transaction: CreditScene.transaction("7", product: CreditScene.big), code: "big_pack")
    #expect(try await scene.verify(big).status == .ok)
  }
}
