import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// A host that sells credits, with a simulated App Store; u1 has 100 credits.
struct CreditScene: Sendable {
  static let welcome = "com.example.gems.welcome"
  static let big = "com.example.gems.big"
  static let x = "2000000900000001"
  static let y = "2000000900000002"
  static let products = [
    CreditProduct(
      code: "welcome_pack", appStoreProductID: welcome, credits: 60, type: .starter),
    CreditProduct(code: "big_pack", appStoreProductID: big, credits: 500),
    CreditProduct(
      code: "old_pack", appStoreProductID: "com.example.gems.old", credits: 5, isEnabled: false),
  ]

  /// The parts of the host that a test changes.
  struct Setup {
    var environment = AppStoreEnvironment.production
    var options = CreditOptions()
    var products = CreditScene.products
    /// Whether the host has subscriptions, too.
    var hasSubscriptions = false
    var accounts = CreditAccounts()
    /// The environments that the verifier accepts.
    var verified: Set<AppStoreEnvironment> = .auto
  }

  let store: any PurchaseStore
  let faults: HostRecords.Faults
  let appStore: AppStoreSimulator
  let verifier: SignedDataVerifier
  let subscriptions: SubscriptionService
  let credits: CreditService
  let notifications: NotificationService
  let incidents: Incidents

  init(_ change: (inout Setup) -> Void = { _ in }) async throws {
    var setup = Setup()
    change(&setup)
    let faults = HostRecords.Faults()
    let incidents = Incidents()
    let store = try await StoreScope.emptyHostStore(faults)
    let appStore = try AppStoreSimulator(
      bundleID: ServiceScene.bundleID, environment: setup.environment,
      products: TestProduct.samples + [
        TestProduct(Self.welcome, .consumable), TestProduct(Self.big, .consumable),
      ]
    ) {
      $0.authority = ServiceScene.authority
      $0.start = ServiceScene.start
    }
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: ServiceScene.bundleID, appAppleID: appStore.appAppleID)],
      environments: setup.verified, trustAnchors: [appStore.signedDataAuthority.trustAnchor],
      now: { appStore.now })
    subscriptions = try SubscriptionService(
      PurchaseContext(
        store: store, accounts: setup.accounts, now: { appStore.now }, report: { incidents.add($0) }
      ), products: ServiceScene.products, appStore: nil)
    credits = try CreditService(
      PurchaseContext(
        store: store, accounts: setup.accounts, verifier: verifier, now: { appStore.now },
        report: { incidents.add($0) }), products: try CreditProducts(setup.products),
      options: setup.options)
    notifications =
      setup.hasSubscriptions
      ? try NotificationService(
        subscriptions.context.with(verifier: verifier), subscriptions: subscriptions,
        credits: credits)
      : try NotificationService(credits.context, credits: credits)
    self.store = store
    self.faults = faults
    self.appStore = appStore
    self.verifier = verifier
    self.incidents = incidents
    try await give(100, to: "u1")
  }

  /// Runs a test on a new host, and audits its records afterwards.
  static func run(
    _ change: (inout Setup) -> Void = { _ in },
    _ body: nonisolated(nonsending) (CreditScene) async throws -> Void
  ) async throws {
    let scene = try await CreditScene(change)
    try await body(scene)
    try await scene.audit()
  }

  // MARK: Signed data

  /// A transaction as Apple signs it.
  func transaction(
    _ id: String = x, of product: String = big,
    _ change: (inout Transaction) -> Void = { _ in }
  ) -> Transaction {
    var transaction = Transaction()
    transaction.transactionID = id
    transaction.originalTransactionID = id
    transaction.bundleID = ServiceScene.bundleID
    transaction.productID = product
    transaction.type = .consumable
    transaction.environment = appStore.environment
    transaction.purchaseDate = ServiceScene.start
    transaction.signedDate = appStore.now
    change(&transaction)
    return transaction
  }

  func signed(_ transaction: Transaction) throws -> String {
    try appStore.signedDataAuthority.sign(transaction)
  }

  /// A notification as Apple signs it.
  func notification(
    _ type: NotificationType, _ transaction: Transaction?, uuid: String = UUID().uuidString,
    at date: Date? = nil, change: (inout ServerNotification) -> Void = { _ in }
  ) throws -> String {
    var data = NotificationData()
    data.environment = transaction?.environment ?? appStore.environment
    data.bundleID = ServiceScene.bundleID
    data.appAppleID = appStore.appAppleID
    data.signedTransactionInfo = try transaction.map(signed)
    var notification = ServerNotification()
    notification.notificationType = type
    notification.notificationUUID = uuid
    notification.version = "2.0"
    notification.signedDate = date ?? appStore.now
    notification.data = data
    change(&notification)
    return try appStore.signedDataAuthority.sign(notification)
  }

  // MARK: Calls

  /// Verifies a purchase, as a client asks for it.
  func verify(
    _ transaction: Transaction, by user: AccountID = "u1", as code: String? = nil,
    _ change: (inout GrantClaim) -> Void = { _ in }
  ) async throws -> CreditGrant {
    let product = transaction.productID ?? ""
    var claim = GrantClaim(
      userID: user,
      productCode: code ?? (product == Self.welcome ? "welcome_pack" : "big_pack"),
      appStoreProductID: product, transactionID: transaction.transactionID ?? "")
    change(&claim)
    return try await credits.grant(claim, signedTransactionInfo: try signed(transaction))
  }

  /// Receives a notification, and returns its recorded outcome.
  @discardableResult
  func notify(
    _ type: NotificationType, _ transaction: Transaction?, uuid: String = UUID().uuidString,
    at date: Date? = nil
  ) async throws -> NoticeOutcome? {
    let token = try notification(type, transaction, uuid: uuid, at: date)
    try await notifications.receive(creditPayload: token)
    return try await recorded(uuid)?.outcome
  }

  /// Books an event of the host's own, which is a bonus or, if the amount is negative, spending.
  @discardableResult
  func give(
    _ amount: Int, to user: AccountID, event: String = "host:" + UUID().uuidString
  ) async throws -> LedgerEntry {
    try await credits.book(
      LedgerBooking(
        userID: user, eventID: event,
        changeType: LedgerBooking.ChangeType(rawValue: amount < 0 ? "spending" : "bonus"),
        subjectType: "host", subjectID: "1", amount: amount))
  }

  /// Grants a purchase of the big pack to u1, loses the notification of its refund, and recovers it.
  func recoverLostRefund(of purchase: TestPurchase) async throws -> NotificationRecovery {
    let transaction = try verifier.transaction(purchase.signedTransactionInfo)
    _ = try await credits.grant(transaction, of: "big_pack", to: "u1")
    appStore.clock.advance(by: .days(1))
    appStore.loseNotifications()
    let refund = try appStore.refund(purchase)
    appStore.clock.advance(by: .seconds(7200))
    let client = try ServerScene.client(of: appStore, appStore, verifier)
    let recovery = NotificationRecovery(notifications: notifications, appStore: client)
    let report = try await recovery.recover(.production)
    #expect([report.recovered, report.refused, report.refreshed] == [1, 0, 0] as [Int])
    #expect(try await recorded(refund.uuid)?.outcome == .clawedBack)
    #expect(try await balance() == 100)
    return recovery
  }

  // MARK: Records

  func balance(of user: AccountID = "u1") async throws -> Int {
    try await credits.balance(of: user)
  }

  func recorded(_ uuid: String) async throws -> CreditNotification? {
    try await store.read { try await $0.creditNotifications.find(uuid: uuid.lowercased()) }
  }

  func row(
    _ id: String = x, _ environment: AppStoreEnvironment = .production
  ) async throws -> CreditTransaction? {
    try await store.read { records in
      try await records.creditTransactions.find(transactionID: id, environment: environment)
    }
  }

  /// A user's entries of purchases, refunds and reversals, oldest first.
  func entries(of user: AccountID = "u1") async throws -> [LedgerEntry] {
    try await credits.ledger(of: user, limit: 100).entries.reversed()
      .filter { $0.booking.environment != nil }
  }

  /// The messages in the outbox, oldest first; they are leased for no time.
  func messages() async throws -> [OutboxMessage] {
    let now = appStore.now
    return try await store.write { records in
      try await records.outbox.lease(limit: 100, now: now, until: now, token: "test")
        .map(\.message)
    }
  }

  /// The stored purchases of a transaction.
  func kept(
    _ id: String = x, _ environment: AppStoreEnvironment = .production
  ) async throws -> [PurchaseRecord] {
    try await store.read { records in
      try await records.purchases.transactions(of: [id], environment: environment)
    }
  }
}

/// The accounts of a host that knows e-mail addresses and account tokens.
struct CreditAccounts: AccountDirectory {
  var emails: [AccountID: String] = [:]
  var tokens: [AccountID: UUID] = [:]

  func account(_ id: AccountID) -> Account? { Account(id: id) }
  func appAccountToken(of id: AccountID) -> UUID? { tokens[id] }
  func emailAddress(of id: AccountID) -> String? { emails[id] }
}

/// The failure about credits that a call throws; nil for another error or none.
func creditFailure<Result>(
  _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> CreditFailure? {
  do {
    _ = try await body()
    return nil
  } catch let failure as CreditFailure {
    return failure
  }
}

extension LedgerEntry {
  /// A member of `metadata.ext`.
  subscript(ext name: String) -> JSONValue? { booking.metadata["ext"]?[name] }
}
