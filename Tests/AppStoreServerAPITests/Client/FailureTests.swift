import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import Testing

@Suite("Failures of the client") struct FailureTests {
  @Test(
    "A recorded 401 keeps Apple's request identifier and names the causes",
    .enabled(if: Fixtures.areAvailable))
  func recorded401() async throws {
    let text = try Fixtures.text("server-api/unauthenticated-401.txt")
    let scene = try ClientScene([.status(401, text)])
    let failure = try await failure {
      try await scene.client.transactionInfo("1", in: .production)
    }
    #expect(failure.requestID == "PXYVB35MOBBC5TL6UOXY6DGJGY.0.0")
    #expect(failure.status == .unauthorized)
    #expect(failure.retry == .never)
    #expect(Set(failure.likelyCauses) == [.key, .issuerOrBundleID, .appNeverReleased])
    #expect(failure.clockSkew == nil)
    #expect(failure.body == Array(text.utf8))
    #expect(scene.sent == 1)
  }

  @Test("A 401 of the Sandbox doesn't mean that the app was never released")
  func sandbox401() async throws {
    let scene = try ClientScene([.status(401)])
    let failure = try await failure { try await scene.client.transactionInfo("1", in: .sandbox) }
    #expect(Set(failure.likelyCauses) == [.key, .issuerOrBundleID])
    #expect(failure.requestID == nil)
  }

  @Test(
    "A clock skew beyond 60 seconds is told",
    arguments: [
      // The scene's clock says 00:00:00.250.
      ("Sun, 01 Nov 2026 00:00:00 GMT", nil), ("Sat, 31 Oct 2026 23:59:00 GMT", nil),
      ("Sat, 31 Oct 2026 23:58:59 GMT", 61), ("Sun, 01 Nov 2026 00:01:00 GMT", nil),
      ("Sun, 01 Nov 2026 00:01:02 GMT", -62), ("Sun, 01 Nov 2026 01:00:00 GMT", -3600),
      ("yesterday", nil), ("", nil),
    ] as [(String, Int?)])
  func clockSkew(_ date: String, _ skew: Int?) async throws {
    var headers: HTTPHeaders = [:]
    try headers.append(date, for: .date)
    let scene = try ClientScene([.status(401, "", headers)])
    let failure = try await failure { try await scene.client.transactionInfo("1", in: .sandbox) }
    #expect(failure.clockSkew == skew.map { Duration.seconds($0) })
    if let skew { #expect(failure.likelyCauses.contains(.clockSkew(.seconds(skew)))) }
  }

  @Test(
    "A success that does not decode keeps the status and the body, and is not asked again",
    arguments: [
      "", "null", "<html><body>OK</body></html>", "[]", "7", #"{"signedTransactionInfo":7}"#, "{}",
      String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000),
      String(repeating: #"{"a":"#, count: 1000) + "1" + String(repeating: "}", count: 1000),
      #"{"signedTransactionInfo":"#,
    ])
  func undecodable(_ body: String) async throws {
    let scene = try ClientScene([.status(200, body)])
    let failure = try await failure { try await scene.client.transactionInfo("1", in: .sandbox) }
    #expect(failure.status == .ok)
    #expect(failure.body == Array(body.utf8))
    #expect(failure.retry == .never)
    #expect(failure.environment == .sandbox)
    #expect(["notJSON", "malformedAnswer"].contains(failure.reason.name))
    #expect(scene.sent == 1)
  }

  @Test("The recorded malformed history names the member", .enabled(if: Fixtures.areAvailable))
  func malformedHistory() async throws {
    let text = try Fixtures.text("models/transactionHistoryResponseWithMalformedAppAppleId.json")
    let scene = try ClientScene([.status(200, text)])
    let failure = try await failure {
      try await scene.client.transactionHistory(of: "1", in: .sandbox).all()
    }
    guard case .malformedAnswer(let fault) = failure.reason else {
      Issue.record("\(failure)")
      return
    }
    #expect(fault.path == "appAppleId")
    #expect(failure.status == .ok)
    #expect(failure.body == Array(text.utf8))
  }

  @Test("An answer of the limit is read, and of one byte more refused", arguments: [0, 1])
  func bodyLimit(_ excess: Int) async throws {
    let json = #"{"testNotificationToken":"t"}"#
    let body = json + String(repeating: " ", count: 1_048_576 + excess - json.utf8.count)
    let scene = try ClientScene([.status(200, body)])
    if excess == 0 {
      #expect(try await scene.client.requestTestNotification(in: .sandbox).value == "t")
    } else {
      let failure = try await failure {
        try await scene.client.requestTestNotification(in: .sandbox)
      }
      guard case .transport(.responseTooLarge) = failure.reason else {
        Issue.record("\(failure)")
        return
      }
      #expect(failure.retry == .never)
    }
    #expect(scene.sent == 1)
  }

  @Test("At most 64 KiB of a body are kept", arguments: [200, 400])
  func keptBody(_ status: Int) async throws {
    let body = String(repeating: "x", count: 100_000)
    let scene = try ClientScene([.status(status, body)])
    let failure = try await failure { try await scene.client.transactionInfo("1", in: .sandbox) }
    #expect(failure.body.count == 65_536)
  }

  @Test(
    "Every success is a success, whatever its number and body",
    arguments: [200, 201, 202, 204, 299])
  func success(_ status: Int) async throws {
    let scene = try ClientScene([.status(status, "<html>")])
    try await scene.client.finishTransaction("1", in: .sandbox)
    #expect(scene.sent == 1)
  }

  @Test(
    "Recorded errors are read", .enabled(if: Fixtures.areAvailable),
    arguments: [
      ("models/apiException.json", 500, 5_000_000),
      ("models/apiTooManyRequestsException.json", 429, 4_290_000),
      ("models/transactionIdNotFoundError.json", 404, 4_040_010),
      ("models/invalidAppAccountTokenUUIDError.json", 400, 4_000_183),
      ("models/familyTransactionNotSupportedError.json", 400, 4_000_185),
      ("models/transactionIdNotOriginalTransactionId.json", 400, 4_000_187),
      ("server-api/apiUnknownError.json", 400, 9_990_000),
      ("server-api/invalidTransactionIdError.json", 400, 4_000_006),
      ("server-api/appTransactionDoesNotExistError.json", 404, 4_040_019),
    ])
  func recorded(_ path: String, _ status: Int, _ code: Int) async throws {
    let scene = try ClientScene([.status(status, try Fixtures.text(path))]) { $0.attempts = 1 }
    let failure = try await failure { try await scene.client.transactionInfo("1", in: .sandbox) }
    #expect(failure.code?.rawValue == code)
    #expect(failure.status?.code == status)
    #expect(failure.message?.isEmpty == false)
  }

  @Test("What is not configured is an answer, not a failure")
  func optionalAnswers() async throws {
    let message = try ClientScene([.code(4_040_020)])
    #expect(
      try await message.client.defaultMessage(forProduct: "p", locale: "en", in: .sandbox) == nil)
    let url = try ClientScene([.code(4_040_021)])
    #expect(try await url.client.realtimeURL(in: .sandbox) == nil)
    // Without a code the app isn't admitted to the programme, and that is a failure.
    let refused = try ClientScene([.status(404)])
    let failure = try await failure { try await refused.client.realtimeURL(in: .sandbox) }
    #expect(failure.retry == .never)
  }
}
