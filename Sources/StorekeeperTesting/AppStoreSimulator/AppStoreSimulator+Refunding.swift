public import ReceiptModels

extension AppStoreSimulator {
  /// Gives the money of one charge back; renewal of a subscription is switched off.
  ///
  /// - Parameters:
  ///   - purchase: The charge.
  ///   - reason: Why.
  /// - Throws: ``SimulatorFailure/unknownPurchase``.
  public func refund(
    _ purchase: TestPurchase, reason: RevocationReason = .other
  ) throws(SimulatorFailure) {
    try changeOnly { (store, now) throws(SimulatorFailure) in
      _ = try latest(of: purchase, in: store)
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = now
        transaction.cancellationReason = reason
      }
      _ = try store.changeRenewal(originalID(purchase)) { $0.isOn = false }
    }
  }

  /// Takes a refund back, as after a dispute that the customer lost.
  ///
  /// - Throws: ``SimulatorFailure/unknownPurchase``.
  public func reverseRefund(_ purchase: TestPurchase) throws(SimulatorFailure) {
    try changeOnly { (store, _) throws(SimulatorFailure) in
      _ = try latest(of: purchase, in: store)
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = nil
        transaction.cancellationReason = nil
      }
    }
  }

  /// Ends what a family member shared; see ``share(_:with:)``.
  ///
  /// - Throws: ``SimulatorFailure/notShared``, ``SimulatorFailure/unknownPurchase``.
  public func revoke(_ purchase: TestPurchase) throws(SimulatorFailure) {
    try changeOnly { (store, now) throws(SimulatorFailure) in
      guard try latest(of: purchase, in: store).ownership == .familyShared else {
        throw .notShared
      }
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = now
        transaction.cancellationReason = .other
      }
      _ = try store.changeRenewal(originalID(purchase)) { $0.isOn = false }
    }
  }
}
