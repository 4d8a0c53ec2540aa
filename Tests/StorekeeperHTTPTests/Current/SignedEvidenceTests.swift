import Foundation
import HTTPMessages
import InMemoryStorage
import JSONValues
import PurchaseStorage
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

@Suite("Signed transactions in the place of receipts and identifiers")
struct SignedEvidenceTests {
  private func body(_ members: KeyValuePairs<String, String>) -> String {
    "{" + members.map { "\(quoted($0.key)):\(quoted($0.value))" }.joined(separator: ",") + "}"
  }

  private func signed(_ purchase: TestPurchase) throws -> (transaction: String, renewal: String) {
    let signer = try #require(APIScene.signer)
    let renewal = try #require(purchase.notification.renewalInfo)
    return (try signer.sign(purchase.notification.transaction), try signer.sign(renewal))
  }

  @Test("verify-receipt answers with the signed payload, subs with the subscription")
  func record() async throws {
    let scene = try APIScene()
    let purchase = try scene.appStore.buy(APIScene.monthly)
    let (transaction, renewal) = try signed(purchase)
    let verified = try await scene.send(
      .post, "/apple/verify-receipt", body(["signedTransactionInfo": transaction]))
    #expect(verified.status == 200)
    #expect(verified.json?["transactionId"] == .string(purchase.transactionID))
    let stored = try await scene.send(
      .post, "/apple/subs",
      body(["signedTransactionInfo": transaction, "signedRenewalInfo": renewal]))
    #expect(stored.status == 200)
    #expect(stored.json?["originalTransactionId"] == .string(purchase.originalTransactionID))
    #expect(stored.json?["autoRenewal"] == .boolean(true))
    #expect(scene.appStore.requests.isEmpty)
  }

  @Test("link takes a transaction in the place of the identifier, which comes first if it is there")
  func link() async throws {
    let scene = try APIScene()
    let (transaction, _) = try signed(scene.appStore.buy(APIScene.monthly))
    let linked = try await scene.send(
      .post, "/apple/link", body(["ftcId": "alice", "signedTransactionInfo": transaction]))
    #expect(linked.status == 200)
    #expect(linked.json?["ftcId"] == .string("alice"))
    #expect(
      try await scene.send(
        .post, "/apple/link", body(["ftcId": "bob", "signedTransactionInfo": transaction])
      ).refusal?.code == "linked_to_other_ftc")
    #expect(
      try await scene.send(
        .post, "/apple/link",
        body(["ftcId": "alice", "originalTxId": "42", "signedTransactionInfo": transaction])
      ).refusal == .notFound)
  }

  @Test("another account's token is refused over HTTP")
  func token() async throws {
    let scene = try APIScene()
    let token = UUID()
    scene.accounts.add(Account(id: "dora"), appAccountToken: token)
    let (transaction, _) = try signed(
      scene.appStore.buy(APIScene.monthly, appAccountToken: token))
    #expect(
      try await scene.send(
        .post, "/apple/link", body(["ftcId": "alice", "signedTransactionInfo": transaction])
      ).refusal
        == Refusal(
          "originalTxId", "account_token_mismatch",
          "The Apple subscription was bought for another account"))
  }

  @Test("data that does not verify is invalid, a wrong type is no JSON of ours")
  func invalid() async throws {
    let scene = try APIScene()
    let purchase = try scene.appStore.buy(APIScene.monthly)
    let (transaction, _) = try signed(purchase)
    let foreign = try TestAuthority().sign(purchase.notification.transaction)
    for path in ["/apple/verify-receipt", "/apple/subs"] {
      for token in ["garbage", foreign] {
        #expect(
          try await scene.send(.post, path, body(["signedTransactionInfo": token])).refusal
            == Refusal("signedTransactionInfo", "invalid", "signed data is not valid"))
      }
      #expect(
        try await scene.send(
          .post, path,
          body(["signedTransactionInfo": transaction, "signedRenewalInfo": "garbage"])
        ).refusal == Refusal("signedRenewalInfo", "invalid", "signed data is not valid"))
      #expect(
        try await scene.send(.post, path, #"{"signedTransactionInfo":7}"#).refusal == .badJSON)
    }
    #expect(
      try await scene.send(.post, "/apple/link", #"{"signedTransactionInfo":7}"#).refusal
        == .badJSON)
  }
}
