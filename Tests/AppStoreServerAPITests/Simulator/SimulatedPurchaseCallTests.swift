import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StoreSimulators
import Testing

@Suite("The simulator's calls about single purchases")
struct SimulatedPurchaseCallTests {
  @Test("transaction info is one signed transaction")
  func transaction() async throws {
    let scene = try ServerAPIScene()
    let monthly = try scene.appStore.buy("reader.monthly")
    let renewal = try scene.appStore.renew(monthly)
    scene.pass(3)
    let answer = try await scene.get("/inApps/v1/transactions/\(renewal.transactionID)")
    let transaction = try scene.transaction(answer["signedTransactionInfo"])
    #expect(transaction.transactionID == renewal.transactionID)
    #expect(transaction.originalTransactionID == monthly.transactionID)
    #expect(transaction.signedDate == scene.appStore.now)
    #expect(
      try await scene.code(.get, "/inApps/v1/transactions/\(monthly.appTransactionID)")
        == 4_000_048)
  }

  @Test("app transaction info is that of the customer, with Apple's number in Production only")
  func appTransaction() async throws {
    for environment in [AppStoreEnvironment.production, .sandbox] {
      let scene = try ServerAPIScene(environment)
      let coffee = try scene.appStore.buy("reader.coffee")
      for id in [coffee.transactionID, coffee.appTransactionID] {
        let answer = try await scene.get("/inApps/v1/transactions/appTransactions/\(id)")
        let signed = try #require(answer["signedAppTransactionInfo"]?.string)
        let transaction = try scene.verifier.appTransaction(signed).payload
        #expect(transaction.appTransactionID == coffee.appTransactionID)
        #expect(transaction.receiptType == environment)
        #expect(transaction.appAppleID == (environment == .production ? 1_234_567_890 : nil))
      }
    }
  }

  @Test("statuses are derived from the purchases")
  func statuses() async throws {
    let scene = try ServerAPIScene()
    let active = try scene.appStore.buy("reader.monthly", by: "active")
    let expired = try scene.appStore.buy("reader.monthly", by: "expired")
    try scene.appStore.expire(expired, for: .customerCancelled)
    let retried = try scene.appStore.buy("reader.monthly", by: "retried")
    try scene.appStore.endPeriod(retried)
    try scene.appStore.failRenewal(retried)
    let grace = try scene.appStore.buy("reader.monthly", by: "grace")
    try scene.appStore.endPeriod(grace)
    try scene.appStore.failRenewal(grace, gracePeriod: .days(16))
    let revoked = try scene.appStore.buy("reader.monthly", by: "revoked")
    try scene.appStore.refund(revoked)
    for (purchase, status) in [(active, 1), (expired, 2), (retried, 3), (grace, 4), (revoked, 5)] {
      let answer = try await scene.get("/inApps/v1/subscriptions/\(purchase.transactionID)")
      let group = try #require(answer["data"]?.list.first)
      #expect(group["subscriptionGroupIdentifier"] == .string("20000001"))
      let item = try #require(group["lastTransactions"]?.list.first)
      #expect(item["status"] == .integer(status))
      #expect(item["originalTransactionId"] == .string(purchase.originalTransactionID))
      let transaction = try scene.transaction(item["signedTransactionInfo"])
      #expect(transaction.originalTransactionID == purchase.originalTransactionID)
      let renewal = try scene.verifier.renewalInfo(
        item["signedRenewalInfo"]?.string ?? "")
      #expect(renewal.payload.originalTransactionID == purchase.originalTransactionID)
      #expect(renewal.payload.appTransactionID == purchase.appTransactionID)
      // Each filter keeps its own status.
      let target = "/inApps/v1/subscriptions/\(purchase.transactionID)"
      #expect(try await scene.get(target + "?status=\(status)")["data"]?.list.count == 1)
      let others = (1...5).filter { $0 != status }.map { "status=\($0)" }.joined(separator: "&")
      #expect(try await scene.get(target + "?" + others)["data"] == .array([]))
      for wrong in ["0", "6", "active"] {
        #expect(try await scene.code(.get, target + "?status=\(wrong)") == 4_000_031)
      }
    }
  }

  @Test("refund history has refunds only, in pages, until they are reversed")
  func refunds() async throws {
    let scene = try ServerAPIScene { $0.pageSize = 1 }
    let coffees = try (1...3).map { _ in try scene.appStore.buy("reader.coffee") }
    let target = "/inApps/v2/refund/lookup/\(coffees[0].transactionID)"
    #expect(try await scene.get(target)["signedTransactions"] == .array([]))
    try scene.appStore.refund(coffees[2], reason: .issueInApp)
    scene.pass(1)
    try scene.appStore.refund(coffees[0])
    let read = try await scene.allPages(target)
    #expect(read.ids == [coffees[2].transactionID, coffees[0].transactionID])
    #expect(read.pages == 2)
    try scene.appStore.reverseRefund(coffees[2])
    #expect(try await scene.allPages(target).ids == [coffees[0].transactionID])
    #expect(try await scene.code(.get, target + "?revision=x") == 4_000_005)
  }

  @Test("an order is found by its number; an unknown one is invalid, not an error")
  func orders() async throws {
    let scene = try ServerAPIScene()
    let coffee = try scene.appStore.buy("reader.coffee")
    let answer = try await scene.get("/inApps/v1/lookup/\(coffee.orderID)")
    #expect(answer["status"] == .integer(0))
    #expect(try scene.transactions(answer).map(\.transactionID) == [coffee.transactionID])
    let unknown = try await scene.get("/inApps/v1/lookup/MQ4SDFGH2K")
    #expect(unknown == .object(["status": .integer(1)]))
    #expect(try await scene.code(.get, "/inApps/v1/lookup/a%20b") == 4_000_000)
  }

  @Test("the Sandbox has no order lookup")
  func sandboxOrders() async throws {
    let scene = try ServerAPIScene(.sandbox)
    let coffee = try scene.appStore.buy("reader.coffee")
    let response = try await scene.send(.get, "/inApps/v1/lookup/\(coffee.orderID)")
    #expect(response.status == .notFound)
    #expect(response.body.isEmpty)
  }

  @Test("finish removes a consumable from receipts, and is repeatable")
  func finish() async throws {
    let scene = try ServerAPIScene()
    let coffee = try scene.appStore.buy("reader.coffee")
    let before = try scene.appStore.receipt()
    for _ in 1...2 {
      let response = try await scene.send(
        .post, "/inApps/v1/transactions/\(coffee.transactionID)/finish")
      #expect(response.status == .ok)
      #expect(response.body.isEmpty)
    }
    #expect(try scene.appStore.receipt().utf8.count < before.utf8.count)
    for (id, code) in [
      ("12", 4_040_010), ("x", 4_000_006), (coffee.appTransactionID, 4_000_048),
    ] {
      #expect(try await scene.code(.post, "/inApps/v1/transactions/\(id)/finish") == code)
    }
  }

  @Test("a new account token is in later signed data, not in older transactions")
  func accountToken() async throws {
    let scene = try ServerAPIScene()
    let first = try scene.appStore.buy("reader.monthly", appAccountToken: UUID())
    scene.pass(30)
    let second = try scene.appStore.renew(first)
    let token = UUID()
    let target = "/inApps/v1/transactions/\(first.originalTransactionID)/appAccountToken"
    let response = try await scene.send(
      .put, target, #"{"appAccountToken":"\#(token.uuidString)"}"#)
    #expect(response.status == .ok)
    #expect(response.body.isEmpty)
    func current(_ id: String) async throws -> UUID? {
      let answer = try await scene.get("/inApps/v1/transactions/\(id)")
      return try scene.transaction(answer["signedTransactionInfo"]).appAccountToken
    }
    #expect(try await current(second.transactionID) == token)
    #expect(
      try await current(first.transactionID) == first.notification.transaction.appAccountToken)
    let third = try scene.appStore.renew(first)
    #expect(third.notification.transaction.appAccountToken == token)
    #expect(third.notification.renewalInfo?.appAccountToken == token)
  }

  @Test("wrong account tokens and transactions are refused")
  func wrongAccountToken() async throws {
    let scene = try ServerAPIScene()
    let first = try scene.appStore.buy("reader.monthly")
    let second = try scene.appStore.renew(first)
    let shared = try scene.appStore.share(first, with: "child")
    let body = #"{"appAccountToken":"\#(UUID().uuidString)"}"#
    func code(_ id: String, _ body: String) async throws -> Int? {
      try await scene.code(.put, "/inApps/v1/transactions/\(id)/appAccountToken", body)
    }
    #expect(try await code(first.transactionID, #"{"appAccountToken":"me"}"#) == 4_000_183)
    #expect(try await code(first.transactionID, "{}") == 4_000_183)
    #expect(try await code(second.transactionID, body) == 4_000_187)
    #expect(try await code(shared.transactionID, body) == 4_000_185)
    #expect(try await code("12", body) == 4_040_005)
    #expect(try await code("x", body) == 4_000_006)
    #expect(try await code(first.appTransactionID, body) == 4_000_048)
    let malformed = try await scene.send(
      .put, "/inApps/v1/transactions/\(first.transactionID)/appAccountToken", "[")
    #expect(malformed.status == .badRequest)
    #expect(malformed.body.isEmpty)
  }
}
