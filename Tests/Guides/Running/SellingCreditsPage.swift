import CreditPolicy
import EntitlementPolicy
import Foundation
import GooglePlayVerifier
import InMemoryStorage
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import SQLiteStorage
import StoreSimulators
import Storekeeper
import StorekeeperHTTP

/// The page `selling-credits.md`, whose code is run.
struct SellingCreditsPage: Page {
  let path = "purchases.sqlite"
  let accounts: any AccountDirectory
  let store: SQLiteStore
  let file: URL
  let products: CreditProducts
  let verifier: SignedDataVerifier
  let credits: CreditService
  let shop: PurchaseContext
  let play: GooglePlayClient
  let purchaseToken: String
  let pushTokens: PushTokenVerifier
  let subscriptions: SubscriptionService
  let notifications: NotificationService
  let userID: AccountID = "ann"
  let transactionID: String
  let signedTransactionInfo: String
  let claim: GrantClaim
  var signedPayload = ""
  let secret: [UInt8]
  let pem: String
  let trustAnchors = SimulatedAppStore.trustAnchors
  let time: @Sendable () -> Date = { Date() }

  static func run() async throws {
    try await inNewFolder {
      let gems = try SimulatedAppStore(
        "com.example.gems", products: [TestProduct("com.example.gems.big", .consumable)])
      let purchase = try gems.appStore.buy("com.example.gems.big", by: "ann")
      let playStore = try SimulatedPlayStore("com.example.gems", oneTime: ["gems_big"])
      let sold = try playStore.play.buy("gems_big", by: "ann")
      var page = try await SellingCreditsPage(gems, purchase, playStore, sold)
      try await page.nameThePacks()
      try await page.nameThePacks2()
      try await page.createTheService()
      try await page.grantAPurchase()
      expect(try await page.credits.balance(of: "ann") == 500)
      try await page.grantAPurchase2()
      expect(try await page.credits.balance(of: "ann") == 500)
      try await page.refusals()
      try await page.spendAndGiveBonuses()
      try await page.spendAndGiveBonuses2()
      expect(try await page.credits.balance(of: "ann") == 475)
      try await page.refunds()
      page.signedPayload = try gems.appStore.refund(purchase).signedPayload
      try await page.receiveNotificationsFromApple()
      expect(try await page.credits.balance(of: "ann") == 0)
      try await page.receiveNotificationsFromApple2()
      try await page.sellAtGooglePlayToo()
      expect(try await page.credits.balance(of: "ann") == 500)
      try await page.sellAtGooglePlayToo2()
      expect(try playStore.play.purchase(sold.purchaseToken).isAcknowledged)
      try playStore.play.refund(sold)
      try await page.sellAtGooglePlayToo3()
      expect(try await page.credits.balance(of: "ann") == 0)
      try await page.audit()
      expect(try await page.credits.audit("ann").isEmpty)
      try await page.audit2()
      try await page.testItWithoutApple()
      try await page.store.close()
    }
  }

  private init(
    _ gems: SimulatedAppStore, _ purchase: TestPurchase, _ playStore: SimulatedPlayStore,
    _ sold: TestPlayPurchase
  ) async throws {
    let accounts = InMemoryAccountDirectory([Account(id: "ann"), Account(id: "alice")])
    let verifier = try gems.verifier
    let store = try await SQLiteStore(
      path: "host.sqlite", capabilities: [.subscriptions, .credits])
    var pack = CreditProduct(
      code: "big_pack", appStoreProductID: "com.example.gems.big", credits: 500)
    pack.googlePlayProductID = "gems_big"
    let products = try CreditProducts([pack])
    let shop = PurchaseContext(store: store, accounts: accounts, verifier: verifier)
    let play = try playStore.client
    let credits = try CreditService(shop, products: products, googlePlay: play)
    self.accounts = accounts
    self.verifier = verifier
    self.store = store
    self.products = products
    self.credits = credits
    self.shop = shop
    self.play = play
    purchaseToken = sold.purchaseToken
    pushTokens = try PushTokenVerifier(
      configuration: .init(audience: "gems", email: "push@example.com"), transport: playStore.play)
    file = try GuideProgram.packs()
    subscriptions = try SubscriptionService(shop, products: [:])
    notifications = try NotificationService(shop, credits: credits)
    transactionID = purchase.transactionID
    signedTransactionInfo = try purchase.signedTransactionInfo
    claim = GrantClaim(
      userID: "ann", productCode: "big_pack", appStoreProductID: "com.example.gems.big",
      transactionID: purchase.transactionID)
    secret = Array(repeating: 7, count: 32)
    pem = ""
  }
}
