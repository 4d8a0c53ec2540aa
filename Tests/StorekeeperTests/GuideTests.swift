import Foundation
import InMemoryStorage
import StoreSimulators
import StorekeeperHTTP
import FileReceiptStorage
import SQLiteStorage
import Storekeeper
import StorekeeperTesting
import Testing

/// The code of `Documentation/guides/owning-subscriptions.md`, with a simulated App Store in Apple's place.
@Suite("The guide to owning subscriptions")
struct GuideTests {
  private let scene: NotificationScene
  private var appStore: AppStoreSimulator { scene.scene.appStore }
  private var accounts: InMemoryAccountDirectory { scene.scene.accounts }

  init() async throws { scene = try await NotificationScene() }

  private func subscriptions(on store: any PurchaseStore) throws -> SubscriptionService {
    let appStore = appStore
    return try SubscriptionService(
      PurchaseContext(store: store, accounts: accounts, now: { appStore.now }),
      products: ProductMap([
        "reader.monthly": Plan(tier: .standard, cycle: .month)
      ]), appStore: try ServiceScene.client(of: appStore))
  }

  @Test("verify, link, unlink", arguments: StoreKind.available)
  func link(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let subscriptions = try subscriptions(on: store)
      let receipt = try appStore.buy("reader.monthly").receipt

      let subscription = try await subscriptions.subscription(receipt: receipt)
      let membership = try await subscriptions.link("alice", to: subscription.originalTransactionID)
      #expect(membership.expireDate == CalendarDay(subscription.expiresDate))

      do {
        _ = try await subscriptions.link("bob", to: subscription.originalTransactionID)
        Issue.record("a second account was accepted")
      } catch let failure as SubscriptionFailure {
        let answer = failure.answer(under: .current)
        #expect(answer.status == 422)
        #expect(answer.field == "originalTxId")
        #expect(answer.code == "linked_to_other_ftc")
      }
    }
  }

  @Test("test your own policy decisions")
  func policy() throws {
    let account = Account(id: "alice")
    let now = appStore.now
    let subscription = Subscription(
      environment: .production, originalTransactionID: "1000", lastTransactionID: "1000",
      productID: "reader.monthly", purchaseDate: now, expiresDate: now + 86_400, tier: .standard,
      cycle: .month, autoRenewal: true)
    var someoneElses = Membership(account: Account(id: "bob"))
    someoneElses.payMethod = .apple
    someoneElses.originalTransactionID = "1000"
    someoneElses.tier = .standard

    let decision = LinkProposal(
      account: account, subscription: subscription, accountMembership: nil,
      subscriptionMembership: someoneElses
    ).decision(at: now)
    #expect(decision.outcome == .refuse(.linkedToOtherAccount))
    #expect(decision.writes == [.dispute(originalTransactionID: "1000", account: account)])
  }

  @Test("Apple's notifications, and the workers")
  func workers() async throws {
    let purchase = try appStore.buy("reader.monthly")
    let notification = try scene.notificationV1(.initialBuy, about: purchase)
    let body = Array(try JSONEncoder().encode(notification))
    try await scene.service.receive(body: body)
    let subscriptions = scene.scene.service
    _ = try await subscriptions.link("alice", to: purchase.originalTransactionID)

    appStore.clock.advance(by: .days(28))
    let run = try await RefreshJob(subscriptions: subscriptions).run()
    #expect(run.succeeded == 1)
    let mailer = CountingMailer()
    let appStore = appStore
    let report = try await OutboxDelivery(
      store: scene.scene.store, handler: mailer, now: { appStore.now }
    ).deliverDue()
    #expect(report == OutboxDelivery.Report(delivered: 1, failed: 0))
  }

  @Test("bring your own database")
  func ownDatabase() async throws {
    for law in PurchaseStoreContract([.subscriptions], makeStore: { InMemoryPurchaseStore() }).laws
    {
      try await law.check()
    }
  }
}

private struct CountingMailer: OutboxHandler {
  func deliver(_ message: OutboxMessage, number: Int) {}
}
