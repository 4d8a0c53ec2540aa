import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import Testing

/// When the same request is sent again: the App Store Server API rules, section 2.8.
@Suite("Requests that are sent again") struct RepeatTests {
  /// The calls that are not repeated if it is unknown whether Apple acted on them.
  static let once: Set<AppStoreServerEndpoint> = [
    .extendSubscriptionRenewalDate, .requestTestNotification, .initiatePerformanceTest,
  ]

  static let unsure: [ScriptedAnswer] = [
    .fails(.interrupted), .fails(.timedOut), .status(503), .status(500, "<html>Oops</html>"),
    .status(502, "null"), .status(500, "{}"),
  ]

  @Test(
    "After an uncertain end, a call is repeated unless that might act twice",
    arguments: SampleCall.all, unsure.indices)
  func uncertain(_ call: SampleCall, _ index: Int) async throws {
    let expected =
      switch call.endpoint {
      case _ where Self.once.contains(call.endpoint): 1
      // It is read three times, in vain.
      case .sendExternalPurchaseReport: 4
      default: 3
      }
    #expect(try await count(call, Self.unsure[index]) == expected)
  }

  @Test("A request that never left is sent again", arguments: SampleCall.all)
  func notConnected(_ call: SampleCall) async throws {
    #expect(try await count(call, .fails(.notConnected)) == 3)
  }

  @Test(
    "What cannot change is not tried again", arguments: SampleCall.all,
    [HTTPTransportFailure.Reason.untrustedPeer, .invalidRequest, .responseTooLarge])
  func never(_ call: SampleCall, _ reason: HTTPTransportFailure.Reason) async throws {
    #expect(try await count(call, .fails(reason)) == 1)
  }

  @Test("An internal error is retried once, and only by GET", arguments: SampleCall.all)
  func internalError(_ call: SampleCall) async throws {
    #expect(try await count(call, .code(5_000_000)) == (call.method == "GET" ? 2 : 1))
  }

  @Test("An internal error is retried once after other trouble, too")
  func laterInternalError() async throws {
    let call = try SampleCall.of(.transactionInfo)
    let scene = try ClientScene([.status(503), .code(5_000_000), try call.success])
    try await call.run(scene.client, .sandbox)
    #expect(scene.sent == 3)
  }

  @Test("The same request is repeated, body and all", arguments: SampleCall.all)
  func same(_ call: SampleCall) async throws {
    let scene = try ClientScene([.fails(.notConnected), try call.success])
    try await call.run(scene.client, call.named)
    #expect(Set(scene.requests.map(\.url)).count == 1)
    #expect(Set(scene.requests.map(\.body)).count == 1)
    #expect(Set(scene.requests.map(\.method)).count == 1)
    #expect(scene.sent == 2)
  }

  @Test("Of an error that the transport doesn't explain, a repeatable call is repeated")
  func otherError() async throws {
    struct Unexplained: Error {}
    let call = try SampleCall.of(.finishTransaction)
    let scene = try ClientScene(
      ScriptedTransport { _, number in
        if number == 1 { throw Unexplained() }
        return try call.success.get()
      })
    try await call.run(scene.client, .sandbox)
    #expect(scene.sent == 2)
    let extend = try SampleCall.of(.extendSubscriptionRenewalDate)
    let other = try ClientScene(ScriptedTransport { _, _ in throw Unexplained() })
    _ = try await failure { try await extend.run(other.client, .sandbox) }
    #expect(other.sent == 1)
  }

  // MARK: The second answer

  static let arrivals: [(AppStoreServerEndpoint, Int)] = [
    (.uploadImage, 4_090_000), (.uploadMessage, 4_090_001), (.deleteImage, 4_040_014),
    (.deleteMessage, 4_040_015),
  ]

  @Test("A conflict of the second request means that the first arrived", arguments: arrivals)
  func arrival(_ endpoint: AppStoreServerEndpoint, _ code: Int) async throws {
    let call = try SampleCall.of(endpoint)
    for first in Self.unsure {
      let scene = try ClientScene([first, .code(code)])
      try await call.run(scene.client, .sandbox)
      #expect(scene.sent == 2)
    }
    // But not of the first request, nor of a second one if the first never left.
    for answers: [ScriptedAnswer] in [[.code(code)], [.fails(.notConnected), .code(code)]] {
      let scene = try ClientScene(answers)
      let failure = try await failure { try await call.run(scene.client, .sandbox) }
      #expect(failure.code?.rawValue == code)
      #expect(failure.retry == .never)
    }
  }

  static let advancedCommerce = SampleCall.advancedCommerce

  @Test(
    "A repeated reference of Advanced Commerce means that the first arrived",
    arguments: advancedCommerce)
  func repeatedReference(_ call: SampleCall) async throws {
    for first in Self.unsure {
      let scene = try ClientScene([first, .code(4_000_097)])
      let failure = try await failure { try await call.run(scene.client, .sandbox) }
      #expect(failure.hasArrived)
      #expect(failure.code == .repeatedRequestReferenceID)
      #expect(failure.retry == .never)
      #expect(scene.sent == 2)
    }
    for answers: [ScriptedAnswer] in [
      [.code(4_000_097)], [.fails(.notConnected), .code(4_000_097)],
    ] {
      let scene = try ClientScene(answers)
      let failure = try await failure { try await call.run(scene.client, .sandbox) }
      #expect(!failure.hasArrived)
    }
  }

  // MARK: External purchase reports

  @Test("A report whose answer was lost is read, and that is enough if Apple has it")
  func reportArrived() async throws {
    let call = try SampleCall.of(.sendExternalPurchaseReport)
    for first in Self.unsure {
      let scene = try ClientScene([first, .status(200, SampleCall.reportBody)])
      try await call.run(scene.client, nil)
      #expect(scene.requests.map(\.method.name) == ["PUT", "GET"])
      #expect(
        scene.requests.last?.url == "https://api.storekit-sandbox.apple.com"
          + "/externalPurchase/v1/reports/\(SampleCall.uuidText)")
    }
  }

  @Test("A report that Apple doesn't have is sent again, with the same identifier")
  func reportNotArrived() async throws {
    let call = try SampleCall.of(.sendExternalPurchaseReport)
    let scene = try ClientScene([.fails(.timedOut), .status(400), try call.success])
    try await call.run(scene.client, nil)
    #expect(scene.requests.map(\.method.name) == ["PUT", "GET", "PUT"])
    #expect(scene.requests.first?.body == scene.requests.last?.body)
  }

  @Test("A duplicate of a report that was sent again has arrived")
  func reportDuplicate() async throws {
    let call = try SampleCall.of(.sendExternalPurchaseReport)
    let scene = try ClientScene([
      .fails(.timedOut), .status(400), .status(400), .status(200, SampleCall.reportBody),
    ])
    try await call.run(scene.client, nil)
    #expect(scene.requests.map(\.method.name) == ["PUT", "GET", "PUT", "GET"])
  }

  @Test("A refused report tells its errors, and is not sent again")
  func reportErrors() async throws {
    let call = try SampleCall.of(.sendExternalPurchaseReport)
    let scene = try ClientScene([
      .status(
        400,
        #"{"errors":[{"errorCode":31,"errorMessage":"newer","fieldName":"restatement","#
          + #""lineItemId":"l"}]}"#)
    ])
    let failure = try await failure { try await call.run(scene.client, nil) }
    #expect(failure.reportErrors.map(\.errorCode) == [31])
    #expect(failure.reportErrors.map(\.fieldName) == ["restatement"])
    #expect(failure.code == nil)
    #expect(failure.retry == .never)
    #expect(scene.sent == 1)
  }

  /// Sends a call with three attempts to a server that always gives the same answer.
  private func count(_ call: SampleCall, _ answer: ScriptedAnswer) async throws -> Int {
    let scene = try ClientScene([answer]) { configuration in
      configuration.attempts = 3
      configuration.patience = .seconds(3600)
    }
    _ = try await failure { try await call.run(scene.client, call.named) }
    return scene.sent
  }
}
