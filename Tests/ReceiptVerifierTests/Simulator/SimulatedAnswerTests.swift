import Foundation
import HTTPMessages
import StoreSimulators
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import ReceiptVerifier
import StorekeeperTesting
import Testing

@Suite("Answers of the simulated App Store")
struct SimulatedAnswerTests {
  @Test(
    "receipts are accepted at the server of their environment only",
    arguments: [AppStoreEnvironment.production, .sandbox], VerifyReceiptServer.allCases)
  func servers(environment: AppStoreEnvironment, first: VerifyReceiptServer) async throws {
    let scene = try SimulatorScene(environment: environment)
    let purchase = try scene.appStore.buy("reader.monthly")
    let receipt = try await scene.client.verify(base64: purchase.receipt, startingAt: first)
    #expect(receipt.environment == environment)
    #expect(receipt.response.environment == environment)
    #expect(receipt.attempts == (first.environment == environment ? 1 : 2))
    let strict = try SimulatorScene.client(of: scene.appStore) { $0.fallbacks = [] }
    if first.environment != environment {
      let status: VerifyReceiptStatus = first == .production ? .sandboxReceipt : .productionReceipt
      #expect(
        await reason { try await strict.verify(base64: purchase.receipt, startingAt: first) }
          == .refused(.wrongServer(status)))
    }
  }

  @Test("the Sandbox grants nothing unless it is accepted")
  func sandbox() async throws {
    let scene = try SimulatorScene(environment: .sandbox) { $0.environments = [.production] }
    let purchase = try scene.appStore.buy("reader.monthly")
    #expect(try await scene.failure(purchase) == .refused(.environmentNotAllowed(.sandbox)))
  }

  @Test("a wrong secret is 21004")
  func secret() async throws {
    let scene = try SimulatorScene()
    let client = try SimulatorScene.client(of: scene.appStore, secret: AppSharedSecret("wrong"))
    let purchase = try scene.appStore.buy("reader.monthly")
    #expect(
      await reason { try await client.verify(base64: purchase.receipt) }
        == .transient(.sharedSecretMismatch))
  }

  @Test("malformed input is 21002, an unsigned receipt 21003")
  func forged() async throws {
    let scene = try SimulatorScene()
    let purchase = try scene.appStore.buy("reader.monthly")
    var der = try #require(Base64.decode(Array(purchase.receipt.utf8)[...], .standard))
    #expect(
      await reason { try await scene.client.verify(der: der.dropLast()) }
        == .transient(.malformedReceipt))
    #expect(scene.appStore.requests.count == 3)
    der[der.count - 1] ^= 1
    #expect(await reason { try await scene.client.verify(der: der) } == .refused(.notAuthenticated))
    let stranger = try AppStoreSimulator(bundleID: SimulatorScene.bundleID)
    #expect(
      try await scene.failure(stranger.buy("reader.monthly")) == .refused(.notAuthenticated))
  }

  @Test("a receipt of another app is valid, and not ours")
  func otherApp() async throws {
    let scene = try SimulatorScene()
    let other = try SimulatorScene(bundleID: "com.example.other")
    let purchase = try other.appStore.buy("reader.monthly")
    #expect(
      try await scene.failure(purchase)
        == .refused(.bundleMismatch(found: "com.example.other")))
  }

  @Test("a customer without purchases has a receipt of nothing")
  func nothing() async throws {
    let scene = try SimulatorScene()
    let receipt = try scene.appStore.receipt(of: "nobody")
    #expect(
      await reason { try await scene.client.verify(base64: receipt) } == .refused(.noSubscriptions))
    let lenient = try SimulatorScene.client(of: scene.appStore) {
      $0.missingSubscriptions = .accept
    }
    #expect(try await lenient.verify(base64: receipt).transactionID == nil)
  }

  @Test("each customer has purchases of their own")
  func customers() async throws {
    let scene = try SimulatorScene()
    let first = try scene.appStore.buy("reader.monthly", by: "anna")
    let second = try scene.appStore.buy("reader.yearly", by: "bert")
    #expect(first.originalTransactionID != second.originalTransactionID)
    for (purchase, product) in [(first, "reader.monthly"), (second, "reader.yearly")] {
      let info = try await scene.receipt(purchase).response.latestReceiptInfo
      #expect(info?.map(\.productID) == [product])
    }
  }

  @Test("old transactions are left out on request, in the latest only")
  func excludeOld() async throws {
    let scene = try SimulatorScene { $0.excludesOldTransactions = true }
    let purchase = try scene.appStore.buy("reader.monthly")
    let renewal = try scene.appStore.renew(purchase)
    let receipt = try await scene.receipt(renewal)
    #expect(receipt.response.latestReceiptInfo?.map(\.transactionID) == [renewal.transactionID])
    #expect(receipt.response.receipt?.inApp?.count == 2)
    #expect(scene.appStore.requests.last?.excludesOldTransactions == true)
  }

  @Test("an old receipt brings the newest one along, for the next question")
  func latestReceipt() async throws {
    let scene = try SimulatorScene()
    let purchase = try scene.appStore.buy("reader.monthly")
    try scene.appStore.renew(purchase)
    let receipt = try await scene.receipt(purchase)
    #expect(receipt.response.receipt?.inApp?.count == 1)
    let latest = try #require(receipt.response.latestReceipt)
    #expect(try latest == scene.appStore.receipt())
    #expect(try await scene.client.verify(base64: latest).response.receipt?.inApp?.count == 2)
  }

  @Test("a finished consumable is gone from later receipts")
  func consumable() async throws {
    let scene = try SimulatorScene { $0.missingSubscriptions = .accept }
    let coffee = try scene.appStore.buy("reader.coffee", quantity: 3)
    let before = try await scene.receipt(coffee).response
    #expect(before.receipt?.inApp?.map(\.quantity) == [3])
    #expect(before.latestReceiptInfo?.isEmpty == true)
    try scene.appStore.finish(coffee)
    let after = try await scene.client.verify(base64: scene.appStore.receipt())
    #expect(after.response.receipt?.inApp?.isEmpty == true)
  }

  @Test("the JSON looks like Apple's")
  func form() async throws {
    let scene = try SimulatorScene()
    let token = UUID()
    let purchase = try scene.appStore.buy("reader.monthly", appAccountToken: token)
    let json = try JSONValue(parsing: try await scene.receipt(purchase).rawBody)
    #expect(json["status"] == .integer(0))
    #expect(json["environment"] == .string("Production"))
    #expect(json["receipt"]?["request_date_ms"] == .string("1700000000000"))
    guard case .array(let latest)? = json["latest_receipt_info"], let entry = latest.first,
      case .array(let renewals)? = json["pending_renewal_info"], let renewal = renewals.first
    else {
      Issue.record("no arrays")
      return
    }
    #expect(entry["expires_date_ms"] == .string("1702592000000"))
    #expect(entry["expires_date"] == .string("2023-12-14 22:13:20 Etc/GMT"))
    #expect(entry["quantity"] == .string("1"))
    #expect(entry["is_trial_period"] == .string("false"))
    #expect(entry["in_app_ownership_type"] == .string("PURCHASED"))
    #expect(entry["subscription_group_identifier"] == .string("20000001"))
    #expect(entry["app_account_token"] == .string(token.uuidString.lowercased()))
    #expect(renewal["auto_renew_status"] == .string("1"))
    #expect(renewal["expiration_intent"] == nil)
  }

  @Test("receipts verify offline too, and say the same as the answer")
  func offline() async throws {
    let scene = try SimulatorScene()
    let purchase = try scene.appStore.buy("reader.monthly", offer: .trial)
    let verifier = try AppReceiptVerifier(
      bundleIDs: [SimulatorScene.bundleID], trustAnchors: [scene.appStore.authority.trustAnchor],
      now: { scene.appStore.now })
    let local = try verifier.verify(base64: purchase.receipt)
    let remote = try await scene.receipt(purchase)
    #expect(local.environment == remote.environment)
    #expect(local.transactionID == remote.transactionID)
    var shown = VerifyReceiptResponse.Receipt(local.receipt)
    shown.requestDate = remote.requestDate
    #expect(shown.json == remote.response.receipt?.json)
  }

  @Test("requests to other addresses and with other methods are no questions")
  func otherRequests() async throws {
    let appStore = try SimulatorScene().appStore
    let elsewhere = try await appStore.send(
      HTTPRequestMessage(method: .post, url: "https://a.example/"))
    #expect(elsewhere.status == .notFound)
    let get = try await appStore.send(HTTPRequestMessage(url: VerifyReceiptServer.production.url))
    #expect(get.body == Array(#"{"status":21000}"#.utf8))
    let garbage = HTTPRequestMessage(
      method: .post, url: VerifyReceiptServer.production.url, body: Array("{".utf8))
    #expect(try await appStore.send(garbage).body == Array(#"{"status":21002}"#.utf8))
    #expect(appStore.requests.map(\.server) == [nil, .production, .production])
  }
}
