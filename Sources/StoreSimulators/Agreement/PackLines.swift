internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper
internal import StorekeeperLocks
internal import StorekeeperTesting

/// The packs of credits that a customer buys at a simulated App Store.
struct AppStorePacks {
  private let host: AgreementHost
  private let owner: AccountID
  private let stranger: AccountID
  private let customer: String
  private var packs: [Pack] = []
  private var pending: [TestNotification] = []
  private var told: [TestNotification] = []

  private struct Pack {
    let purchase: TestPurchase
    /// Everything that Apple signed about it, oldest first.
    var tokens: [String]
    /// Whether the owner has shown it to the app, and got its credits.
    var isGiven = false
  }

  init(host: AgreementHost, owner: AccountID, stranger: AccountID, customer: String) {
    (self.host, self.owner, self.stranger, self.customer) = (host, owner, stranger, customer)
  }

  /// Does something with a pack, and returns what it was; nil if that was not possible.
  mutating func step(_ random: inout SeededChance) async throws -> String? {
    do {
      return try await change(&random)
    } catch is SimulatorFailure {
      return nil
    }
  }

  /// Tells everything, and shows every pack to the app.
  mutating func open(_ random: inout SeededChance) async throws {
    for notification in pending.shuffled(using: &random) { try await tell(notification) }
    pending = []
    for index in packs.indices {
      guard let newest = packs[index].tokens.last else { continue }
      try await show(newest, of: index)
      if charge(of: packs[index])?.cancellationDate == nil { packs[index].isGiven = true }
    }
  }

  /// Returns the credits that the customer has by the store's own books.
  func due() -> Int {
    packs.reduce(0) { sum, pack in
      guard pack.isGiven, let charge = charge(of: pack) else { return sum }
      return sum
        + host.creditsLeft(
          of: AgreementHost.pack.credits * charge.quantity,
          isRefunded: charge.cancellationDate != nil, thousandths: charge.revocationPercentage)
    }
  }

  private func charge(of pack: Pack) -> SimulatedTransaction? {
    Int(pack.purchase.transactionID).flatMap { id in
      host.appStore.state.withLock { $0.store.transaction(id) }
    }
  }

  private mutating func change(_ random: inout SeededChance) async throws -> String? {
    let appStore = host.appStore
    let number = random.roll(10)
    guard number > 1, !packs.isEmpty else {
      let quantity = 1 + random.roll(3)
      let purchase = try appStore.buy(
        AgreementHost.pack.code, by: customer, quantity: quantity)
      packs.append(Pack(purchase: purchase, tokens: []))
      try noted(purchase.notification, of: packs.count - 1)
      return "bought \(quantity) packs"
    }
    let any = random.roll(packs.count)
    let purchase = packs[any].purchase
    switch number {
    case 2:
      try noted(appStore.refund(purchase), of: any)
      return "pack \(any) refunded"
    case 3:
      try noted(appStore.reverseRefund(purchase), of: any)
      return "refund of pack \(any) reversed"
    case 4:
      try noted(appStore.requestRefund(purchase), of: any)
      // Apple takes its time, so that no two copies of a charge have the same stamp.
      host.clock.advance(by: .milliseconds(1))
      let share = 1000 * (1 + random.roll(99))
      try noted(appStore.decideRefund(purchase, otherwise: .prorated(share)), of: any)
      return "\(share) of pack \(any) refunded"
    case 5, 6:
      guard !pending.isEmpty else { return nil }
      let notification = pending.remove(at: random.roll(pending.count))
      try await tell(notification)
      return "told \(notification.type.rawValue) of a pack"
    case 7:
      guard !told.isEmpty else { return nil }
      try await tell(told[random.roll(told.count)])
      return "told of a pack again"
    default: break
    }
    // Whoever is first gets the credits, so that strangers come after the owner.
    let token = packs[any].tokens[random.roll(packs[any].tokens.count)]
    guard packs[any].isGiven, random.roll(2) == 0 else {
      try await show(token, of: any)
      return "showed pack \(any)"
    }
    _ = try await host.grant(token, purchase, to: stranger)
    return "stranger showed pack \(any)"
  }

  private mutating func show(_ token: String, of index: Int) async throws {
    let isGiven = try await host.grant(token, packs[index].purchase, to: owner)
    packs[index].isGiven = packs[index].isGiven || isGiven
  }

  private mutating func noted(_ notification: TestNotification, of index: Int) throws {
    pending.append(notification)
    packs[index].tokens.append(try notification.signedTransactionInfo)
  }

  private mutating func tell(_ notification: TestNotification) async throws {
    try await host.notifications.receive(signedPayload: notification.signedPayload)
    told.append(notification)
  }
}

/// The packs of credits that a customer buys at a simulated Play store.
struct PlayStorePacks {
  private let host: AgreementHost
  private let owner: AccountID
  private let stranger: AccountID
  private let customer: String
  private var packs: [Pack] = []

  private struct Pack {
    let purchase: TestPlayPurchase
    /// Whether the owner has shown it to the app, and got its credits.
    var isGiven = false
  }

  init(host: AgreementHost, owner: AccountID, stranger: AccountID, customer: String) {
    (self.host, self.owner, self.stranger, self.customer) = (host, owner, stranger, customer)
  }

  /// Does something with a pack, and returns what it was; nil if that was not possible.
  mutating func step(_ random: inout SeededChance) async throws -> String? {
    do {
      return try await change(&random)
    } catch is PlayStoreFailure {
      return nil
    }
  }

  /// Tells everything, and shows every pack to the app, while Google answers.
  mutating func open() async throws {
    for index in packs.indices {
      let purchase = packs[index].purchase
      try await tell(purchase)
      try await show(index)
      if let product = product(of: packs[index]), product.phase == .purchased,
        host.partialRefunds == .share || product.refundableQuantity == product.quantity
      {
        packs[index].isGiven = true
      }
    }
  }

  /// Returns the credits that the customer has by the store's own books.
  func due() -> Int {
    packs.reduce(0) { sum, pack in
      guard pack.isGiven, let product = product(of: pack), product.phase == .purchased else {
        return sum
      }
      let (bought, left) = (product.quantity, product.refundableQuantity)
      guard left == bought || host.partialRefunds == .share else { return sum }
      return sum + left * AgreementHost.pack.credits
    }
  }

  private func product(of pack: Pack) -> SimulatedPlayProduct? {
    let now = host.now
    return host.play.state.withLock { state in
      state.world.settle(at: now)
      return state.world.product(pack.purchase.purchaseToken)
    }
  }

  private mutating func change(_ random: inout SeededChance) async throws -> String? {
    let number = random.roll(8)
    guard number > 1, !packs.isEmpty else {
      let quantity = 1 + random.roll(3)
      let isPaid = random.roll(4) > 0
      let purchase = try host.play.buy(
        AgreementHost.pack.code, quantity: quantity, by: customer,
        PlayTerms(payment: isPaid ? .immediate : .pending))
      packs.append(Pack(purchase: purchase))
      return "bought \(quantity) packs\(isPaid ? "" : ", not paid yet")"
    }
    let any = random.roll(packs.count)
    let purchase = packs[any].purchase
    switch number {
    case 2:
      _ = try host.play.refund(purchase)
      return "pack \(any) refunded"
    case 3:
      _ = try host.play.refund(purchase, quantity: 1)
      return "one of pack \(any) refunded"
    case 4:
      _ = try host.play.completePayment(of: purchase)
      return "pack \(any) paid"
    case 5:
      _ = try host.play.acknowledge(purchase)
      return "pack \(any) acknowledged"
    case 6:
      try await tell(purchase)
      return "told of pack \(any)"
    default: break
    }
    // Whoever is first gets the credits, so that strangers come after the owner.
    guard packs[any].isGiven, random.roll(2) == 0 else {
      try await show(any)
      return "showed pack \(any)"
    }
    _ = try await host.grant(purchase, to: stranger)
    return "stranger showed pack \(any)"
  }

  private mutating func show(_ index: Int) async throws {
    let isGiven = try await host.grant(packs[index].purchase, to: owner)
    packs[index].isGiven = packs[index].isGiven || isGiven
  }

  /// Google says that a purchase has changed; an outage is no error here.
  private func tell(_ purchase: TestPlayPurchase) async throws {
    do {
      _ = try await host.credits.follow(purchaseToken: purchase.purchaseToken)
    } catch is GooglePlayFailure {}
  }
}

extension AgreementHost {
  /// Shows a signed transaction of a pack, and returns whether its credits were given, now or before; a refusal is no
  /// error here.
  fileprivate func grant(
    _ token: String, _ purchase: TestPurchase, to user: AccountID
  ) async throws -> Bool {
    let claim = GrantClaim(
      userID: user, productCode: Self.pack.code, appStoreProductID: Self.pack.code,
      transactionID: purchase.transactionID)
    do {
      _ = try await credits.grant(claim, signedTransactionInfo: token)
      return true
    } catch is CreditFailure {
      return false
    }
  }

  /// Shows a purchase token of a pack, and returns whether its credits were given, now or before; a refusal is no
  /// error here.
  fileprivate func grant(_ purchase: TestPlayPurchase, to user: AccountID) async throws -> Bool {
    do {
      _ = try await credits.grant(
        purchaseToken: purchase.purchaseToken, of: Self.pack.code, to: user)
      return true
    } catch is CreditFailure {
      return false
    }
  }

  /// Returns the credits that a refund leaves of some; without a share it is a refund of the whole.
  ///
  /// This is the rule once more, on purpose apart from the rule that the services ask.
  ///
  /// Source: credit rules, section 6.
  fileprivate func creditsLeft(
    of credits: Int, isRefunded: Bool, thousandths: Int?
  ) -> Int {
    guard isRefunded else { return credits }
    guard partialRefunds == .share, let thousandths, thousandths < 100_000 else { return 0 }
    var taken = credits * thousandths / 100_000
    if credits * thousandths % 100_000 > 0 { taken += 1 }
    return credits - taken
  }
}
