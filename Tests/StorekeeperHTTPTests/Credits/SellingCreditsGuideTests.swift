import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperHTTP
import StorekeeperTesting
import Testing

/// The code of `Documentation/guides/selling-credits.md`.
@Suite("The guide to selling credits")
struct SellingCreditsGuideTests {
  private let appStore: AppStoreSimulator
  private let verifier: SignedDataVerifier
  private let credits: CreditService
  private let notifications: NotificationService

  init() throws {
    let appStore = try AppStoreSimulator(
      bundleID: "com.example.gems",
      products: [
        TestProduct("com.example.gems.welcome", .consumable),
        TestProduct("com.example.gems.big", .consumable),
      ])
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: "com.example.gems", appAppleID: appStore.appAppleID)],
      environments: [.production], trustAnchors: [appStore.signedDataAuthority.trustAnchor],
      now: { appStore.now })
    let products = try CreditProducts([
      CreditProduct(
        code: "welcome_pack", appStoreProductID: "com.example.gems.welcome", credits: 60,
        type: .starter),
      CreditProduct(code: "big_pack", appStoreProductID: "com.example.gems.big", credits: 500),
    ])
    credits = try CreditService(
      PurchaseContext(
        store: InMemoryPurchaseStore(), accounts: Users(), verifier: verifier, now: { appStore.now }
      ), products: products)
    notifications = try NotificationService(
      credits.context, credits: credits)
    (self.appStore, self.verifier) = (appStore, verifier)
  }

  private struct Users: AccountDirectory {
    func account(_ id: AccountID) async throws -> Account? { Account(id: id) }

    func emailAddress(of id: AccountID) async throws -> String? {
      ["alice": " Ann@Example.COM ", "bob": "ann@example.com"][id.rawValue]
    }
  }

  private func buy(_ product: String) throws -> Verified<Transaction> {
    try verifier.transaction(appStore.buy("com.example.gems." + product).signedTransactionInfo)
  }

  @Test("a purchase without Apple, from the grant to the refund")
  func simulator() async throws {
    let purchase = try appStore.buy("com.example.gems.big", by: "alice")
    let transaction = try verifier.transaction(purchase.signedTransactionInfo)
    let grant = try await credits.grant(transaction, of: "big_pack", to: "alice")
    #expect(grant.newBalance == 500)
    #expect(try await credits.grant(transaction, of: "big_pack", to: "alice").creditsAdded == 0)
    #expect(try await credits.balance(of: "alice") == 500)

    try await notifications.receive(creditPayload: appStore.refund(purchase).signedPayload)
    #expect(try await credits.balance(of: "alice") == 0)
  }

  @Test("a claim, and the refusal of another user")
  func claim() async throws {
    let purchase = try appStore.buy("com.example.gems.big")
    let info = try purchase.signedTransactionInfo
    var claim = GrantClaim(
      userID: "alice", productCode: "big_pack", appStoreProductID: "com.example.gems.big",
      transactionID: purchase.transactionID)
    #expect(try await credits.grant(claim, signedTransactionInfo: info).status == .granted)
    claim.userID = "bob"
    await #expect(throws: CreditFailure.refused(.conflict)) {
      try await credits.grant(claim, signedTransactionInfo: info)
    }
  }

  @Test("spending, once, and never below 0")
  func spending() async throws {
    _ = try await credits.grant(buy("big"), of: "big_pack", to: "alice")
    let order = LedgerBooking(
      userID: "alice", eventID: "order:4711", changeType: .init(rawValue: "spending"),
      subjectType: "order", subjectID: "4711", amount: -25)
    let entry = try await credits.book(order)
    #expect(entry.balanceAfter == 475)
    #expect(try await credits.book(order) == entry)
    #expect(try await credits.balance(of: "alice") == 475)

    var tooMuch = order
    (tooMuch.eventID, tooMuch.amount) = ("order:4712", -476)
    await #expect(throws: CreditFailure.balanceInsufficient) { try await credits.book(tooMuch) }

    let page = try await credits.ledger(of: "alice", page: 1, limit: 20)
    #expect(page.entries.map(\.booking.amount) == [-25, 500])
  }

  @Test("a starter pack for each e-mail address, and an event for support")
  func starter() async throws {
    _ = try await credits.grant(buy("welcome"), of: "welcome_pack", to: "alice")
    let second = try buy("welcome")
    await #expect(throws: CreditFailure.refused(.starterIneligible)) {
      try await credits.grant(second, of: "welcome_pack", to: "bob")
    }
    let now = appStore.now
    let messages = try await credits.store.write { records in
      try await records.outbox.lease(limit: 10, now: now, until: now + 60, token: "worker")
    }
    #expect(messages.map(\.message.kind) == [.starterRefused])
    #expect(messages.map(\.message.reference) == [second.payload.transactionID])
  }

  @Test("the routes, with a session token")
  func routes() async throws {
    _ = try await credits.grant(buy("big"), of: "big_pack", to: "alice")
    let now = appStore.now
    let sessions = SessionTokens(
      key: try SessionKey(secret: TestSession.secret), issuer: "https://accounts.example.com",
      audience: "gems", now: { now })
    let api = StorekeeperAPI([
      CreditAPI(credits, notifications: notifications, users: sessions)
    ])
    let expiry = Int(now.timeIntervalSince1970) + 600
    let token = try TestSession.token(
      claims: """
        {"sub":"alice","iss":"https://accounts.example.com","aud":"gems","exp":\(expiry)}
        """)
    var headers = HTTPHeaders()
    try headers.set("Bearer \(token)", for: .authorization)
    let answer = await api.respond(
      to: HTTPRequestMessage(method: .get, url: "/api/v1/credits/balance", headers: headers))
    #expect(answer.status == .ok)
    #expect(try JSONValue(parsing: answer.body)["balance"] == .integer(500))
  }
}
