internal import ReceiptModels
internal import Storekeeper

/// The purchases of a customer at a simulated Play store, each of which may continue another.
struct PlayStoreLine: PurchaseLine {
  let host: AgreementHost
  let owner: AccountID
  let stranger: AccountID
  private let customer: String
  private var purchases: [TestPlayPurchase] = []
  /// The tokens of purchases that were made in Google's own pages.
  private var outOfApp: Set<String> = []
  private var packs: PlayStorePacks

  init(host: AgreementHost, seed: UInt64, _ random: inout SeededChance) {
    self.host = host
    customer = "customer-\(seed)"
    owner = AccountID(stored: "owner-\(seed)")
    stranger = AccountID(stored: "stranger-\(seed)")
    packs = PlayStorePacks(host: host, owner: owner, stranger: stranger, customer: customer)
    host.play.settings.replacementLag = random.roll(3) == 0 ? .days(1) : .zero
  }

  var bundleID: String { AgreementHost.reader }
  var vendor: Vendor { .google }

  mutating func begin(_ random: inout SeededChance) async throws {
    let plan = random.roll(4) == 0 ? "prepaid" : "base"
    purchases.append(
      try host.play.subscribe(product(&random), basePlan: plan, by: customer))
    try await open(&random)
  }

  mutating func open(_ random: inout SeededChance) async throws {
    try await packs.open()
    for purchase in purchases.shuffled(using: &random) { try await tell(purchase) }
    guard let latest = purchases.last else { return }
    let token = latest.purchaseToken
    try await host.order(token, from: .google, by: owner)
    try await link(latest, to: owner)
    try await host.upload(UploadedEvidence(purchaseTokens: [token]), by: owner, in: bundleID)
    try await host.refresh(owner, in: bundleID)
  }

  func creditsDue() -> Int { packs.due() }

  func due() throws -> ShownProduct? {
    guard let last = purchases.last else { return nil }
    let purchase = try host.play.purchase(last.purchaseToken)
    let running = ["ACTIVE", "IN_GRACE_PERIOD", "CANCELED"].map { "SUBSCRIPTION_STATE_" + $0 }
    guard running.contains(purchase.state), let end = purchase.expiry else { return nil }
    return ShownProduct(purchase.productID, until: end, at: host.now)
  }

  mutating func step(_ random: inout SeededChance) async throws -> String? {
    if random.roll(4) == 0 { return try await packs.step(&random) }
    do {
      return try await change(&random)
    } catch is PlayStoreFailure {
      return nil
    }
  }

  // MARK: Steps

  private mutating func change(_ random: inout SeededChance) async throws -> String? {
    let play = host.play
    guard let latest = purchases.last else { return nil }
    switch random.roll(26) {
    case 0:
      _ = try play.renew(latest)
      return "renewed"
    case 1, 2, 3:
      let product = product(&random)
      let modes = PlayReplacementMode.allCases
      let mode = modes[random.roll(modes.count)]
      guard try await acknowledge(latest) else { return nil }
      purchases.append(try play.changePlan(of: latest, to: product, mode: mode))
      return "changed to \(product) \(mode.rawValue)"
    case 4:
      _ = try play.cancel(latest)
      return "canceled"
    case 5:
      _ = try play.restore(latest)
      return "restored"
    case 6:
      let hasGrace = random.roll(2) == 0
      _ = try play.failRenewal(latest, gracePeriod: hasGrace ? .days(7) : nil)
      return hasGrace ? "grace" : "hold"
    case 7:
      _ = try play.recover(latest)
      return "recovered"
    case 8:
      _ = try play.revoke(latest)
      return "revoked"
    case 9:
      _ = try play.expire(latest)
      return "expired"
    case 10:
      guard try await acknowledge(latest) else { return nil }
      purchases.append(try play.resubscribe(latest))
      return "subscribed again"
    case 11:
      let purchase = try play.resubscribeOutOfApp(latest)
      purchases.append(purchase)
      outOfApp.insert(purchase.purchaseToken)
      return "subscribed again in Google's pages"
    case 12:
      _ = try play.pause(latest, for: .days(1 + random.roll(90)))
      return "paused"
    case 13:
      _ = try play.resume(latest)
      return "resumed"
    case 14:
      let days = 1 + random.roll(60)
      _ = try play.deferPayment(of: latest, by: .days(days))
      return "deferred by \(days) days"
    case 15:
      _ = try play.changePrice(of: latest, to: PlayPrice(units: 5 + random.roll(5)))
      return "new price"
    case 16:
      purchases.append(try play.topUp(latest))
      return "topped up"
    default: return try await tellSomething(&random)
    }
  }

  /// Acknowledges a purchase, and returns whether that was possible.
  ///
  /// Google forgets then what a purchase from its own pages continues, so that the host has to hear of it before.
  private func acknowledge(_ purchase: TestPlayPurchase) async throws -> Bool {
    if outOfApp.contains(purchase.purchaseToken) {
      guard host.outages[.google]?.isOn != true else { return false }
      try await tell(purchase)
    }
    _ = try host.play.acknowledge(purchase)
    return true
  }

  private func tellSomething(_ random: inout SeededChance) async throws -> String? {
    let index = random.roll(purchases.count)
    let purchase = purchases[index]
    let isStranger = random.roll(4) == 0
    let user = isStranger ? stranger : owner
    switch random.roll(6) {
    case 0, 1:
      try await tell(purchase)
      return "told of \(index)"
    case 2:
      try await host.order(purchase.purchaseToken, from: .google, by: user)
      return "\(isStranger ? "stranger " : "")ordered \(index)"
    case 3:
      try await link(purchase, to: user)
      return "\(isStranger ? "stranger " : "")linked \(index)"
    case 4:
      try await host.upload(
        UploadedEvidence(purchaseTokens: [purchase.purchaseToken]), by: user, in: bundleID)
      return "\(isStranger ? "stranger " : "")uploaded \(index)"
    default:
      _ = try await host.orders.subscriptionForProfile(of: owner)
      return "logged in"
    }
  }

  /// Google says that a purchase has changed.
  private func tell(_ purchase: TestPlayPurchase) async throws {
    do {
      try await host.orders.purchaseChanged(purchase.purchaseToken, at: .google)
    } catch is OrderFailure {}
  }

  private func link(_ purchase: TestPlayPurchase, to user: AccountID) async throws {
    let facts: PurchaseFacts
    do {
      facts = try await host.source.facts(ofSubscription: purchase.purchaseToken)
    } catch {
      return
    }
    try await host.link(facts, to: user)
  }
}
