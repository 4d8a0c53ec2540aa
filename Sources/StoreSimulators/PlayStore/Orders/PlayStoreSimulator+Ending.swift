extension PlayStoreSimulator {
  /// Turns renewal off; the subscription stays `CANCELED` until its end, and then expires.
  ///
  /// One that is on hold or paused ends at once, and one with committed payments after the last of them.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `otherPlan` or `wrongState`.
  @discardableResult
  public func cancel(
    _ purchase: TestPlayPurchase, by cause: PlayCancellation = .user
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try changeRenewing(purchase) { (world, subscription, now) throws(PlayStoreFailure) in
      switch subscription.phase {
      case .active, .inGracePeriod, .onHold, .paused:
        guard cause != .user || !subscription.isCancellationPending else { throw .wrongState }
      case .pending, .pendingCanceled, .canceled, .expired: throw .wrongState
      }
      world.cancel(subscription.token, by: cause, at: now)
    }
  }

  /// Turns renewal on again, before the end, under the same token.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `otherPlan` or `wrongState`.
  @discardableResult
  public func restore(_ purchase: TestPlayPurchase) throws(PlayStoreFailure) -> TestPlayPurchase {
    try changeRenewing(purchase) { (world, subscription, now) throws(PlayStoreFailure) in
      switch subscription.phase {
      case .canceled: break
      case _ where subscription.isCancellationPending: break
      default: throw .wrongState
      }
      world.alter(subscription.token) { subscription in
        if case .canceled = subscription.phase { subscription.phase = .active }
        subscription.isCancellationPending = false
      }
      world.note(.restarted, subscription.token, at: now)
    }
  }

  /// Ends a subscription now, as if its paid time were over.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind` or `wrongState`.
  @discardableResult
  public func expire(_ purchase: TestPlayPurchase) throws(PlayStoreFailure) -> TestPlayPurchase {
    try change { (world, now) throws(PlayStoreFailure) in
      let subscription = try world.subscription(of: purchase)
      guard subscription.isOwned else { throw .wrongState }
      world.alter(subscription.token) { subscription in
        subscription.phase = .expired(
          subscription.cancellation ?? .init(cause: .system, date: now))
        subscription.items[0].expiry = min(subscription.expiry ?? now, now)
      }
      world.note(.expired, subscription.token, at: now)
      return subscription.token
    }
  }

  /// Whether a refund takes the goods back.
  public enum RefundedAccess: String, Hashable, Sendable, CaseIterable {
    /// The customer loses what was bought, and Google lists the purchase as voided.
    case revoked
    /// The customer keeps it, and Google lists nothing.
    case kept
  }

  /// Gives the money of an order back.
  ///
  /// Without an identifier it is the newest order.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `unknownOrder`, `alreadyRefunded`, or `wrongState`
  ///   for one that was never paid.
  @discardableResult
  public func refund(
    _ purchase: TestPlayPurchase, order orderID: String? = nil,
    access: RefundedAccess = .revoked, source: PlayVoidedSource = .developer,
    reason: PlayVoidedReason = .other
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try change { (world, now) throws(PlayStoreFailure) in
      let token = purchase.purchaseToken
      let orders = try world.orders(token)
      guard let order = orders.order(orderID ?? orders.latest.id) else { throw .unknownOrder }
      guard order.refunded == nil else { throw .alreadyRefunded }
      switch access {
      case .revoked: world.void(token, order: order.id, source: source, reason: reason, at: now)
      case .kept:
        world.alter(token) { $0.orders.refund(order.id, at: now) }
        world.alter(product: token) { $0.orders.refund(order.id, at: now) }
      }
      return token
    }
  }

  /// Takes a purchase back and refunds its newest order, as developers may.
  ///
  /// - Throws: As ``refund(_:order:access:source:reason:)``.
  @discardableResult
  public func revoke(_ purchase: TestPlayPurchase) throws(PlayStoreFailure) -> TestPlayPurchase {
    try refund(purchase)
  }

  /// Refunds some items of a one-time purchase; the customer keeps the others.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `wrongState` or `quantity`.
  @discardableResult
  public func refund(
    _ purchase: TestPlayPurchase, quantity: Int, source: PlayVoidedSource = .developer,
    reason: PlayVoidedReason = .other
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try change { (world, now) throws(PlayStoreFailure) in
      let product = try world.product(of: purchase)
      guard product.phase == .purchased else { throw .wrongState }
      guard (1..<product.refundableQuantity).contains(quantity) else { throw .quantity }
      world.voidPart(of: product, quantity: quantity, source: source, reason: reason, at: now)
      return product.token
    }
  }

  /// Makes Google forget a token, as that of a deleted account: requests for it are answered with 410.
  ///
  /// - Throws: ``PlayStoreFailure/unknownPurchase``.
  public func forget(_ purchase: TestPlayPurchase) throws(PlayStoreFailure) {
    _ = try change { (world, _) throws(PlayStoreFailure) in
      world.alter(purchase.purchaseToken) { $0.isForgotten = true }
      world.alter(product: purchase.purchaseToken) { $0.isForgotten = true }
      return purchase.purchaseToken
    }
  }
}

extension PlayWorld {
  /// Returns the orders of a purchase that was paid.
  func orders(_ token: String) throws(PlayStoreFailure) -> PlayOrders {
    if let subscription = subscription(token) {
      guard subscription.phase != .pending, subscription.phase != .pendingCanceled else {
        throw .wrongState
      }
      return subscription.orders
    }
    guard let product = product(token) else { throw .unknownPurchase }
    // One that was given up before it was paid is canceled without a refund.
    guard product.phase == .purchased || product.orders.latest.refunded != nil else {
      throw .wrongState
    }
    return product.orders
  }
}
