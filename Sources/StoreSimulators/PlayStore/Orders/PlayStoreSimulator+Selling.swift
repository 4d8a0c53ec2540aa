internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PlayStoreSimulator {
  /// Sells a subscription, which begins now or, with a pending payment, once that is completed.
  ///
  /// It has to be acknowledged within three days. A customer has one subscription to a product at a time:
  /// change its plan with ``changePlan(of:to:basePlan:mode:_:)``.
  ///
  /// Without a base plan it is the product's first one.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownProduct`, `unknownBasePlan`, `otherKind` or `alreadyOwned`.
  @discardableResult
  public func subscribe(
    _ productID: String, basePlan: String? = nil, by customer: String = "customer",
    _ terms: PlayTerms = PlayTerms()
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    let product = try product(productID)
    let plan = try plan(basePlan, of: product)
    let settings = settings
    return try change { (world, now) throws(PlayStoreFailure) in
      guard !world.ownsSubscription(customer, productID) else { throw .alreadyOwned }
      let subscription = SimulatedPlaySubscription(
        productID, plan, by: customer, terms, at: now, settings)
      world.add(subscription)
      if terms.payment == .immediate { world.note(.purchased, subscription.token, at: now) }
      return subscription.token
    }
  }

  /// Sells a one-time product.
  ///
  /// An offer in the terms is the identifier of a purchase option's offer.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownProduct`, `otherKind` or `quantity`.
  @discardableResult
  public func buy(
    _ productID: String, quantity: Int = 1, by customer: String = "customer",
    _ terms: PlayTerms = PlayTerms()
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    let sold = try product(productID)
    guard sold.kind == .oneTime else { throw .otherKind }
    guard quantity >= 1 else { throw .quantity }
    let ordered = PlayOrders.Item(
      productID: productID, offer: terms.offer, quantity: quantity, price: sold.price,
      option: terms.purchaseOption)
    let settings = settings
    return try change { (world, now) throws(PlayStoreFailure) in
      let isReleased = terms.purchaseOption.release.map { $0 <= now } ?? true
      let isPaid = terms.payment == .immediate && isReleased
      var product = SimulatedPlayProduct(
        token: PlayToken.purchase(), customer: customer, productID: productID,
        quantity: quantity, terms: terms, completed: now, orders: PlayOrders(ordered, at: now),
        phase: isPaid ? .purchased : .pending,
        acknowledgeBy: terms.payment == .immediate
          ? settings.acknowledgeBy(
            of: terms, nil, from: isReleased ? now : terms.purchaseOption.release ?? now) : nil,
        refundableQuantity: quantity)
      if isPaid { product.orders.pay(at: now) }
      world.add(product)
      if isPaid { world.note(product, .purchased, at: now) }
      return product.token
    }
  }

  /// Completes a pending payment; the purchase counts from now on.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase` or `wrongState`.
  @discardableResult
  public func completePayment(
    of purchase: TestPlayPurchase
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    let settings = settings
    return try change { (world, now) throws(PlayStoreFailure) in
      if let product = world.product(purchase.purchaseToken) {
        guard product.phase == .pending else { throw .wrongState }
        world.complete(
          product, acknowledgeBy: settings.acknowledgeBy(of: product.terms, nil, from: now), at: now
        )
      } else {
        let subscription = try world.subscription(of: purchase)
        guard subscription.phase == .pending else { throw .wrongState }
        world.alter(subscription.token) { $0.begin(at: now, settings) }
        world.note(.purchased, subscription.token, at: now)
        if let old = subscription.linkedToken { world.replace(old, at: now, settings) }
      }
      return purchase.purchaseToken
    }
  }

  /// Gives up a pending payment.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase` or `wrongState`.
  @discardableResult
  public func cancelPayment(
    of purchase: TestPlayPurchase
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try change { (world, now) throws(PlayStoreFailure) in
      if let product = world.product(purchase.purchaseToken) {
        guard product.phase == .pending else { throw .wrongState }
        world.alter(product: product.token) { $0.phase = .canceled }
        world.note(product, .canceled, at: now)
      } else {
        let subscription = try world.subscription(of: purchase)
        guard subscription.phase == .pending else { throw .wrongState }
        world.alter(subscription.token) { $0.phase = .pendingCanceled }
        world.note(.pendingPurchaseCanceled, subscription.token, at: now)
      }
      return purchase.purchaseToken
    }
  }

  /// Acknowledges a purchase, as an app does on the device.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase` or `wrongState`.
  @discardableResult
  public func acknowledge(
    _ purchase: TestPlayPurchase
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try change { (world, _) throws(PlayStoreFailure) in
      if let product = world.product(purchase.purchaseToken) {
        guard product.phase == .purchased else { throw .wrongState }
        world.alter(product: product.token) { $0.acknowledge() }
      } else {
        guard try world.subscription(of: purchase).isOwned else { throw .wrongState }
        world.alter(purchase.purchaseToken) { $0.acknowledge() }
      }
      return purchase.purchaseToken
    }
  }
}

extension PlayStoreSimulator.Settings {
  /// Returns the end of the time for acknowledging a purchase.
  func acknowledgeBy(of terms: PlayTerms, _ plan: PlayBasePlan?, from date: Date) -> Date {
    var period = acknowledgementPeriod
    if let plan, plan.kind == .prepaid, plan.period < .days(7) { period = plan.period / 2 }
    if terms.buyer == .licenseTester { period = testAcknowledgementPeriod }
    return date.addingTimeInterval(period.timeInterval)
  }
}

extension SimulatedPlaySubscription {
  /// Creates a purchase; one whose payment is pending begins later.
  init(
    _ productID: String, _ plan: PlayBasePlan, by customer: String, _ terms: PlayTerms,
    at date: Date, _ settings: PlayStoreSimulator.Settings
  ) {
    token = PlayToken.purchase()
    self.customer = customer
    self.terms = terms
    start = date
    let item = Item(
      productID: productID, plan: plan, offer: terms.offer, price: plan.price,
      phase: terms.offer == nil ? .basePrice : terms.firstPhase,
      paymentsLeft: plan.installments?.committed)
    orders = PlayOrders(item.ordered(), at: date)
    items = [item]
    phase = .pending
    accountID = terms.obfuscatedAccountID
    profileID = terms.obfuscatedProfileID
    if terms.payment == .immediate { begin(at: date, settings) }
  }

  /// Begins the first period, which has been paid.
  mutating func begin(at date: Date, _ settings: PlayStoreSimulator.Settings) {
    start = date
    phase = .active
    let end = date.addingTimeInterval(item.plan.period.timeInterval)
    orders.pay(at: date, for: date..<end)
    items[0].orderID = orders.latest.id
    items[0].expiry = end
    items[0].payInstallment()
    acknowledgeBy = settings.acknowledgeBy(of: terms, item.plan, from: date)
  }

  mutating func acknowledge() {
    isAcknowledged = true
    acknowledgeBy = nil
    // Google answers with it for purchases only that are not acknowledged.
    resubscribed = nil
  }
}

extension SimulatedPlayProduct {
  mutating func acknowledge() {
    isAcknowledged = true
    acknowledgeBy = nil
  }

  mutating func consume() {
    acknowledge()
    isConsumed = true
  }
}

extension PlayWorld {
  /// Adds a notification about a one-time product.
  mutating func note(
    _ product: SimulatedPlayProduct, _ type: PlayOneTimeProductNotificationType, at date: Date
  ) {
    note(.oneTimeProduct(type, purchaseToken: product.token, sku: product.productID), at: date)
  }
}
