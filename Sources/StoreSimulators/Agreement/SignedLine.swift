internal import JWSVerifier
internal import ReceiptModels
internal import Storekeeper
internal import StorekeeperTesting

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The purchases of a customer in an app about which nobody can be asked: what Apple signed is all there is.
struct SignedLine: PurchaseLine {
  let host: AgreementHost
  let owner: AccountID
  let stranger: AccountID
  private var originalID: String
  private var previousID: String?
  private var charges: [BookedCharge] = []
  private var nextID: Int
  private var pending: [String] = []
  private var transactions: [String] = []

  init(host: AgreementHost, seed: UInt64) {
    self.host = host
    owner = AccountID(stored: "owner-\(seed)")
    stranger = AccountID(stored: "stranger-\(seed)")
    nextID = 3_000_000_000_000_000 + Int(seed % 10_000_000) * 1000
    originalID = String(nextID)
  }

  var bundleID: String { AgreementHost.signed }
  var vendor: Vendor { .apple }

  mutating func begin(_ random: inout SeededChance) async throws {
    try charge(product(&random), from: host.now)
    try await open(&random)
  }

  mutating func step(_ random: inout SeededChance) async throws -> String? {
    guard let last = charges.last else { return nil }
    let any = random.roll(charges.count)
    switch random.roll(12) {
    case 0:
      host.approach(last.end)
      try charge(last.productID, from: max(last.end, host.now))
      return "renewed"
    case 1, 2:
      let product = product(&random)
      if product != last.productID, host.now < last.end, random.roll(2) == 0 {
        charges[charges.count - 1].isUpgraded = true
      }
      try charge(product, from: max(host.now, last.purchased + 1))
      return "changed to \(product)"
    case 3:
      charges[any].revoked = host.now
      try tellOf(any)
      return "refunded \(any)"
    case 4:
      charges[any].revoked = nil
      try tellOf(any)
      return "refund of \(any) reversed"
    case 5:
      guard previousID == nil else { return nil }
      previousID = originalID
      nextID += 1
      originalID = String(nextID)
      try tellOf(any)
      return "moved"
    default: return try await tellSomething(&random)
    }
  }

  mutating func open(_ random: inout SeededChance) async throws {
    for index in charges.indices { try tellOf(index) }
    for token in pending.shuffled(using: &random) { try await tell(token) }
    pending = []
    guard let latest = transactions.last else { return }
    try await host.order(latest, from: .apple, by: owner)
    try await host.link(try PurchaseFacts(host.verifier.transaction(latest)), to: owner)
    try await host.upload(UploadedEvidence(signedTransactions: [latest]), by: owner, in: bundleID)
  }

  func due() -> ShownProduct? { charges.due(at: host.now) }

  /// The app sells no packs.
  func creditsDue() -> Int { 0 }

  // MARK: Steps

  private mutating func tellSomething(_ random: inout SeededChance) async throws -> String? {
    let transaction = transactions[random.roll(transactions.count)]
    let isStranger = random.roll(4) == 0
    let user = isStranger ? stranger : owner
    switch random.roll(6) {
    case 0, 1:
      guard !pending.isEmpty else { return nil }
      try await tell(pending.remove(at: random.roll(pending.count)))
      return "told"
    case 2:
      try await host.order(transaction, from: .apple, by: user)
      return "\(isStranger ? "stranger " : "")ordered"
    case 3:
      try await host.link(try PurchaseFacts(host.verifier.transaction(transaction)), to: user)
      return "\(isStranger ? "stranger " : "")linked"
    case 4:
      try await host.upload(
        UploadedEvidence(signedTransactions: [transaction]), by: user, in: bundleID)
      return "\(isStranger ? "stranger " : "")uploaded"
    default:
      _ = try await host.orders.subscriptionForProfile(of: owner)
      return "logged in"
    }
  }

  private mutating func charge(_ productID: String, from start: Date) throws {
    let days = AgreementHost.products.first { $0.0 == productID }?.1 ?? 30
    if !charges.isEmpty { nextID += 1 }
    charges.append(
      BookedCharge(
        id: nextID, productID: productID, purchased: start,
        end: start.addingTimeInterval(Double(days) * 86_400)))
    try tellOf(charges.count - 1)
  }

  /// Has Apple sign the present state of a charge.
  private mutating func tellOf(_ index: Int) throws {
    // No two copies of a charge have the same stamp.
    host.clock.advance(by: .milliseconds(1))
    let charge = charges[index]
    var transaction = Transaction()
    transaction.transactionID = String(charge.id)
    transaction.originalTransactionID = originalID
    transaction.previousOriginalTransactionID = previousID
    transaction.bundleID = bundleID
    transaction.productID = charge.productID
    transaction.subscriptionGroupIdentifier = "20000002"
    transaction.type = .autoRenewableSubscription
    transaction.inAppOwnershipType = .purchased
    transaction.environment = .production
    transaction.purchaseDate = charge.purchased
    transaction.originalPurchaseDate = charges[0].purchased
    transaction.expiresDate = charge.end
    transaction.revocationDate = charge.revoked
    if charge.isUpgraded { transaction.isUpgraded = true }
    transaction.signedDate = host.now
    let token = try host.appStore.signedDataAuthority.sign(transaction)
    transactions.append(token)
    pending.append(token)
  }

  private func tell(_ token: String) async throws {
    var data = NotificationData()
    data.environment = .production
    data.bundleID = bundleID
    data.appAppleID = 987_654_321
    data.signedTransactionInfo = token
    var notification = ServerNotification()
    notification.notificationType = .didRenew
    notification.notificationUUID = UUID().uuidString
    notification.version = "2.0"
    notification.signedDate = host.now
    notification.data = data
    try await host.notifications.receive(
      signedPayload: host.appStore.signedDataAuthority.sign(notification))
  }
}
