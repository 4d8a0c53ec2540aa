import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StoreSimulators
import Testing

@Suite("The simulator's check of bearer tokens")
struct SimulatedAccessTests {
  /// Whether a token is let in.
  private func isAccepted(
    _ scene: ServerAPIScene, _ authorization: String, host: String? = nil
  ) async throws -> Bool {
    let response = try await scene.send(
      .get, "/inApps/v1/transactions/1", host: host, authorization: authorization)
    if response.status == .unauthorized {
      let body = String(decoding: response.body, as: UTF8.self)
      #expect(body.hasPrefix("Unauthenticated\n\nRequest ID: "))
      #expect(response.headers[.contentType] == "text/plain")
    } else {
      #expect(response.status == .notFound)
    }
    // 1_700_000_000 seconds after 1970.
    #expect(response.headers[.date] == "Tue, 14 Nov 2023 22:13:20 GMT")
    return response.status != .unauthorized
  }

  @Test("a token of the registered key for the app is let in, at either host")
  func rightToken() async throws {
    let scene = try ServerAPIScene()
    let token = try "Bearer " + scene.token()
    #expect(try await isAccepted(scene, token))
    #expect(try await isAccepted(scene, token, host: ServerAPIScene.sandbox))
    for host in ["api.storekit.itunes.apple.com", "api.storekit-sandbox.itunes.apple.com"] {
      #expect(try await isAccepted(scene, token, host: "https://" + host))
    }
    #expect(try await isAccepted(scene, "Bearer " + scene.token(lifetime: .seconds(3600))))
  }

  @Test("a token of another key, issuer or app is refused")
  func wrongToken() async throws {
    let scene = try ServerAPIScene()
    let other = try TestServerAPIKey(issuerID: scene.appStore.serverAPIKey.issuerID)
    #expect(try await !isAccepted(scene, "Bearer " + scene.token(other)))
    #expect(
      try await !isAccepted(scene, "Bearer " + scene.token(issuerID: UUID().uuidString)))
    #expect(try await !isAccepted(scene, "Bearer " + scene.token(bundleID: "com.example.other")))
    #expect(try await !isAccepted(scene, scene.token()))
    #expect(try await !isAccepted(scene, "Bearer "))
    #expect(try await !isAccepted(scene, "Bearer a.b.c"))
    var spoilt = try scene.token()
    spoilt.replaceSubrange(spoilt.index(before: spoilt.endIndex)..., with: "")
    #expect(try await !isAccepted(scene, "Bearer " + spoilt))
  }

  @Test("a token from the future or past its end is refused")
  func time() async throws {
    let scene = try ServerAPIScene()
    let now = scene.appStore.now
    #expect(try await !isAccepted(scene, "Bearer " + scene.token(at: now + 1)))
    #expect(try await isAccepted(scene, "Bearer " + scene.token(at: now - 299)))
    #expect(try await !isAccepted(scene, "Bearer " + scene.token(at: now - 300)))
  }

  @Test("keys are rotated: a new one is let in, a revoked one is not")
  func rotation() async throws {
    let scene = try ServerAPIScene()
    let second = try scene.appStore.addServerAPIKey()
    #expect(try await isAccepted(scene, "Bearer " + scene.token(second)))
    #expect(try await isAccepted(scene, "Bearer " + scene.token()))
    scene.appStore.revokeServerAPIKey(scene.appStore.serverAPIKey.keyID)
    #expect(try await isAccepted(scene, "Bearer " + scene.token(second)))
    #expect(try await !isAccepted(scene, "Bearer " + scene.token()))
  }

  @Test("Production refuses the key of an app that was never released; the Sandbox does not")
  func unreleased() async throws {
    let scene = try ServerAPIScene(.sandbox) { $0.isReleased = false }
    let token = try "Bearer " + scene.token()
    #expect(try await !isAccepted(scene, token, host: ServerAPIScene.production))
    #expect(try await isAccepted(scene, token, host: ServerAPIScene.sandbox))
  }

  @Test("neither the key nor a token is printed or recorded")
  func secrecy() async throws {
    let scene = try ServerAPIScene()
    let key = scene.appStore.serverAPIKey
    var text = "\(key)"
    dump(key, to: &text)
    #expect(!text.contains("PRIVATE KEY"))
    _ = try await scene.send(.get, "/inApps/v1/transactions/1?a=b")
    let request = try #require(scene.appStore.serverAPIRequests.first)
    #expect(request.method == .get)
    #expect(request.target == "/inApps/v1/transactions/1?a=b")
    #expect(request.environment == .production)
    dump(request, to: &text)
    #expect(!text.contains("Bearer"))
  }
}
