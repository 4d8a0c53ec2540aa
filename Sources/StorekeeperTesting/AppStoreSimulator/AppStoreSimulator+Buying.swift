internal import LockSupport
internal import OpenSSLSupport
internal import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppStoreSimulator {
  /// Buys a product.
  ///
  /// A subscription of a group that the customer had before continues under its first identifier.
  /// One that still runs is changed with ``upgrade(_:to:)`` and ``downgrade(_:to:)`` instead.
  ///
  /// - Parameters:
  ///   - productID: One of ``products``.
  ///   - customer: Who buys; each customer has a receipt of their own.
  ///   - offer: What sets the price.
  ///   - quantity: How many.
  ///   - appAccountToken: The account that the app names.
  /// - Returns: The purchase, with the receipt of the device.
  /// - Throws: ``SimulatorFailure/unknownProduct(_:)``, ``SimulatorFailure/subscriptionRunning``.
  @discardableResult
  public func buy(
    _ productID: String, by customer: String = "customer", offer: TestOffer? = nil,
    quantity: Int = 1, appAccountToken: UUID? = nil
  ) throws(SimulatorFailure) -> TestPurchase {
    let product = try product(productID)
    return try change { (store, now) throws(SimulatorFailure) in
      var original: Int?
      if case .autoRenewable(_, let group) = product.kind,
        let last = store.subscription(of: customer, in: group)
      {
        guard !last.isRunning(at: now) else { throw .subscriptionRunning }
        original = last.originalID
      }
      return store.add(product, for: customer, at: now, continuing: original) { transaction in
        transaction.offer = offer
        transaction.quantity = quantity
        transaction.appAccountToken = appAccountToken
      }
    }
  }

  /// Lets a family member use a purchase.
  ///
  /// - Parameters:
  ///   - purchase: What a customer bought.
  ///   - member: Who may use it too.
  /// - Returns: The member's own transaction, with an original identifier of its own.
  /// - Throws: ``SimulatorFailure/sharedWithBuyer``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func share(
    _ purchase: TestPurchase, with member: String
  ) throws(SimulatorFailure) -> TestPurchase {
    try change { (store, now) throws(SimulatorFailure) in
      let shared = try latest(of: purchase, in: store)
      guard shared.customer != member else { throw .sharedWithBuyer }
      return store.add(shared.product, for: member, at: now) { transaction in
        transaction.ownership = .familyShared
        transaction.expiresDate = shared.expiresDate
      }
    }
  }

  /// Lets the app finish a consumable, which takes it out of all later receipts.
  ///
  /// - Throws: ``SimulatorFailure/notAConsumable``, ``SimulatorFailure/unknownPurchase``.
  public func finish(_ purchase: TestPurchase) throws(SimulatorFailure) {
    try changeOnly { (store, _) throws(SimulatorFailure) in
      guard try latest(of: purchase, in: store).product.kind == .consumable else {
        throw .notAConsumable
      }
      store.change(id(purchase)) { $0.isFinished = true }
    }
  }

  /// The app receipt of a customer's device as it is now, in base64.
  ///
  /// - Parameter customer: Whose device; one who bought nothing has a receipt too.
  /// - Returns: The receipt.
  /// - Throws: When OpenSSL refuses to sign.
  public func receipt(of customer: String = "customer") throws -> String {
    let now = now
    let content = state.withLock { receiptContent(of: customer, in: $0.store, at: now) }
    return Base64.encode(try authority.sign(content), .standard)
  }
}

// MARK: Common to all calls

extension AppStoreSimulator {
  /// Changes the purchases and gives the transaction that came of it.
  func change(
    _ body: (inout SimulatedStore, Date) throws(SimulatorFailure) -> SimulatedTransaction
  ) throws(SimulatorFailure) -> TestPurchase {
    let now = now
    return try state.withLock { (state) throws(SimulatorFailure) in
      // A copy, so that a failure leaves nothing half done.
      var store = state.store
      let transaction = try body(&store, now)
      state.store = store
      return TestPurchase(
        transactionID: String(transaction.id),
        originalTransactionID: String(transaction.originalID), productID: transaction.product.id,
        customer: transaction.customer,
        receiptContent: receiptContent(of: transaction.customer, in: state.store, at: now),
        authority: authority)
    }
  }

  /// Changes the purchases without a new transaction.
  func changeOnly(
    _ body: (inout SimulatedStore, Date) throws(SimulatorFailure) -> Void
  ) throws(SimulatorFailure) {
    let now = now
    try state.withLock { (state) throws(SimulatorFailure) in
      var store = state.store
      try body(&store, now)
      state.store = store
    }
  }

  /// What the receipt of a customer's device says.
  func receiptContent(
    of customer: String, in store: SimulatedStore, at now: Date
  ) -> AppReceipt {
    var receipt = AppReceipt(
      receiptType: environment == .sandbox ? .productionSandbox : .production,
      bundleID: bundleID, creationDate: now)
    receipt.appItemID = environment == .sandbox ? 0 : 1_234_567_890
    receipt.applicationVersion = "1"
    receipt.originalApplicationVersion = "1.0"
    receipt.originalPurchaseDate = Date(timeIntervalSince1970: 1_375_340_400)
    receipt.downloadID = 0
    receipt.versionExternalIdentifier = 0
    // By this the simulator finds the customer again.
    receipt.opaqueValue = Array(customer.utf8)
    receipt.purchases = store.transactions(of: customer).filter { !$0.isFinished }.map(\.purchase)
    return receipt
  }

  func product(_ id: String) throws(SimulatorFailure) -> TestProduct {
    guard let product = products.first(where: { $0.id == id }) else { throw .unknownProduct(id) }
    return product
  }

  func id(_ purchase: TestPurchase) -> Int { Int(purchase.transactionID) ?? 0 }
  func originalID(_ purchase: TestPurchase) -> Int { Int(purchase.originalTransactionID) ?? 0 }

  /// The newest transaction of the subscription or purchase.
  func latest(
    of purchase: TestPurchase, in store: SimulatedStore
  ) throws(SimulatorFailure) -> SimulatedTransaction {
    guard let latest = store.latest(originalID(purchase)) else { throw .unknownPurchase }
    return latest
  }
}

extension SimulatedTransaction {
  /// Whether it is paid for at a moment and was not taken back.
  func isRunning(at now: Date) -> Bool {
    guard let expiresDate else { return false }
    return now < expiresDate && cancellationDate == nil
  }
}
