public import ReceiptModels

extension AppStoreSimulator {
  /// Gives the money of one charge back; renewal of a subscription is switched off.
  ///
  /// - Parameters:
  ///   - purchase: The charge.
  ///   - reason: Why.
  /// - Returns: What Apple tells of it.
  /// - Throws: ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func refund(
    _ purchase: TestPurchase, reason: RevocationReason = .other
  ) throws(SimulatorFailure) -> TestNotification {
    try tell { (store, now) throws(SimulatorFailure) in
      let refunded = try charge(of: purchase, in: store)
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = now
        transaction.cancellationReason = reason
      }
      let isSubscription = try store.changeRenewal(originalID(purchase)) { $0.isOn = false }
      return Happening(isSubscription ? .subscriptionRefunded : .purchaseRefunded, refunded)
    }
  }

  /// Takes a refund back, as after a dispute that the customer lost.
  ///
  /// - Parameter purchase: The charge.
  /// - Returns: What Apple tells of it.
  /// - Throws: ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func reverseRefund(
    _ purchase: TestPurchase
  ) throws(SimulatorFailure) -> TestNotification {
    try tell { (store, _) throws(SimulatorFailure) in
      let charge = try charge(of: purchase, in: store)
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = nil
        transaction.cancellationReason = nil
      }
      return Happening(.refundReversed, charge)
    }
  }

  /// Ends what a family member shared; see ``share(_:with:)``.
  ///
  /// - Parameter purchase: The member's charge.
  /// - Returns: What Apple tells of it.
  /// - Throws: ``SimulatorFailure/notShared``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func revoke(_ purchase: TestPurchase) throws(SimulatorFailure) -> TestNotification {
    try tell { (store, now) throws(SimulatorFailure) in
      guard try latest(of: purchase, in: store).ownership == .familyShared else {
        throw .notShared
      }
      let revoked = try charge(of: purchase, in: store)
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = now
        transaction.cancellationReason = .other
      }
      _ = try store.changeRenewal(originalID(purchase)) { $0.isOn = false }
      return Happening(.revoked, revoked)
    }
  }

  /// The charge that the purchase is.
  private func charge(
    of purchase: TestPurchase, in store: SimulatedStore
  ) throws(SimulatorFailure) -> SimulatedTransaction {
    guard let charge = store.transaction(id(purchase)) else { throw .unknownPurchase }
    return charge
  }
}
