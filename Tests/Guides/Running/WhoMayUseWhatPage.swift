import AppStoreServerAPI
import EntitlementPolicy
import Foundation
import InMemoryStorage
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import SQLiteStorage
import StoreSimulators
import Storekeeper

/// The page `who-may-use-what.md`, whose code is run.
struct WhoMayUseWhatPage: Page {
  let path = "purchases.sqlite"
  let file: URL
  let accounts: any AccountDirectory = InMemoryAccountDirectory()
  let catalog: ProductCatalog
  let appStore: AppStoreServerClient
  let verifier: SignedDataVerifier
  let wholeStore: SQLiteStore
  let subscriptions: SubscriptionService
  let entitlements: EntitlementService
  let notifications: NotificationService
  var evidence = UploadedEvidence()
  var signedTransactionInfo = ""
  let userID: AccountID = "alice"
  let answer: Entitlements
  var body: [UInt8] = []
  let now = Date()
  let start = Date() - 86_400
  let end = Date() + 86_400
  let trustAnchors = SimulatedAppStore.trustAnchors
  let time: @Sendable () -> Date = { Date() }

  static func run() async throws {
    try await inNewFolder {
      let draw = try SimulatedAppStore(
        "com.example.draw",
        products: [
          TestProduct("com.example.draw.frames", .nonConsumable),
          TestProduct(
            "com.example.draw.full.monthly", .autoRenewable(period: .days(30), group: "1")),
        ])
      var page = try await WhoMayUseWhatPage(draw)
      try await page.listYourProducts()
      try await page.createTheService()
      try await page.createTheService2()

      let frames = try draw.appStore.buy("com.example.draw.frames", by: "alice")
      page.signedTransactionInfo = try frames.signedTransactionInfo
      page.evidence = UploadedEvidence(signedTransactions: [try frames.signedTransactionInfo])
      try await page.takePurchases()
      try await page.takePurchases2()
      try await page.answer()
      try await page.answer2()
      let subscription = try draw.appStore.buy("com.example.draw.full.monthly", by: "alice")
      _ = try await page.entitlements.validate(
        UploadedEvidence(signedTransactions: [try subscription.signedTransactionInfo]),
        for: "alice", in: "com.example.draw")
      try await page.answer3()
      let acquired = try await page.entitlements.products(of: "alice", in: "com.example.draw")
      expect(
        acquired.allowedProducts == [
          "com.example.draw.brushes", "com.example.draw.frames", "com.example.draw.paper",
        ])
      try await page.answer4()
      try await page.oneSubscriptionForSeveralApps()
      try await page.graceAndOutages()
      try await page.validateFromTimeToTime()
      page.body = try draw.appStore.refund(frames).body
      try await page.receiveNotificationsFromApple()
      let left = try await page.entitlements.products(of: "alice", in: "com.example.draw")
      expect(!left.purchasedProducts.contains("com.example.draw.frames"))
      try await page.testIt()
      try await page.testIt2()
      try await page.wholeStore.close()
    }
  }

  private init(_ draw: SimulatedAppStore) async throws {
    file = try GuideProgram.productList()
    let catalog = try ProductCatalog(json: [UInt8](Data(contentsOf: file)))
    let verifier = try draw.verifier
    let store = try await SQLiteStore(
      path: "host.sqlite", capabilities: [.subscriptions, .entitlements])
    self.catalog = catalog
    self.verifier = verifier
    appStore = try draw.server
    wholeStore = store
    let shop = PurchaseContext(
      store: store, accounts: accounts, verifier: verifier, sources: [appStore])
    subscriptions = try SubscriptionService(shop, products: [:])
    let entitlements = try EntitlementService(
      shop, apps: [EntitledApp(bundleID: "com.example.draw", catalog: catalog)])
    self.entitlements = entitlements
    notifications = try NotificationService(shop, entitlements: entitlements)
    answer = Entitlements(
      of: Holdings(
        purchases: AppPurchases(
          bundleID: "com.example.draw", productIDs: [], subscriptions: [])), catalog: catalog,
      at: now)
  }
}
