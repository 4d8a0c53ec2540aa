import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import Testing

@Suite("Environments of the client") struct EnvironmentTests {
  /// The calls that read by the identifier of a purchase.
  static let reading: Set<AppStoreServerEndpoint> = [
    .transactionHistory, .transactionInfo, .appTransactionInfo, .allSubscriptionStatuses,
    .refundHistory, .currentGroups,
  ]
  static let readers = SampleCall.all.filter { reading.contains($0.endpoint) }
  static let others = SampleCall.all.filter { !reading.contains($0.endpoint) && $0.only == nil }

  private static let production = "https://api.storekit.apple.com/"
  private static let sandbox = "https://api.storekit-sandbox.apple.com/"

  @Test("An identifier that Production doesn't know is asked of the Sandbox", arguments: readers)
  func fallsBack(_ call: SampleCall) async throws {
    let scene = try ClientScene([.code(4_040_010), try call.success])
    try await call.run(scene.client, nil)
    #expect(
      scene.requests.map(\.url)
        == [Self.production, Self.sandbox].map { $0 + call.path.dropFirst() })
  }

  @Test("An identifier that Production knows is asked there only", arguments: readers)
  func production(_ call: SampleCall) async throws {
    let scene = try ClientScene([.status(200, try call.answer(.production))])
    try await call.run(scene.client, nil)
    #expect(scene.requests.map(\.url) == [Self.production + call.path.dropFirst()])
  }

  @Test("An identifier that neither knows is not asked again", arguments: readers)
  func unknown(_ call: SampleCall) async throws {
    let scene = try ClientScene([.code(4_040_010)])
    let failure = try await failure { try await call.run(scene.client, nil) }
    #expect(scene.sent == 2)
    #expect(failure.code == .transactionIDNotFound)
    #expect(failure.retry == .never)
    #expect(failure.environment == .sandbox)
  }

  @Test(
    "Other refusals of Production are not asked of the Sandbox",
    arguments: [4_040_001, 4_040_005, 4_040_019, 4_000_006])
  func otherRefusals(_ code: Int) async throws {
    let scene = try ClientScene([.code(code)])
    let failure = try await failure { try await scene.client.transactionInfo("1") }
    #expect(scene.sent == 1)
    #expect(failure.environment == .production)
  }

  @Test("The result names the server that answered")
  func hosts() async throws {
    let statuses = try SampleCall.of(.allSubscriptionStatuses)
    let first = try ClientScene([.code(4_040_010), try statuses.success])
    #expect(try await first.client.allSubscriptionStatuses(of: "1").environment == .sandbox)
    let second = try ClientScene([.status(200, try statuses.answer(.production))])
    #expect(try await second.client.allSubscriptionStatuses(of: "1").environment == .production)
  }

  @Test("The pages after a fallback are asked of the server that answered")
  func pages() async throws {
    let token = try SignedTokens.transaction()
    let page = #"{"revision":"r1","hasMore":true,"signedTransactions":["\#(token)"]}"#
    let last = #"{"revision":"r2","hasMore":false,"signedTransactions":[]}"#
    let scene = try ClientScene([.code(4_040_010), .status(200, page), .status(200, last)])
    let all = try await scene.client.transactionHistory(of: "1").all()
    #expect(all.environment == .sandbox)
    #expect(
      scene.requests.map(\.url) == [
        Self.production + "inApps/v2/history/1", Self.sandbox + "inApps/v2/history/1",
        Self.sandbox + "inApps/v2/history/1?revision=r1",
      ])
  }

  @Test(
    "Writes, and calls without the identifier of a purchase, need an environment", arguments: others
  )
  func required(_ call: SampleCall) async throws {
    let scene = try ClientScene([try call.success])
    let failure = try await failure { try await call.run(scene.client, nil) }
    guard case .environmentRequired = failure.reason else {
      Issue.record("\(failure)")
      return
    }
    #expect(scene.sent == 0)
    #expect(failure.environment == nil)
  }

  @Test("A write is never repeated at the other server", arguments: others)
  func writes(_ call: SampleCall) async throws {
    let scene = try ClientScene([.code(4_040_010)])
    _ = try await failure { try await call.run(scene.client, .production) }
    #expect(scene.sent == 1)
  }

  @Test("A configured server is asked if the call names none", arguments: others + readers)
  func configured(_ call: SampleCall) async throws {
    let scene = try ClientScene([try call.success]) { $0.server = .sandbox }
    try await call.run(scene.client, nil)
    #expect(scene.requests.map(\.url) == [Self.sandbox + call.path.dropFirst()])
    // And it alone, although the other one might know the identifier.
    let refused = try ClientScene([.code(4_040_010)]) { $0.server = .production }
    let failure = try await failure { try await call.run(refused.client, nil) }
    #expect(refused.sent == 1)
    #expect(failure.retry == .otherEnvironment)
  }

  @Test("An environment that the verifier doesn't accept is refused", arguments: SampleCall.all)
  func notAccepted(_ call: SampleCall) async throws {
    let other: AppStoreEnvironment = call.environment == .sandbox ? .production : .sandbox
    let scene = try ClientScene([try call.success], environments: [other])
    let failure = try await failure { try await call.run(scene.client, call.named) }
    guard case .environmentNotServed(call.environment) = failure.reason else {
      Issue.record("\(failure)")
      return
    }
    #expect(scene.sent == 0)
  }

  @Test("Apple has no server for other environments")
  func xcode() async throws {
    let scene = try ClientScene([.status(200)])
    let failure = try await failure { try await scene.client.finishTransaction("1", in: .xcode) }
    guard case .environmentNotServed(.xcode) = failure.reason else {
      Issue.record("\(failure)")
      return
    }
    #expect(scene.sent == 0)
  }

  @Test("With one accepted environment only that is asked")
  func oneAccepted() async throws {
    let scene = try ClientScene([.code(4_040_010)], environments: [.production])
    let failure = try await failure { try await scene.client.transactionInfo("1") }
    #expect(scene.sent == 1)
    #expect(failure.retry == .otherEnvironment)
  }

  @Test("Order numbers are never looked up in the Sandbox")
  func order() async throws {
    let sandbox = try ClientScene([.status(200, "{}")]) { $0.server = .sandbox }
    _ = try await failure { try await sandbox.client.lookUpOrderID("M") }
    #expect(sandbox.sent == 0)
    let unknown = try ClientScene([.code(4_040_010)])
    _ = try await failure { try await unknown.client.lookUpOrderID("M") }
    #expect(unknown.requests.map(\.url) == [Self.production + "inApps/v1/lookup/M"])
  }

  @Test("Reports go to the server of their token")
  func reports() async throws {
    let answer = try SampleCall.of(.sendExternalPurchaseReport).success
    for (token, host) in [
      ("SANDBOX_1", Self.sandbox), ("0a-1", Self.production), ("sandbox_1", Self.production),
      ("1SANDBOX", Self.production),
    ] {
      let scene = try ClientScene([answer])
      _ = try await scene.client.sendExternalPurchaseReport(
        ExternalPurchaseReport(
          requestIdentifier: SampleCall.uuid, externalPurchaseID: token, status: .noLineItem))
      #expect(scene.requests.map(\.url) == [host + "externalPurchase/v1/reports"])
    }
  }

  // MARK: Apps that were never released

  @Test("A 401 of Production is final unless the fallback is on")
  func off() async throws {
    let scene = try ClientScene([.status(401), try SampleCall.of(.transactionInfo).success])
    let failure = try await failure { try await scene.client.transactionInfo(SampleCall.id) }
    #expect(scene.sent == 1)
    #expect(failure.status == .unauthorized)
  }

  @Test("With the fallback on, the Sandbox is asked once", arguments: readers)
  func on(_ call: SampleCall) async throws {
    let scene = try ClientScene([.status(401), try call.success]) {
      $0.fallsBackForUnreleasedApp = true
    }
    try await call.run(scene.client, nil)
    #expect(
      scene.requests.map(\.url)
        == [Self.production, Self.sandbox].map { $0 + call.path.dropFirst() })
  }

  @Test("Two refusals of the token mean trouble with the key, not an unreleased app")
  func both() async throws {
    let scene = try ClientScene([.status(401)]) { $0.fallsBackForUnreleasedApp = true }
    let failure = try await failure { try await scene.client.transactionInfo("1") }
    #expect(scene.sent == 2)
    #expect(failure.status == .unauthorized)
    #expect(failure.likelyCauses.contains(.key))
    #expect(!failure.likelyCauses.contains(.appNeverReleased))
    #expect(failure.retry == .never)
  }

  @Test("A write is not sent to the Sandbox after a 401")
  func unauthorizedWrite() async throws {
    let scene = try ClientScene([.status(401)]) { $0.fallsBackForUnreleasedApp = true }
    _ = try await failure { try await scene.client.finishTransaction("1", in: .production) }
    #expect(scene.sent == 1)
  }
}
