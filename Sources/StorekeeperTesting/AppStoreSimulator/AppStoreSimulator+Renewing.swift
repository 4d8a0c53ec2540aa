internal import OpenSSLSupport
public import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// What can happen to a subscription. Each call names any of its purchases.

extension AppStoreSimulator {
  /// Renews a subscription, to the product that the customer chose for it.
  ///
  /// The new period begins where the last one ended. After a failed renewal it begins now, and the
  /// grace period and the billing retry are over.
  ///
  /// - Parameter purchase: Any purchase of the subscription.
  /// - Returns: The renewal.
  @discardableResult
  public func renew(_ purchase: TestPurchase) -> TestPurchase {
    change { store, now in
      let last = latest(of: purchase, in: store)
      guard let end = last.expiresDate, let next = store.renewalProduct(last.originalID) else {
        preconditionFailure("Only a subscription renews.")
      }
      var hasFailed = false
      _ = store.changeRenewal(last.originalID) { hasFailed = $0.isInRetry }
      return store.add(
        product(next), for: last.customer, at: hasFailed ? now : end,
        continuing: last.originalID
      ) { transaction in
        transaction.ownership = last.ownership
        transaction.appAccountToken = last.appAccountToken
      }
    }
  }

  /// Switches automatic renewal on or off.
  public func setAutoRenew(_ status: AutoRenewStatus, of purchase: TestPurchase) {
    changeRenewal(of: purchase) { $0.isOn = status == .on }
  }

  /// Replaces a running subscription at once by a better one of its group.
  ///
  /// - Parameters:
  ///   - purchase: Any purchase of the subscription.
  ///   - productID: The other product.
  /// - Returns: The purchase of the other product, under the same original identifier.
  @discardableResult
  public func upgrade(_ purchase: TestPurchase, to productID: String) -> TestPurchase {
    change { store, now in
      let last = latest(of: purchase, in: store)
      checkGroup(of: last, and: productID)
      store.change(last.id) { $0.isUpgraded = true }
      return store.add(
        product(productID), for: last.customer, at: now, continuing: last.originalID
      ) { $0.appAccountToken = last.appAccountToken }
    }
  }

  /// Chooses another product of the group for the next renewal; the same product undoes that.
  ///
  /// - Parameters:
  ///   - purchase: Any purchase of the subscription.
  ///   - productID: The other product.
  public func downgrade(_ purchase: TestPurchase, to productID: String) {
    state.withLock { state in
      checkGroup(of: latest(of: purchase, in: state.store), and: productID)
    }
    changeRenewal(of: purchase) { $0.renewalProductID = productID }
  }

  /// Asks the customer for consent to a higher price.
  ///
  /// Without consent the subscription ends with its period.
  public func askForPriceConsent(_ purchase: TestPurchase) {
    changeRenewal(of: purchase) { $0.priceStatus = .notAnswered }
  }

  /// Lets the customer consent to the higher price.
  public func consentToPrice(_ purchase: TestPurchase) {
    changeRenewal(of: purchase) { $0.priceStatus = .consented }
  }

  /// Lets the charge of a renewal fail: billing retry, with a grace period if one is given.
  ///
  /// It shows once the clock has reached the end of the paid period.
  ///
  /// - Parameters:
  ///   - purchase: Any purchase of the subscription.
  ///   - gracePeriod: For how long after that end the customer stays entitled; nil for no grace.
  public func failRenewal(_ purchase: TestPurchase, gracePeriod: Duration? = nil) {
    var end: Date?
    state.withLock { state in end = latest(of: purchase, in: state.store).expiresDate }
    changeRenewal(of: purchase) { renewal in
      renewal.intent = .billingError
      renewal.isInRetry = true
      renewal.graceEnd = gracePeriod.flatMap { end?.addingTimeInterval($0.timeInterval) }
    }
  }

  /// Renews a subscription whose renewal had failed.
  ///
  /// - Parameter purchase: Any purchase of the subscription.
  /// - Returns: The renewal, which begins now.
  @discardableResult
  public func recover(_ purchase: TestPurchase) -> TestPurchase {
    renew(purchase)
  }

  /// Ends a subscription for a reason, at the end of its period, or now if that is still to come.
  public func expire(_ purchase: TestPurchase, for intent: ExpirationIntent) {
    changeOnly { store, now in
      let last = latest(of: purchase, in: store)
      store.change(last.id) { $0.expiresDate = min($0.expiresDate ?? now, now) }
    }
    changeRenewal(of: purchase) { renewal in
      renewal.isOn = false
      renewal.intent = intent
      renewal.isInRetry = false
      renewal.graceEnd = nil
    }
  }

  private func changeRenewal(
    of purchase: TestPurchase, _ body: (inout SimulatedRenewal) -> Void
  ) {
    changeOnly { store, _ in
      let isSubscription = store.changeRenewal(originalID(purchase), body)
      precondition(isSubscription, "Only a subscription renews.")
    }
  }

  private func checkGroup(of transaction: SimulatedTransaction, and productID: String) {
    guard let group = transaction.group, case .autoRenewable(_, group) = product(productID).kind
    else { preconditionFailure("A subscription is changed within its group.") }
  }
}
