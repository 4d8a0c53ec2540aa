public import ReceiptModels

extension AppStoreSimulator {
  /// Gives the money of one charge back; renewal of a subscription is switched off.
  ///
  /// - Parameters:
  ///   - purchase: The charge.
  ///   - reason: Why.
  public func refund(_ purchase: TestPurchase, reason: RevocationReason = .other) {
    changeOnly { store, now in
      _ = latest(of: purchase, in: store)
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = now
        transaction.cancellationReason = reason
      }
      _ = store.changeRenewal(originalID(purchase)) { $0.isOn = false }
    }
  }

  /// Takes a refund back, as after a dispute that the customer lost.
  public func reverseRefund(_ purchase: TestPurchase) {
    changeOnly { store, _ in
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = nil
        transaction.cancellationReason = nil
      }
    }
  }

  /// Ends what a family member shared; see ``share(_:with:)``.
  public func revoke(_ purchase: TestPurchase) {
    changeOnly { store, now in
      precondition(
        latest(of: purchase, in: store).ownership == .familyShared,
        "Only what is shared is revoked; what is paid for is refunded.")
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = now
        transaction.cancellationReason = .other
      }
      _ = store.changeRenewal(originalID(purchase)) { $0.isOn = false }
    }
  }
}
