import AppStoreServerAPI
import Foundation
import InMemoryStorage
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import SQLiteStorage
import StoreSimulators
import Storekeeper
import StorekeeperHTTP

/// The page `asking-the-app-store.md`, whose calls for purchases are run.
struct AskingTheAppStorePage: Page {
  let appStore: AppStoreServerClient
  let store: SQLiteStore
  let accounts: any AccountDirectory = InMemoryAccountDirectory()
  let products: ProductMap = ["reader.monthly": Plan("standard", every: .month)]
  let subscriptions: SubscriptionService
  let notifications: NotificationService
  let tokens = BearerTokens([])
  let verifier: SignedDataVerifier
  let transactionID: String
  let originalTransactionID: String
  let orderNumber: String
  var storedRevision: String?
  let now = Date()
  let yesterday = Date() - 86_400
  let identifier = UUID()
  let messageID = UUID()
  let token = UUID()
  let mailer: any OutboxHandler = Mailer()

  static func run() async throws {
    try await inNewFolder {
      let reader = try SimulatedAppStore("com.example.reader")
      let purchase = try reader.appStore.buy("reader.monthly", by: "alice")
      let page = try await AskingTheAppStorePage(reader, purchase)
      try await page.createTheClient3()
      try await page.readAllTransactionsOfACustomer()
      try await page.readAllTransactionsOfACustomer2()
      try await page.readAllTransactionsOfACustomer3()
      try await page.askHowASubscriptionIsDoingNow()
      try await page.askHowASubscriptionIsDoingNow2()
      try await page.findAPurchaseByItsOrderNumber()
      try await page.extendASubscription()
      let extended = try await page.subscriptions.refresh(page.originalTransactionID)
      expect(extended.expiresDate > page.now + 59 * 86_400)
      try await page.setTheAccountToken()
      try await page.failuresAndWhenToAskAgain()
      try await page.limitsAndPatience()

      let refund = try reader.appStore.refund(purchase)
      try await page.findRefunds()
      let stored = try await page.subscriptions.subscription(page.originalTransactionID)
      expect(stored.expiresDate <= Date() + 1)
      try await page.findRefunds2()
      try await page.notifications.receive(signedPayload: refund.signedPayload)
      try await page.recoverNotificationsAfterAnOutage()
      try await page.recoverNotificationsAfterAnOutage2()
      try await page.moveFromReceiptsToTransactions2()
      try await page.tryItWithoutApple()
      try await page.store.close()
    }
  }

  private init(_ reader: SimulatedAppStore, _ purchase: TestPurchase) async throws {
    let store = try await SQLiteStore(path: "host.sqlite")
    let verifier = try reader.verifier
    let client = try reader.server
    let subscriptions = try SubscriptionService(
      PurchaseContext(
        store: store, accounts: accounts, verifier: verifier, sources: [client]),
      products: products)
    _ = try await subscriptions.record(
      verifier.transaction(purchase.signedTransactionInfo))
    appStore = client
    self.store = store
    self.verifier = verifier
    self.subscriptions = subscriptions
    notifications = try NotificationService(
      subscriptions.context, subscriptions: subscriptions)
    transactionID = purchase.transactionID
    originalTransactionID = purchase.originalTransactionID
    orderNumber = purchase.orderID
  }
}
