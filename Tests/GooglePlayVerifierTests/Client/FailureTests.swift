import Foundation
import GooglePlayVerifier
import HTTPMessages
import JSONValues
import StorekeeperFixtures
import Testing

/// The table of the Google Play rules, section 8.
@Suite("Failures of the Play store")
struct FailureTests {
  /// The failure of an answer without regard to its details.
  enum Case: String {
    case invalidValue, packageNameMismatch, notFound, noLongerAvailable, unauthorized,
      permissionDenied, projectNotLinked, accessNotConfigured, forbidden, quotaExceeded,
      backendError, unexpectedStatus, other

    init(_ failure: GooglePlayFailure) {
      self =
        switch failure {
        case .invalidValue: .invalidValue
        case .packageNameMismatch: .packageNameMismatch
        case .notFound: .notFound
        case .noLongerAvailable: .noLongerAvailable
        case .unauthorized: .unauthorized
        case .permissionDenied: .permissionDenied
        case .projectNotLinked: .projectNotLinked
        case .accessNotConfigured: .accessNotConfigured
        case .forbidden: .forbidden
        case .quotaExceeded: .quotaExceeded
        case .backendError: .backendError
        case .unexpectedStatus: .unexpectedStatus
        default: .other
        }
    }
  }

  @Test(
    "each answer has its case and its kind",
    arguments: [
      (.error(400, "invalid"), .invalidValue, .invalid),
      (.status(400, "<html>"), .invalidValue, .invalid),
      (.error(400, "purchaseTokenDoesNotMatchPackageName"), .packageNameMismatch, .invalid),
      (.error(401, "authError", "UNAUTHENTICATED"), .unauthorized, .credentials),
      (.status(401), .unauthorized, .credentials),
      (.error(401, "permissionDenied"), .permissionDenied, .credentials),
      (.error(403, "permissionDenied", "PERMISSION_DENIED"), .permissionDenied, .credentials),
      (.error(403, "projectNotLinked", "PERMISSION_DENIED"), .projectNotLinked, .credentials),
      (
        .error(403, "accessNotConfigured", "PERMISSION_DENIED"), .accessNotConfigured, .credentials
      ),
      (.error(403, "rateLimitExceeded"), .quotaExceeded, .limited),
      (.error(403, "userRateLimitExceeded"), .quotaExceeded, .limited),
      (.error(403, "quotaExceeded", "PERMISSION_DENIED"), .quotaExceeded, .limited),
      (.error(403, "other", "RESOURCE_EXHAUSTED"), .quotaExceeded, .limited),
      (.error(403, "other"), .forbidden, .credentials),
      (.status(403), .forbidden, .credentials),
      (.error(404, "notFound"), .notFound, .invalid),
      (.error(404, "applicationNotFound"), .notFound, .invalid),
      (.error(410, "purchaseTokenNoLongerValid"), .noLongerAvailable, .gone),
      (.error(410, "subscriptionPurchaseNoLongerAvailable"), .noLongerAvailable, .gone),
      (.error(429, "rateLimitExceeded"), .quotaExceeded, .limited),
      (.status(429), .quotaExceeded, .limited),
      (.error(500, "backendError"), .backendError, .backend),
      (.status(503, "<html>"), .backendError, .backend),
      (
        .status(302, "", headers: [.location: "https://example.com"]), .unexpectedStatus,
        .unreadable
      ),
      (.status(418), .unexpectedStatus, .unreadable),
    ] as [(ScriptedAnswer, Case, GooglePlayFailure.Kind)])
  func answers(
    answer: ScriptedAnswer, expected: Case, kind: GooglePlayFailure.Kind
  ) async throws {
    let scene = try await PlayScene([answer]) { $0.attempts = 1 }
    let failure = try await failure { try await scene.client.subscription(token: "t") }
    #expect(Case(failure) == expected)
    #expect(failure.kind == kind)
    #expect(failure.isIncidental == ![.invalid, .gone].contains(kind))
    #expect(failure.error?.status == (try answer.get().status))
  }

  @Test("Google's code, reasons and message are kept")
  func details() async throws {
    let body =
      #"{"error":{"code":403,"message":"The text.","status":"PERMISSION_DENIED","#
      + #""errors":[{"reason":"accessNotConfigured"}],"#
      + #""details":[{"reason":"SERVICE_DISABLED"},{"reason":"a b"},{}]}}"#
    let scene = try await PlayScene([.status(403, body)])
    let failure = try await failure { try await scene.client.subscription(token: "t") }
    let error = try #require(failure.error)
    #expect(error.code == "PERMISSION_DENIED")
    #expect(error.reasons == ["accessNotConfigured", "SERVICE_DISABLED"])
    #expect(error.message == "The text.")
    #expect(
      String(describing: error)
        == "status 403, PERMISSION_DENIED, accessNotConfigured, SERVICE_DISABLED")
  }

  @Test(
    "each failure of the transport is told",
    arguments: [
      (.notConnected, .transport), (.interrupted, .transport), (.timedOut, .transport),
      (.untrustedPeer, .transport), (.invalidRequest, .transport),
      (.responseTooLarge, .unreadable),
    ] as [(HTTPTransportFailure.Reason, GooglePlayFailure.Kind)])
  func transport(reason: HTTPTransportFailure.Reason, kind: GooglePlayFailure.Kind) async throws {
    let scene = try await PlayScene([.fails(reason)]) { $0.attempts = 1 }
    let failure = try await failure { try await scene.client.subscription(token: "t") }
    #expect(failure == .transport(reason))
    #expect(failure.kind == kind)
    #expect(failure.isIncidental)
  }

  @Test("an unknown error of a transport counts as a broken connection")
  func unknownError() async throws {
    struct Odd: Error {}
    let scene = try await PlayScene(ScriptedTransport { _, _ in throw Odd() }) { $0.attempts = 1 }
    let failure = try await failure { try await scene.client.subscription(token: "t") }
    #expect(failure == .transport(.interrupted))
  }

  @Test(
    "an answer that cannot be read says what is wrong, and is incidental",
    arguments: [
      ("", GooglePlayFailure.notJSON), ("<html>", .notJSON), ("{}]", .notJSON),
      (
        String(repeating: "[", count: 65) + String(repeating: "]", count: 65), .notJSON
      ),
      ("[]", .malformedAnswer(FieldTypeFailure(expected: .object, found: .array))),
      (
        #"{"lineItems":[{"productId":"a"},{"productId":7}]}"#,
        .malformedAnswer(
          FieldTypeFailure(path: "lineItems[1].productId", expected: .string, found: .integer))
      ),
    ])
  func unreadable(body: String, expected: GooglePlayFailure) async throws {
    let scene = try await PlayScene([.status(200, body)])
    let failure = try await failure { try await scene.client.subscription(token: "t") }
    #expect(failure == expected)
    #expect(failure.kind == .unreadable)
    #expect(failure.isIncidental)
    #expect(scene.play.requests.count == 1)
  }

  @Test("an answer above the limit is refused, also by a transport that does not keep it")
  func tooLarge() async throws {
    let scene = try await PlayScene([.status(200, #"{"a":"aaaaaaaaaaaaaa"}"#)]) {
      $0.responseLimit = 10
    }
    let failure = try await failure { try await scene.client.subscription(token: "t") }
    #expect(failure == .transport(.responseTooLarge))
  }

  @Test(
    "a failure to get a token has the kind of its cause",
    arguments: [
      (.status(400, #"{"error":"invalid_grant"}"#), .credentials),
      (.status(400, #"{"error":"invalid_scope"}"#), .credentials),
      (.status(401, #"{"error":"invalid_client"}"#), .credentials), (.status(429), .limited),
      (.status(500), .backend), (.fails(.notConnected), .transport), (.status(200), .unreadable),
    ] as [(ScriptedAnswer, GooglePlayFailure.Kind)])
  func tokens(answer: ScriptedAnswer, kind: GooglePlayFailure.Kind) async throws {
    let scene = try await PlayScene([], tokenAnswers: [answer], hasToken: false) {
      $0.attempts = 1
    }
    let failure = try await failure { try await scene.client.subscription(token: "t") }
    guard case .accessToken = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(failure.kind == kind)
    #expect(failure.isIncidental)
    #expect(failure.error == nil)
    #expect(scene.play.requests.isEmpty)
  }

  @Test("no failure prints a token, or a text of Google's")
  func secrets() async throws {
    let secret = "SECRET-7F3A"
    let answers: [ScriptedAnswer] = [
      .status(400, #"{"error":{"message":"\#(secret)","errors":[{"reason":"\#(secret) "}]}}"#),
      .status(200, secret), .status(200, #"{"lineItems":"\#(secret)"}"#),
      .status(410, secret), .status(500, secret), .fails(.timedOut),
    ]
    var shown = ""
    for answer in answers {
      let scene = try await PlayScene([answer]) { $0.attempts = 1 }
      let failure = try await failure { try await scene.client.subscription(token: secret) }
      shown += printed(failure) + printed(failure as any Error) + printed(scene.client)
      shown += printed(failure.error as Any)
    }
    #expect(!shown.contains(secret))
    #expect(!shown.contains("token-1"))
  }
}
