import AppStoreServerAPI
import EntitlementPolicy
import Foundation
import GooglePlayVerifier
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import SQLiteStorage
import Storekeeper
import StorekeeperTesting

/// The README, whose code is run.
struct ReadmePage: Page {
  var now = Date()
  var time: @Sendable () -> Date = { Date() }
  var trustAnchors = SimulatedAppStore.trustAnchors
  let accountID: AccountID = "alice"
  var signedTransactionInfo = ""
  var signedRenewalInfo = ""
  var transactionID = ""
  var purchaseToken = ""
  var file = URL(filePath: "/")
  let verifier: SignedDataVerifier
  let appStore: AppStoreServerClient
  let client: VerifyReceiptClient
  let play: GooglePlayClient
  var transaction: Verified<Transaction>

  static func run() async throws {
    let reader = try SimulatedAppStore(
      "com.example.reader",
      products: TestProduct.samples + [TestProduct("com.example.gems.big", .consumable)])
    let playStore = try SimulatedPlayStore("com.example.reader", subscriptions: ["basic_monthly"])
    let purchase = try reader.appStore.buy("reader.monthly", by: "alice")
    var page = ReadmePage(
      signedTransactionInfo: try purchase.signedTransactionInfo,
      signedRenewalInfo: try purchase.signedRenewalInfo ?? "",
      transactionID: purchase.transactionID, verifier: try reader.verifier,
      appStore: try reader.server, client: try reader.receipts(.orderService),
      play: try playStore.client,
      transaction: try reader.verifier.transaction(purchase.signedTransactionInfo))
    try await page.verifyOfSandbox()
    try await inNewFolder { try await page.linkASubscriptionToAnAccount() }
    try await page.askTheAppStore()
    try await page.testWithASimulatedAppStore()

    let pack = try reader.appStore.buy("com.example.gems.big", by: "alice")
    page.transaction = try reader.verifier.transaction(pack.signedTransactionInfo)
    try await inNewFolder {
      page.file = try GuideProgram.packs()
      try await page.sellCredits()
    }
    try await page.decide()
    page.purchaseToken = try playStore.play.subscribe("basic_monthly", by: "alice").purchaseToken
    try await inNewFolder {
      let store = try await SQLiteStore(path: "purchases.sqlite", capabilities: [.orders])
      let levels = try SubscriptionLevels([
        SubscriptionLevel(
          name: "Basic", description: "", quota: 2, fee: "4.99",
          appleProductID: nil, googleProductID: "basic_monthly")
      ])
      try await store.write { try await $0.levels.replace(with: levels) }
      try await page.takeOrdersFromTwoStores()
      try await store.close()
    }
  }

  /// The first block, with a purchase of the Sandbox.
  private func verifyOfSandbox() async throws {
    let sandbox = try SimulatedAppStore("com.example.reader", environment: .sandbox)
    var page = self
    page.signedTransactionInfo = try sandbox.appStore.buy("reader.monthly").signedTransactionInfo
    try await page.verifyASignedTransaction()
  }

  /// The block about entitlements, in an app of its own.
  private func decide() async throws {
    let draw = try SimulatedAppStore(
      "com.example.draw", products: [TestProduct("com.example.draw.frames", .nonConsumable)])
    let purchase = try draw.appStore.buy("com.example.draw.frames", by: "alice")
    var page = ReadmePage(
      signedTransactionInfo: try purchase.signedTransactionInfo, verifier: try draw.verifier,
      appStore: try draw.server, client: client, play: play, transaction: transaction)
    try await inNewFolder {
      page.file = try GuideProgram.productList()
      try await page.decideWhoMayUseWhat()
    }
  }
}

extension GuideProgram {
  /// The packs of the guides.
  static func packs() throws -> URL {
    try file(
      "packs.yaml",
      """
      product_mappings:
        welcome_pack:
          app_store_product_id: com.example.gems.welcome
          credits: 60
          type: starter
        big_pack:
          app_store_product_id: com.example.gems.big
          credits: 500
          sort_order: 1
      """)
  }

  /// The products of the guides.
  static func productList() throws -> URL {
    try file(
      "products.json",
      """
      [
        {"identifier": "com.example.draw.brushes", "productType": "nonConsumable", "isSubscribersOnly": true},
        {"identifier": "com.example.draw.frames", "productType": "nonConsumable"},
        {"identifier": "com.example.draw.paper", "productType": "nonConsumable"},
        {"identifier": "com.example.draw.coins", "productType": "consumable"},
        {"identifier": "com.example.draw.full.monthly", "productType": "renewableSubscription",
         "discountedProducts": ["com.example.draw.full25.monthly"]},
        {"identifier": "com.example.draw.lite.monthly", "productType": "renewableSubscription",
         "unlocks": ["com.example.draw.f*", "com.example.draw.paper"]}
      ]
      """)
  }
}
