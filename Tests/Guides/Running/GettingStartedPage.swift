import Foundation
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import SQLiteStorage
import StoreSimulators
import Storekeeper

/// The page `getting-started.md`, whose tests are run, and whose shop is run on SQLite too.
struct GettingStartedPage: Page {
  static func run() async throws {
    try await ReaderShopTests().refundedSubscription()
    try await ReaderShopTests().renewalThatNobodyTold()
    try await ReaderShopTests().refundedPack()
    try await inNewFolder { try await onSQLite() }
    _ = ReaderServer.self
  }

  /// The shop of the program on its store, with a simulated App Store in Apple's place.
  private static func onSQLite() async throws {
    let reader = try SimulatedAppStore("com.example.reader")
    let store = try await SQLiteStore(
      path: "purchases.sqlite", capabilities: [.subscriptions, .credits])
    let shop = try ReaderShop(
      store: store, accounts: ReaderAccounts(isKnown: { $0 == "alice" }),
      verifier: try reader.verifier, appStore: try reader.server,
      now: { [appStore = reader.appStore] in appStore.now })
    try await shop.recovery.keepPlace()
    let purchase = try reader.appStore.buy("reader.monthly", by: "alice")
    try await shop.link(
      purchase.signedTransactionInfo, renewalInfo: purchase.signedRenewalInfo, to: "alice")
    expect(try await shop.mayRead("alice"))
    _ = try await shop.refreshes.run()
    _ = try await shop.outbox.deliverDue()
    let backlog = try await store.read { try await $0.outbox.backlog() }
    expect(backlog.waiting == 0)
    await expect(throws: SubscriptionFailure.self) {
      try await shop.link(purchase.signedTransactionInfo, renewalInfo: nil, to: "bob")
    }
    try await store.close()
  }
}

extension ReaderServer {
  /// What the server trusts in place of Apple's root.
  static var trustAnchors: [TrustAnchor] { SimulatedAppStore.trustAnchors }
  /// The time of the server.
  static var time: @Sendable () -> Date { { Date() } }
}
