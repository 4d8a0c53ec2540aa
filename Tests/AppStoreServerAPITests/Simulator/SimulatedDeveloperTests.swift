import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import ReceiptVerifier
import StoreSimulators
import StorekeeperTesting
import Testing

@Suite("The apps of a developer at the App Store simulator")
struct SimulatedDeveloperTests {
  private static let draw = "com.example.draw"
  private static let paint = "com.example.paint"
  private static let frames = TestProduct("com.example.draw.frames", .nonConsumable)
  private static let monthly = TestProduct(
    "com.example.paint.monthly", .autoRenewable(period: .days(30), group: "2"))
  /// The shared authority, because RSA keys take a while to generate.
  private static let authority = Result { try TestAuthority.forReceipts() }

  private let developer: TestDeveloper

  init() throws {
    developer = try TestDeveloper(
      apps: [
        TestApp(Self.draw, products: [Self.frames]),
        TestApp(Self.paint, products: [Self.monthly], appAppleID: 77),
      ]) { $0.authority = try Self.authority.get() }
  }

  private func app(_ bundleID: String) throws -> AppStoreSimulator {
    try #require(developer[bundleID])
  }

  /// Returns a client of verifyReceipt for both apps.
  private func client() throws -> VerifyReceiptClient {
    var configuration = VerifyReceiptClient.Configuration()
    configuration.missingSubscriptions = .accept
    return try VerifyReceiptClient(
      transport: developer, bundleIDs: [Self.draw, Self.paint],
      sharedSecret: developer.apps[0].sharedSecret, configuration: configuration)
  }

  /// Returns a client of the App Store Server API for an app.
  private func serverClient(_ bundleID: String) throws -> AppStoreServerClient {
    let appStore = try app(bundleID)
    let key = appStore.serverAPIKey
    var configuration = AppStoreServerClient.Configuration()
    configuration.now = { appStore.now }
    return try AppStoreServerClient(
      key: SigningKey(pem: key.pem, keyID: key.keyID), issuerID: key.issuerID,
      bundleID: bundleID,
      verifier: SignedDataVerifier(
        apps: [App(bundleID: bundleID, appAppleID: appStore.appAppleID)],
        environments: [.production],
        trustAnchors: [appStore.signedDataAuthority.trustAnchor], now: { appStore.now }),
      transport: developer, configuration: configuration)
  }

  @Test("a receipt holds the purchases in one app, and is answered by that app")
  func receipts() async throws {
    let frames = try app(Self.draw).buy(Self.frames.id, by: "ann")
    let monthly = try app(Self.paint).buy(Self.monthly.id, by: "ann")
    #expect(frames.receiptContent.bundleID == Self.draw)
    #expect(frames.receiptContent.purchases.map(\.productID) == [Self.frames.id])
    #expect(monthly.receiptContent.purchases.map(\.productID) == [Self.monthly.id])
    let client = try client()
    let drawn = try await client.verify(base64: frames.receipt)
    #expect(drawn.response.bundleID == Self.draw)
    #expect(drawn.response.receipt?.inApp?.map(\.productID) == [Self.frames.id])
    let painted = try await client.verify(base64: monthly.receipt)
    #expect(painted.response.bundleID == Self.paint)
    #expect(painted.response.latestReceiptInfo?.map(\.productID) == [Self.monthly.id])
  }

  @Test("a refunded non-consumable has its date in receipts and in signed transactions")
  func refund() async throws {
    let appStore = try app(Self.draw)
    let bought = try appStore.buy(Self.frames.id, by: "ann")
    appStore.clock.advance(by: .days(2))
    let refund = try appStore.refund(bought)
    #expect(refund.type == .refund)
    let date = appStore.now
    #expect(refund.transaction.revocationDate == date)
    let answer = try await client().verify(base64: appStore.receipt(of: "ann"))
    #expect(answer.response.receipt?.inApp?.map(\.cancellationDate) == [date])
    let transaction = try await serverClient(Self.draw).transactionInfo(bought.transactionID)
    #expect(transaction.payload.revocationDate == date)
    #expect(transaction.payload.bundleID == Self.draw)
  }

  @Test("a transaction is unknown to the other app, although the key serves both")
  func otherApp() async throws {
    let bought = try app(Self.paint).buy(Self.monthly.id, by: "ann")
    let own = try await serverClient(Self.paint).transactionInfo(bought.transactionID)
    #expect(own.payload.productID == Self.monthly.id)
    let failure = await #expect(throws: AppStoreServerFailure.self) {
      try await serverClient(Self.draw).transactionInfo(bought.transactionID)
    }
    #expect(failure?.code?.rawValue == 4_040_010)
  }

  @Test("notifications name their app, and no two transactions have one number")
  func notifications() throws {
    let purchases = try (0..<20).flatMap { number in
      [
        try app(Self.draw).buy(Self.frames.id, by: "ann \(number)"),
        try app(Self.paint).buy(Self.monthly.id, by: "ann \(number)"),
      ]
    }
    #expect(Set(purchases.map(\.transactionID)).count == 40)
    #expect(Set(purchases.map(\.appTransactionID)).count == 40)
    let verifier = try SignedDataVerifier(
      apps: [
        App(bundleID: Self.draw, appAppleID: developer.apps[0].appAppleID),
        App(bundleID: Self.paint, appAppleID: 77),
      ], environments: [.production],
      trustAnchors: [developer.apps[0].signedDataAuthority.trustAnchor],
      now: { developer.apps[0].now })
    let data = try purchases.prefix(2).map { purchase in
      try #require(
        verifier.notification(purchase.notification.signedPayload).payload.notification.data)
    }
    #expect(data.map(\.bundleID) == [Self.draw, Self.paint])
    #expect(data.map(\.appAppleID) == [developer.apps[0].appAppleID, 77])
  }

  @Test("a token for no app of the developer is refused, and so is a developer without apps")
  func refusals() async throws {
    let key = developer.apps[0].serverAPIKey
    let signer = try ServerAPITokenSigner(
      key: SigningKey(pem: key.pem, keyID: key.keyID), issuerID: key.issuerID,
      bundleID: "com.example.other")
    var headers: HTTPHeaders = [:]
    try headers.set("Bearer \(signer.token(at: developer.apps[0].now))", for: .authorization)
    let response = try await developer.send(
      HTTPRequestMessage(
        method: .get, url: "https://api.storekit.apple.com/inApps/v1/transactions/1",
        headers: headers))
    #expect(response.status == .unauthorized)
    #expect(throws: SimulatorFailure.noApps) { try TestDeveloper(apps: []) }
  }
}
