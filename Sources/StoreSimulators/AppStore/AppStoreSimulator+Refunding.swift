public import ReceiptModels

extension AppStoreSimulator {
  /// Refunds a charge, and turns off renewal of its subscription.
  ///
  /// - Throws: ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func refund(
    _ purchase: TestPurchase, reason: RevocationReason = .other
  ) throws(SimulatorFailure) -> TestNotification {
    try notify { (store, now) throws(SimulatorFailure) in
      let refunded = try charge(of: purchase, in: store)
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = now
        transaction.cancellationReason = reason
      }
      let isSubscription = try store.changeRenewal(originalID(purchase)) { $0.isOn = false }
      return SimulatedChange(isSubscription ? .subscriptionRefunded : .purchaseRefunded, refunded)
    }
  }

  /// Reverses a refund, as after a dispute that the customer lost.
  ///
  /// - Throws: ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func reverseRefund(
    _ purchase: TestPurchase
  ) throws(SimulatorFailure) -> TestNotification {
    try notify { (store, _) throws(SimulatorFailure) in
      let charge = try charge(of: purchase, in: store)
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = nil
        transaction.cancellationReason = nil
        transaction.revocationType = nil
        transaction.revocationPercentage = nil
      }
      return SimulatedChange(.refundReversed, charge)
    }
  }

  /// Revokes a family member's access to a shared purchase; see ``share(_:with:)``.
  ///
  /// - Throws: ``SimulatorFailure/notShared``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func revoke(_ purchase: TestPurchase) throws(SimulatorFailure) -> TestNotification {
    try notify { (store, now) throws(SimulatorFailure) in
      guard try latest(of: purchase, in: store).ownership == .familyShared else {
        throw .notShared
      }
      let revoked = try charge(of: purchase, in: store)
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = now
        transaction.cancellationReason = .other
      }
      _ = try store.changeRenewal(originalID(purchase)) { $0.isOn = false }
      return SimulatedChange(.revoked, revoked)
    }
  }

  private func charge(
    of purchase: TestPurchase, in store: SimulatedStore
  ) throws(SimulatorFailure) -> SimulatedTransaction {
    guard let charge = store.transaction(id(purchase)) else { throw .unknownPurchase }
    return charge
  }
}
