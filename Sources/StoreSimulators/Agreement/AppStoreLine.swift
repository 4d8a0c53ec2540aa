internal import JWSVerifier
internal import ReceiptModels
internal import Storekeeper
internal import StorekeeperLocks
internal import StorekeeperTesting

/// The purchases of a customer at a simulated App Store, which can be asked about them.
struct AppStoreLine: PurchaseLine {
  let host: AgreementHost
  let owner: AccountID
  let stranger: AccountID
  private let customer: String
  private var purchases: [TestPurchase] = []
  private var pending: [TestNotification] = []
  private var told: [TestNotification] = []
  /// The signed transactions and receipts that the customer has.
  private var transactions: [String] = []
  private var receipts: [String] = []
  private var packs: AppStorePacks

  init(host: AgreementHost, seed: UInt64) {
    self.host = host
    customer = "customer-\(seed)"
    owner = AccountID(stored: "owner-\(seed)")
    stranger = AccountID(stored: "stranger-\(seed)")
    packs = AppStorePacks(host: host, owner: owner, stranger: stranger, customer: customer)
  }

  var bundleID: String { AgreementHost.reader }
  var vendor: Vendor { .apple }

  mutating func begin(_ random: inout SeededChance) async throws {
    try bought(host.appStore.buy(product(&random), by: customer))
    try await open(&random)
  }

  mutating func step(_ random: inout SeededChance) async throws -> String? {
    if random.roll(4) == 0 { return try await packs.step(&random) }
    do {
      return try await change(&random)
    } catch is SimulatorFailure {
      return nil
    }
  }

  mutating func open(_ random: inout SeededChance) async throws {
    for notification in pending.shuffled(using: &random) { try await tell(notification) }
    pending = []
    try await packs.open(&random)
    guard let latest = transactions.last else { return }
    // The first asks for what is stored and not told any more; the second for what is ordered.
    try await host.refresh(owner, in: bundleID)
    let receipt = try host.appStore.receipt(of: customer)
    try await host.order(random.roll(2) == 0 ? latest : receipt, from: .apple, by: owner)
    try await host.link(try PurchaseFacts(host.verifier.transaction(latest)), to: owner)
    try await host.upload(
      random.roll(2) == 0
        ? UploadedEvidence(signedTransactions: [latest]) : UploadedEvidence(receipt: receipt),
      by: owner, in: bundleID)
    try await host.refresh(owner, in: bundleID)
  }

  func creditsDue() -> Int { packs.due() }

  func due() -> ShownProduct? {
    host.appStore.state.withLock { $0.store.transactions(of: customer) }
      .compactMap { transaction in
        transaction.expiresDate.map { end in
          BookedCharge(
            id: transaction.id, productID: transaction.product.id,
            purchased: transaction.purchaseDate, end: end, revoked: transaction.cancellationDate,
            isUpgraded: transaction.isUpgraded)
        }
      }.due(at: host.now)
  }

  // MARK: Steps

  private mutating func change(_ random: inout SeededChance) async throws -> String? {
    let appStore = host.appStore
    guard let latest = purchases.last else { return nil }
    let any = purchases[random.roll(purchases.count)]
    let number = random.roll(26)
    // Apple charges ahead of a period, but nothing else happens before it begins.
    if [0, 1, 5, 6, 7, 8, 9, 10].contains(number) {
      host.pass(latest.notification.transaction.purchaseDate)
    }
    switch number {
    case 0:
      host.approach(latest.notification.transaction.expiresDate)
      try bought(appStore.renew(latest))
      return "renewed"
    case 1:
      let product = product(&random)
      guard product != latest.productID else { return nil }
      try bought(appStore.upgrade(latest, to: product))
      return "upgraded to \(product)"
    case 2:
      let product = product(&random)
      try noted(appStore.downgrade(latest, to: product))
      return "will be \(product)"
    case 3:
      try noted(appStore.refund(any))
      return "refunded \(any.transactionID)"
    case 4:
      try noted(appStore.reverseRefund(any))
      return "refund of \(any.transactionID) reversed"
    case 5:
      try noted(appStore.expire(latest, for: .customerCancelled))
      return "expired"
    case 6:
      let product = product(&random)
      try bought(appStore.buy(product, by: customer))
      return "bought \(product)"
    case 7:
      try noted(appStore.failRenewal(latest))
      return "payment failed"
    case 8:
      try bought(appStore.recover(latest))
      return "recovered"
    case 9:
      try bought(appStore.buy("pro", by: customer, plan: .monthly))
      return "committed"
    case 10:
      try bought(appStore.buy("basic", by: customer, offer: .winBack("return")))
      return "won back"
    default:
      if let step = try changeTerms(number, latest, any, &random) { return step }
      return try await tellSomething(&random)
    }
  }

  /// Changes what is not the charge itself; returns nil for another number.
  private mutating func changeTerms(
    _ number: Int, _ latest: TestPurchase, _ any: TestPurchase, _ random: inout SeededChance
  ) throws -> String? {
    let appStore = host.appStore
    switch number {
    case 11:
      let status: AutoRenewStatus = random.roll(2) == 0 ? .on : .off
      try noted(appStore.setAutoRenew(status, of: latest))
      return status == .on ? "will renew" : "will not renew"
    case 12:
      try noted(appStore.redeem(.code("spring"), for: latest))
      return "offer redeemed"
    case 13:
      try noted(appStore.askForPriceConsent(latest))
      return "asked about a price"
    case 14:
      try noted(
        random.roll(2) == 0
          ? appStore.consentToPrice(latest) : appStore.announcePriceIncrease(of: latest))
      return "new price"
    case 15:
      try noted(appStore.requestRefund(any))
      // Apple takes its time, so that no two copies of a charge have the same stamp.
      host.clock.advance(by: .milliseconds(1))
      try noted(appStore.decideRefund(any, otherwise: .prorated(1000 * (1 + random.roll(99)))))
      return "a part of \(any.transactionID) refunded"
    case 16:
      let days = 1 + random.roll(90)
      try noted(appStore.extend(latest, byDays: days))
      return "extended by \(days) days"
    default: return nil
    }
  }

  private mutating func tellSomething(_ random: inout SeededChance) async throws -> String? {
    let transaction = transactions[random.roll(transactions.count)]
    let receipt = receipts[random.roll(receipts.count)]
    let evidence = random.roll(2) == 0 ? transaction : receipt
    let isStranger = random.roll(4) == 0
    let user = isStranger ? stranger : owner
    switch random.roll(8) {
    case 0, 1, 2:
      guard !pending.isEmpty else { return nil }
      let notification = pending.remove(at: random.roll(pending.count))
      try await tell(notification)
      return "told \(notification.type.rawValue)"
    case 3:
      guard !told.isEmpty else { return nil }
      try await tell(told[random.roll(told.count)])
      return "told again"
    case 4:
      try await host.order(evidence, from: .apple, by: user)
      return "\(isStranger ? "stranger " : "")ordered"
    case 5:
      try await host.link(try PurchaseFacts(host.verifier.transaction(transaction)), to: user)
      return "\(isStranger ? "stranger " : "")linked"
    case 6:
      let upload =
        evidence == receipt
        ? UploadedEvidence(receipt: receipt) : UploadedEvidence(signedTransactions: [transaction])
      try await host.upload(upload, by: user, in: bundleID)
      return "\(isStranger ? "stranger " : "")uploaded"
    default:
      _ = try await host.orders.subscriptionForProfile(of: owner)
      return "logged in"
    }
  }

  private mutating func tell(_ notification: TestNotification) async throws {
    try await host.notifications.receive(signedPayload: notification.signedPayload)
    told.append(notification)
  }

  private mutating func bought(_ purchase: TestPurchase) throws {
    purchases.append(purchase)
    try noted(purchase.notification)
    receipts.append(try purchase.receipt)
  }

  private mutating func noted(_ notification: TestNotification) throws {
    pending.append(notification)
    transactions.append(try notification.signedTransactionInfo)
    if receipts.isEmpty { return }
    receipts.append(try host.appStore.receipt(of: customer))
  }
}
