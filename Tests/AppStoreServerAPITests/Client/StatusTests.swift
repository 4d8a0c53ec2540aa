import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import Testing

@Suite("Subscription statuses") struct StatusTests {
  private func item(
    status: Int = 1, transaction: String?, renewal: String?
  ) async throws -> SubscriptionStatuses.Item {
    var members = [#""status":\#(status)"#, #""originalTransactionId":"2000000000000001""#]
    if let transaction { members.append(#""signedTransactionInfo":"\#(transaction)""#) }
    if let renewal { members.append(#""signedRenewalInfo":"\#(renewal)""#) }
    let scene = try ClientScene([
      .status(200, #"{"data":[{"lastTransactions":[{\#(members.joined(separator: ","))}]}]}"#)
    ])
    let statuses = try await scene.client.allSubscriptionStatuses(of: "1", in: .sandbox)
    return try #require(statuses.items.first)
  }

  @Test("The recorded items without signed data grant nothing", .enabled(if: Fixtures.areAvailable))
  func recorded() async throws {
    let text = try Fixtures.text("server-api/aporat-subscriptionStatusResponse.json")
      .replacingOccurrences(of: "com.example.app", with: ClientScene.bundleID)
    let scene = try ClientScene([.status(200, text)])
    let statuses = try await scene.client.allSubscriptionStatuses(of: "1", in: .sandbox)
    #expect(statuses.groups.count == 2)
    #expect(statuses.items.map(\.status?.value.rawValue) == [1, 2, 4])
    for item in statuses.items {
      #expect(item.transaction == nil)
      #expect(item.renewalInfo == nil)
      #expect(item.refusal == .notSigned)
      #expect(item.derivedStatus(at: ClientScene.begin) == nil)
    }
  }

  @Test("The recorded answer as it is belongs to another app", .enabled(if: Fixtures.areAvailable))
  func otherApp() async throws {
    let text = try Fixtures.text("server-api/aporat-subscriptionStatusResponse.json")
    let scene = try ClientScene([.status(200, text)])
    let failure = try await failure {
      try await scene.client.allSubscriptionStatuses(of: "1", in: .sandbox)
    }
    #expect(failure.reason.name == "otherApp")
  }

  @Test("A transaction without renewal info is kept")
  func noRenewalInfo() async throws {
    let item = try await item(transaction: SignedTokens.transaction(), renewal: nil)
    #expect(item.transaction != nil)
    #expect(item.renewalInfo == nil)
    #expect(item.refusal == nil)
  }

  @Test("A renewal info that is refused leaves the transaction")
  func badRenewalInfo() async throws {
    let item = try await item(transaction: SignedTokens.transaction(), renewal: "no.token")
    #expect(item.transaction != nil)
    #expect(item.renewalInfo == nil)
    #expect(item.refusal == .renewalInfo(.malformedToken))
  }

  @Test("A renewal info of another subscription, or of none, is not used")
  func otherSubscription() async throws {
    let other = try await item(
      transaction: SignedTokens.transaction(),
      renewal: SignedTokens.renewalInfo(original: "2000000000000009"))
    #expect(other.transaction != nil)
    #expect(other.renewalInfo == nil)
    #expect(other.refusal == .otherSubscription)
    let none: SignedTokens.Changes = ["originalTransactionId": nil]
    let nameless = try await item(
      transaction: SignedTokens.transaction(none), renewal: SignedTokens.renewalInfo(none))
    #expect(nameless.renewalInfo == nil)
    #expect(nameless.refusal == .otherSubscription)
  }

  @Test("A renewal info of the other environment is a failure")
  func otherEnvironment() async throws {
    let failure = try await failure {
      try await item(
        transaction: SignedTokens.transaction(),
        renewal: SignedTokens.renewalInfo(in: .production))
    }
    #expect(failure.reason.name == "otherEnvironment")
  }

  @Test("A bad transaction leaves the other items")
  func badTransaction() async throws {
    let good = try SignedTokens.transaction()
    let scene = try ClientScene([
      .status(
        200,
        #"{"data":[{"lastTransactions":[{"status":1,"signedTransactionInfo":"a.b.c"},"#
          + #"{"status":1,"signedTransactionInfo":"\#(good)"}]}]}"#)
    ])
    let statuses = try await scene.client.allSubscriptionStatuses(of: "1", in: .sandbox)
    #expect(statuses.items.map { $0.transaction != nil } == [false, true])
    guard case .transaction = statuses.items.first?.refusal else {
      Issue.record("The first item was not refused.")
      return
    }
  }

  @Test("Apple's unsigned status is compared with what is signed")
  func disagrees() async throws {
    let date = ClientScene.begin
    let active = try await item(
      status: 1, transaction: SignedTokens.transaction(), renewal: SignedTokens.renewalInfo())
    #expect(active.derivedStatus(at: date) == .active)
    #expect(!active.disagrees(at: date))
    #expect(active.derivedStatus(at: date.addingTimeInterval(2 * 86_400)) == .expired)
    let lie = try await item(
      status: 1,
      transaction: SignedTokens.transaction(["expiresDate": SignedTokens.date(-3_600_000)]),
      renewal: SignedTokens.renewalInfo(["autoRenewStatus": .integer(0)]))
    #expect(lie.derivedStatus(at: date) == .expired)
    #expect(lie.disagrees(at: date))
    let revoked = try await item(
      status: 5,
      transaction: SignedTokens.transaction([
        "revocationDate": SignedTokens.date(-120_000), "revocationReason": .integer(0),
      ]), renewal: SignedTokens.renewalInfo())
    #expect(revoked.derivedStatus(at: date) == .revoked)
    #expect(!revoked.disagrees(at: date))
    let retry = try await item(
      status: 3,
      transaction: SignedTokens.transaction(["expiresDate": SignedTokens.date(-3_600_000)]),
      renewal: SignedTokens.renewalInfo([
        "isInBillingRetryPeriod": .boolean(true), "expirationIntent": .integer(2),
      ]))
    #expect(retry.derivedStatus(at: date) == .billingRetry)
    #expect(!retry.disagrees(at: date))
  }

  @Test("The renewal info of Advanced Commerce has to be of the same subscription")
  func advancedCommerce() async throws {
    let call = try SampleCall.of(.cancelSubscription)
    let transaction = try SignedTokens.transaction()
    let other = try SignedTokens.renewalInfo(original: "2000000000000009")
    for (body, name) in [
      (
        #"{"signedTransactionInfo":"\#(transaction)","signedRenewalInfo":"\#(other)"}"#,
        "otherSubscription"
      ),
      (#"{"signedTransactionInfo":"\#(transaction)"}"#, "malformedAnswer"),
      (#"{"signedRenewalInfo":"\#(other)"}"#, "malformedAnswer"),
    ] {
      let scene = try ClientScene([.status(200, body)])
      let failure = try await failure { try await call.run(scene.client, .sandbox) }
      #expect(failure.reason.name == name)
    }
    // Only a refund may come without it.
    let scene = try ClientScene([.status(200, #"{"signedTransactionInfo":"\#(transaction)"}"#)])
    let request = try JSONDecoder().decode(
      AdvancedCommerceRequestRefundRequest.self,
      from: Data(SampleCall.of(.requestTransactionRefund).body.utf8))
    let result = try await scene.client.requestTransactionRefund(
      request, of: "1", in: .sandbox)
    #expect(result.renewalInfo == nil)
  }
}
