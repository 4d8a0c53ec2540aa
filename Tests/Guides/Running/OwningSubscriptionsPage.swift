import Foundation
import InMemoryStorage
import JWSVerifier
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import SQLiteStorage
import StoreSimulators
import Storekeeper

/// The page `owning-subscriptions.md`, whose code is run.
struct OwningSubscriptionsPage: Page {
  let path: String
  let accounts: any AccountDirectory
  let client: VerifyReceiptClient
  var receipt = ""
  var signedTransactionInfo = ""
  var signedRenewalInfo = ""
  var originalTransactionID = ""
  var body: [UInt8] = []
  let transaction: Verified<Transaction>
  let renewalInfo: Verified<RenewalInfo>
  let accountID: AccountID
  var otherAccountID: AccountID = "bob"
  let verifier: SignedDataVerifier
  let secret = AppSharedSecret("0123456789abcdef0123456789abcdef")
  let store: SQLiteStore
  let subscriptions: SubscriptionService
  let mailer: any OutboxHandler
  var account = Account(id: "alice")
  let subscription: Subscription
  let someoneElses: Membership
  let now = Date()

  static func run() async throws {
    try await inNewFolder {
      let reader = try SimulatedAppStore("com.example.reader")
      let store = try await SQLiteStore(path: "host.sqlite")
      // A purchase for each block, and an account.
      let (linked, received) = (
        try OwningSubscriptionsPage(reader, store, "alice"),
        try OwningSubscriptionsPage(reader, store, "carol")
      )
      try await linked.yourPart()
      try await linked.recordAndLinkASignedTransaction()
      let membership = try await linked.subscriptions.membership(of: "alice")
      expect(membership?.grantsAccess(at: linked.now) == true)
      try await linked.recordAndLinkASignedTransaction2()
      try await Claims.expect(3) { try await linked.refusals() }
      try await Claims.expect(1) { try await linked.testYourPolicyDecisions() }

      try await received.verifyAReceiptAndLinkIt()
      let kept = try await received.subscriptions.subscriptions(of: "carol").subscriptions
      expect(kept.map(\.originalTransactionID) == [received.originalTransactionID])
      try await received.receiveNotificationsFromApple()
      let refunded = try await received.subscriptions.membership(of: "carol")
      expect(refunded?.grantsAccess(at: received.now) == false)
      try await linked.runTheBackgroundJobs()
      try await tell()
      try await store.close()
    }
  }

  /// The host's own handler.
  private static func tell() async throws {
    let (events, end) = AsyncStream<String>.makeStream()
    let handler = EventHandler { event, account, key in
      end.yield("\(event) \(account.rawValue) \(key)")
    }
    for kind in OutboxMessage.Kind.allCases {
      let message = OutboxMessage(
        kind: kind, account: Account(id: "alice"), originalTransactionID: "1000", tier: nil,
        expireDate: nil, isAlreadyExpired: false)
      try await handler.deliver(message, number: 7)
    }
    end.finish()
    var told: [String] = []
    for await event in events { told.append(event) }
    expect(told == ["membership changed alice outbox-7", "refund a pack alice outbox-7"])
  }

  private init(
    _ reader: SimulatedAppStore, _ store: SQLiteStore, _ accountID: AccountID
  ) throws {
    let purchase = try reader.appStore.buy("reader.monthly", by: accountID.rawValue)
    let verifier = try reader.verifier
    let accounts = InMemoryAccountDirectory(["alice", "bob", "carol"].map { Account(id: $0) })
    path = "purchases.sqlite"
    self.store = store
    self.accounts = accounts
    self.accountID = accountID
    self.verifier = verifier
    client = try reader.receipts(.subscriptionService)
    receipt = try purchase.receipt
    signedTransactionInfo = try purchase.signedTransactionInfo
    signedRenewalInfo = try purchase.signedRenewalInfo ?? ""
    originalTransactionID = purchase.originalTransactionID
    transaction = try verifier.transaction(signedTransactionInfo)
    renewalInfo = try verifier.renewalInfo(signedRenewalInfo)
    subscriptions = try SubscriptionService(
      PurchaseContext(store: store, accounts: accounts, verifier: verifier),
      products: ["reader.monthly": Plan("standard", every: .month)], appStore: client)
    mailer = Mailer()
    subscription = Subscription(
      environment: .production, originalTransactionID: "1000", lastTransactionID: "1000",
      productID: "reader.monthly", purchaseDate: now, expiresDate: now + 86_400,
      tier: .standard, cycle: .month, autoRenewal: true)
    var membership = Membership(account: Account(id: "bob"))
    membership.payMethod = .apple
    membership.originalTransactionID = "1000"
    membership.tier = .standard
    someoneElses = membership
    // The notification is of the second purchase, after its receipt was linked.
    body = accountID == "carol" ? try reader.appStore.refund(purchase).body : []
  }
}

/// A handler that delivers everything.
struct Mailer: OutboxHandler {
  func deliver(_ message: OutboxMessage, number: Int) {}
}
