import Foundation
import Storekeeper
import StorekeeperTesting

/// A service that answers retention messages, with requests that Apple might send.
struct RetentionScene: Sendable {
  static let path = "/webhook/apple/retention-message"
  static let authority = try? TestAuthority()

  let authority: TestAuthority
  let clock = ManualClock()
  let service: RetentionMessageService

  init(
    answer: @escaping @Sendable (Verified<RealtimeRequest>) async throws -> RealtimeResponse? = {
      _ in nil
    }
  ) throws {
    authority = try Self.authority ?? TestAuthority()
    service = RetentionMessageService(
      verifier: try SignedDataVerifier(
        apps: [App(bundleID: APIScene.bundleID, appAppleID: APIScene.appAppleID)],
        environments: .auto, trustAnchors: [authority.trustAnchor], now: { APIScene.start }),
      answerer: Answerer(body: answer), clock: clock)
  }

  /// The body of a signed request, with members replaced.
  func body(
    _ changes: [String: JSONValue] = [:], signedBy other: TestAuthority? = nil
  ) throws -> String {
    let members: [String: JSONValue] = [
      "originalTransactionId": .string("300000000000001"), "productId": .string(APIScene.monthly),
      "userLocale": .string("en-US"), "appAppleId": .integer(APIScene.appAppleID),
      "requestIdentifier": .string("d4e1f2a3-1111-4222-8333-944455556666"),
      "environment": .string("Production"), "signedDate": .integer(1_700_000_000_000),
    ]
    let payload = JSONValue.object(members.merging(changes) { $1 })
    return #"{"signedPayload":"\#(try (other ?? authority).sign(payload))"}"#
  }

  private struct Answerer: RetentionMessageAnswerer {
    let body: @Sendable (Verified<RealtimeRequest>) async throws -> RealtimeResponse?

    func answer(to request: Verified<RealtimeRequest>) async throws -> RealtimeResponse? {
      try await body(request)
    }
  }
}

extension APIScene {
  /// Sends a body as Apple does, without a token.
  func ask(_ body: String, on mount: String = "/api/v1") async throws -> HTTPResponseMessage {
    try await send(.post, RetentionScene.path, body, on: mount, token: nil)
  }
}
