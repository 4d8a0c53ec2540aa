import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import StorekeeperTesting
import Testing

@Suite("Verified answers") struct VerifiedAnswerTests {
  private static let otherApp: SignedTokens.Changes = ["bundleId": .string("com.example.other")]

  /// Answers of one transaction by a token.
  private static func answers(
    _ token: String
  ) throws -> [(endpoint: AppStoreServerEndpoint, body: String)] {
    let renewal = try SignedTokens.renewalInfo()
    return [
      (.transactionInfo, #"{"signedTransactionInfo":"\#(token)"}"#),
      (.transactionHistory, #"{"hasMore":false,"signedTransactions":["\#(token)"]}"#),
      (.refundHistory, #"{"hasMore":false,"signedTransactions":["\#(token)"]}"#),
      (
        .allSubscriptionStatuses,
        #"{"data":[{"lastTransactions":[{"status":1,"signedTransactionInfo":"\#(token)","#
          + #""signedRenewalInfo":"\#(renewal)"}]}]}"#
      ),
      (
        .cancelSubscription,
        #"{"signedTransactionInfo":"\#(token)","signedRenewalInfo":"\#(renewal)"}"#
      ),
    ]
  }

  private func reasons(_ token: String) async throws -> [AppStoreServerFailure.Reason] {
    var reasons: [AppStoreServerFailure.Reason] = []
    for (endpoint, body) in try Self.answers(token) {
      let call = try SampleCall.of(endpoint)
      let scene = try ClientScene([.status(200, body)])
      let failure = try await failure { try await call.run(scene.client, .sandbox) }
      #expect(failure.status == .ok)
      #expect(failure.retry == .never)
      #expect(scene.sent == 1)
      reasons.append(failure.reason)
    }
    return reasons
  }

  @Test("A transaction of another app is a failure everywhere")
  func otherApp() async throws {
    let token = try SignedTokens.transaction(Self.otherApp)
    for reason in try await reasons(token) { #expect(reason.name == "otherApp") }
  }

  @Test("A transaction of another environment is a failure everywhere")
  func otherEnvironment() async throws {
    let token = try SignedTokens.transaction(in: .production)
    for reason in try await reasons(token) {
      guard case .otherEnvironment(.production) = reason else {
        Issue.record("\(reason)")
        continue
      }
    }
    for reason in try await reasons(SignedTokens.transaction(in: .xcode)) {
      #expect(reason.name == "otherEnvironment")
    }
  }

  @Test("Unsigned members beside the signed ones have to agree")
  func unsigned() async throws {
    let token = try SignedTokens.transaction(in: .production)
    func reason(
      _ members: String, _ environment: AppStoreEnvironment = .production
    ) async throws -> String {
      let scene = try ClientScene([
        .status(200, #"{\#(members),"hasMore":false,"signedTransactions":["\#(token)"]}"#)
      ])
      return try await failure {
        try await scene.client.transactionHistory(of: "1", in: environment).all()
      }.reason.name
    }
    #expect(try await reason(#""environment":"Sandbox""#) == "otherEnvironment")
    #expect(try await reason(#""environment":"LocalTesting""#) == "otherEnvironment")
    #expect(try await reason(#""bundleId":"com.example.other""#) == "otherApp")
    #expect(try await reason(#""appAppleId":1"#) == "otherApp")
    // The same for the statuses.
    for (members, name) in [
      (#""environment":"Sandbox""#, "otherEnvironment"),
      (#""bundleId":"com.example.other""#, "otherApp"), (#""appAppleId":1"#, "otherApp"),
    ] {
      let scene = try ClientScene([.status(200, #"{\#(members),"data":[]}"#)])
      let failure = try await failure {
        try await scene.client.allSubscriptionStatuses(of: "1", in: .production)
      }
      #expect(failure.reason.name == name)
    }
  }

  @Test(
    "The recorded answer of an unknown environment is refused",
    .enabled(if: Fixtures.areAvailable))
  func unknownEnvironment() async throws {
    let text = try Fixtures.text(
      "server-api/transactionHistoryResponseWithMalformedEnvironment.json")
    let scene = try ClientScene([.status(200, text)])
    let failure = try await failure {
      try await scene.client.transactionHistory(of: "1", in: .production).all()
    }
    #expect(["otherEnvironment", "otherApp"].contains(failure.reason.name))
    #expect(failure.body == Array(text.utf8))
  }

  @Test(
    "A bad element of a page is told with its index, and the others are kept",
    arguments: [false, true])
  func badElement(_ parallel: Bool) async throws {
    let stranger = try TestAuthority().sign(.object(["transactionId": .string("9")]))
    let tokens = [
      try SignedTokens.transaction("1"), "signed_transaction_value", stranger,
      try SignedTokens.transaction("4"),
    ]
    let list = tokens.map { #""\#($0)""# }.joined(separator: ",")
    let scene = try ClientScene([
      .status(200, #"{"revision":"r","hasMore":false,"signedTransactions":[\#(list)]}"#)
    ]) { $0.verifiesInParallel = parallel }
    let all = try await scene.client.transactionHistory(of: "1", in: .sandbox).all()
    #expect(all.transactions.map(\.payload.transactionID) == ["1", "4"])
    #expect(all.refused.map(\.element.index) == [1, 2])
    #expect(all.refused.map(\.page) == [0, 0])
    #expect(all.refused.first?.element.failure == .malformedToken)
  }

  @Test("A transaction that was not asked for is refused")
  func otherTransaction() async throws {
    for (asked, isGood) in [
      (SampleCall.id, true), (SampleCall.original, true), ("2000000000000003", false), ("2", false),
    ] {
      let scene = try ClientScene([try SampleCall.of(.transactionInfo).success])
      if isGood {
        _ = try await scene.client.transactionInfo(asked, in: .sandbox)
      } else {
        let failure = try await failure {
          try await scene.client.transactionInfo(asked, in: .sandbox)
        }
        #expect(failure.reason.name == "otherTransaction")
      }
    }
  }

  @Test("A member signed by a stranger, or of another kind, is refused by name")
  func notVerified() async throws {
    let stranger = try TestAuthority().sign(.object(["transactionId": .string("1")]))
    let scene = try ClientScene([.status(200, #"{"signedTransactionInfo":"\#(stranger)"}"#)])
    let failure = try await failure { try await scene.client.transactionInfo("1", in: .sandbox) }
    guard case .notVerified(let member, _) = failure.reason else {
      Issue.record("\(failure)")
      return
    }
    #expect(member == "signedTransactionInfo")
    let status = try ClientScene([.status(200, #"{"signedPayload":"\#(stranger)"}"#)])
    let other = try await AppStoreServerAPITests.failure {
      try await status.client.testNotificationStatus("t", in: .sandbox)
    }
    #expect(other.reason.name == "notVerified")
  }

  @Test("An app transaction of another app is refused; its app number counts in Production only")
  func appTransaction() async throws {
    func scene(_ environment: AppStoreEnvironment, _ changes: SignedTokens.Changes) throws
      -> ClientScene
    {
      let token = try SignedTokens.appTransaction(in: environment, changes)
      return try ClientScene([.status(200, #"{"signedAppTransactionInfo":"\#(token)"}"#)])
    }
    for changes: SignedTokens.Changes in [Self.otherApp, ["appAppleId": .integer(1)]] {
      let production = try scene(.production, changes)
      let failure = try await failure {
        try await production.client.appTransactionInfo(of: "1", in: .production)
      }
      #expect(failure.reason.name == "otherApp")
    }
    let sandbox = try scene(.sandbox, ["appAppleId": nil])
    _ = try await sandbox.client.appTransactionInfo(of: "1", in: .sandbox)
  }

  // MARK: Orders

  @Test("An invalid order number has no transactions", .enabled(if: Fixtures.areAvailable))
  func recordedOrder() async throws {
    let scene = try ClientScene([
      .status(200, try Fixtures.text("server-api/lookupOrderIdResponse.json"))
    ])
    let order = try await scene.client.lookUpOrderID("M")
    #expect(order.status.value == .invalid)
    #expect(order.transactions.isEmpty)
    #expect(order.refused.isEmpty)
  }

  @Test("Even good transactions of an invalid or unknown order are dropped", arguments: [1, 2, -1])
  func invalidOrder(_ status: Int) async throws {
    let token = try SignedTokens.transaction(in: .production)
    let scene = try ClientScene([
      .status(200, #"{"status":\#(status),"signedTransactions":["\#(token)"]}"#)
    ])
    let order = try await scene.client.lookUpOrderID("M")
    #expect(order.transactions.isEmpty)
    #expect(order.status.value.rawValue == status)
  }

  @Test("An order without a status is malformed")
  func orderWithoutStatus() async throws {
    let scene = try ClientScene([.status(200, #"{"signedTransactions":[]}"#)])
    let failure = try await failure { try await scene.client.lookUpOrderID("M") }
    #expect(failure.reason.name == "malformedAnswer")
  }
}
