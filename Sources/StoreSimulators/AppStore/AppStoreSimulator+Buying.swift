internal import StorekeeperLocks
internal import StorekeeperCrypto
public import ReceiptModels
internal import StorekeeperTesting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppStoreSimulator {
  /// Buys a product.
  ///
  /// A subscription of a group that the customer had before continues under its first identifier.
  /// One that is active is changed with ``upgrade(_:to:)`` and ``downgrade(_:to:)`` instead.
  ///
  /// Each customer has a receipt of their own.
  ///
  /// With the plan `MONTHLY` the customer commits to twelve periods, each a twelfth of the product's, and pays one; see
  /// ``TestProduct/commitmentPrice``.
  ///
  /// - Throws: ``SimulatorFailure/unknownProduct(_:)``, ``SimulatorFailure/subscriptionRunning``,
  ///   ``SimulatorFailure/offerNotAvailable``, ``SimulatorFailure/noCommitment``.
  @discardableResult
  public func buy(
    _ productID: String, by customer: String = "customer", offer: TestOffer? = nil,
    plan: BillingPlanType? = nil, quantity: Int = 1, appAccountToken: UUID? = nil
  ) throws(SimulatorFailure) -> TestPurchase {
    let product = try product(productID)
    let terms = try product.terms(of: plan)
    return try change { (store, now) throws(SimulatorFailure) in
      if let offer, !offer.isAvailable(for: product, to: customer, in: store, at: now) {
        throw .offerNotAvailable
      }
      var original: Int?
      if case .autoRenewable(_, let group) = product.kind,
        let last = store.subscription(of: customer, in: group)
      {
        guard !last.isRunning(at: now) else { throw .subscriptionRunning }
        original = last.originalID
      }
      let bought = store.add(product, for: customer, at: now, continuing: original) {
        $0.offer = offer
        $0.begin(terms)
        $0.quantity = quantity
        $0.appAccountToken = appAccountToken
      }
      guard bought.group != nil else { return SimulatedChange(.boughtOnce, bought) }
      return SimulatedChange(original == nil ? .subscribed : .resubscribed, bought)
    }
  }

  /// Shares a purchase with a family member.
  ///
  /// - Returns: The member's own transaction, with an original identifier of its own.
  /// - Throws: ``SimulatorFailure/sharedWithBuyer``, ``SimulatorFailure/notShareable``,
  ///   ``SimulatorFailure/alreadyRefunded``, ``SimulatorFailure/notRunning``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func share(
    _ purchase: TestPurchase, with member: String
  ) throws(SimulatorFailure) -> TestPurchase {
    try give(purchase, to: member, as: .familyShared)
  }

  /// Assigns a purchase to somebody, as an organization does with the seats that it pays for.
  ///
  /// - Returns: The holder's own transaction, with an original identifier of its own.
  /// - Throws: ``SimulatorFailure/sharedWithBuyer``, ``SimulatorFailure/notShareable``,
  ///   ``SimulatorFailure/alreadyRefunded``, ``SimulatorFailure/notRunning``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func assign(
    _ purchase: TestPurchase, to holder: String
  ) throws(SimulatorFailure) -> TestPurchase {
    try give(purchase, to: holder, as: .assigned)
  }

  private func give(
    _ purchase: TestPurchase, to holder: String, as ownership: InAppOwnershipType
  ) throws(SimulatorFailure) -> TestPurchase {
    try change { (store, now) throws(SimulatorFailure) in
      let given = try latest(of: purchase, in: store)
      guard given.customer != holder else { throw .sharedWithBuyer }
      guard given.product.kind != .consumable else { throw .notShareable }
      guard given.cancellationDate == nil else { throw .alreadyRefunded }
      guard given.expiresDate == nil || given.isRunning(at: now) else { throw .notRunning }
      let own = store.add(given.product, for: holder, at: now) { transaction in
        transaction.ownership = ownership
        transaction.expiresDate = given.expiresDate
        transaction.plan = given.plan
        transaction.commitment = given.commitment
      }
      if ownership == .familyShared { store.share(by: given.customer, with: holder) }
      return SimulatedChange(own.group == nil ? .boughtOnce : .subscribed, own)
    }
  }

  /// Finishes a consumable, which removes it from all later receipts.
  ///
  /// - Throws: ``SimulatorFailure/notAConsumable``, ``SimulatorFailure/unknownPurchase``.
  public func finish(_ purchase: TestPurchase) throws(SimulatorFailure) {
    try changeStore { (store, _) throws(SimulatorFailure) in
      guard try latest(of: purchase, in: store).product.kind == .consumable else {
        throw .notAConsumable
      }
      store.change(id(purchase)) { $0.isFinished = true }
    }
  }

  /// Returns the current app receipt of a customer's device, in base64.
  ///
  /// A customer without purchases has a receipt too.
  public func receipt(of customer: String = "customer") throws -> String {
    let now = now
    let store = state.withLock { $0.store }
    let content = receiptContent(at: SimulatedMoment(of: customer, in: store, at: now))
    return Base64.encode(try authority.sign(content), .standard)
  }
}

// MARK: Common to all calls

/// The result of a call.
struct SimulatedChange: Sendable {
  let event: SimulatedEvent
  let transaction: SimulatedTransaction
  /// The reason that the customer gave for a refund.
  let reason: ConsumptionRequestReason?

  init(
    _ event: SimulatedEvent, _ transaction: SimulatedTransaction,
    for reason: ConsumptionRequestReason? = nil
  ) {
    self.event = event
    self.transaction = transaction
    self.reason = reason
  }
}

extension AppStoreSimulator {
  /// Changes the purchases, and returns the resulting transaction.
  func change(
    _ body: (inout SimulatedStore, Date) throws(SimulatorFailure) -> SimulatedChange
  ) throws(SimulatorFailure) -> TestPurchase {
    TestPurchase(try notify(body))
  }

  /// Changes the purchases, and returns Apple's notification of the change.
  ///
  /// A body that fails does so before it changes anything.
  func notify(
    _ body: (inout SimulatedStore, Date) throws(SimulatorFailure) -> SimulatedChange
  ) throws(SimulatorFailure) -> TestNotification {
    let now = now
    return try state.withLock { (state) throws(SimulatorFailure) in
      let result = try body(&state.store, now)
      // The transaction after all changes.
      let transaction = state.store.transaction(result.transaction.id) ?? result.transaction
      var notification = TestNotification(
        result.event, about: transaction,
        at: SimulatedMoment(of: transaction.customer, in: state.store, at: now),
        for: result.reason, of: self)
      notification.record = state.serverAPI.keep(notification.record)
      return notification
    }
  }

  /// Changes the purchases; a body that fails does so before it changes anything.
  func changeStore<Result>(
    _ body: (inout SimulatedStore, Date) throws(SimulatorFailure) -> Result
  ) throws(SimulatorFailure) -> Result {
    let now = now
    return try state.withLock { (state) throws(SimulatorFailure) in
      try body(&state.store, now)
    }
  }

  /// Returns the content of the receipt on a customer's device.
  func receiptContent(at moment: SimulatedMoment) -> AppReceipt {
    var receipt = AppReceipt(
      receiptType: environment == .sandbox ? .productionSandbox : .production,
      bundleID: bundleID, creationDate: moment.date)
    receipt.appItemID = environment == .sandbox ? 0 : appAppleID
    receipt.applicationVersion = "1"
    receipt.originalApplicationVersion = "1.0"
    receipt.originalPurchaseDate = Date(timeIntervalSince1970: 1_375_340_400)
    receipt.downloadID = 0
    receipt.versionExternalIdentifier = 0
    // The simulator finds the customer again by this value.
    receipt.opaqueValue = Array(moment.customer.utf8)
    receipt.purchases = moment.transactions.filter { !$0.isFinished }.map(\.purchase)
    return receipt
  }

  func product(_ id: String) throws(SimulatorFailure) -> TestProduct {
    guard let product = products.first(where: { $0.id == id }) else { throw .unknownProduct(id) }
    return product
  }

  func id(_ purchase: TestPurchase) -> Int { Int(purchase.transactionID) ?? 0 }
  func originalID(_ purchase: TestPurchase) -> Int { Int(purchase.originalTransactionID) ?? 0 }

  /// Returns the newest transaction of the subscription or purchase.
  func latest(
    of purchase: TestPurchase, in store: SimulatedStore
  ) throws(SimulatorFailure) -> SimulatedTransaction {
    guard let latest = store.latest(originalID(purchase)) else { throw .unknownPurchase }
    return latest
  }
}

extension SimulatedTransaction {
  /// Whether the paid period includes a moment and the transaction was not revoked.
  func isRunning(at now: Date) -> Bool {
    guard let expiresDate else { return false }
    return now < expiresDate && cancellationDate == nil
  }
}
