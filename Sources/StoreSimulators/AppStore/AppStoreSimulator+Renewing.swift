internal import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// The changes of a subscription. Each call takes any of its purchases.

extension AppStoreSimulator {
  /// Renews a subscription, to the product that the customer chose for it.
  ///
  /// The new period begins where the last one ended. After a failed renewal it begins now, and ends
  /// the grace period and the billing retry.
  ///
  /// - Throws: ``SimulatorFailure/notASubscription``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func renew(_ purchase: TestPurchase) throws(SimulatorFailure) -> TestPurchase {
    try change { (store, now) throws(SimulatorFailure) in
      let last = try latest(of: purchase, in: store)
      guard let end = last.expiresDate, let next = store.renewal(last.originalID) else {
        throw .notASubscription
      }
      let product = try product(next.nextProductID)
      let terms = next.isCommitted ? nil : try product.terms(of: next.nextPlan)
      var hasFailed = false
      _ = try store.changeRenewal(last.originalID) { hasFailed = $0.isInRetry }
      let renewed = store.add(
        product, for: last.customer, at: hasFailed ? now : end, continuing: last.originalID
      ) { transaction in
        if next.isCommitted { transaction.go(on: last) } else { transaction.begin(terms) }
        transaction.offer = next.offer
        transaction.ownership = last.ownership
        transaction.reason = .renewal
        transaction.appAccountToken = last.appAccountToken
      }
      return SimulatedChange(hasFailed ? .recovered : .renewed, renewed)
    }
  }

  /// Turns automatic renewal on or off; in a commitment, the renewal at its end.
  ///
  /// - Throws: ``SimulatorFailure/notASubscription``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func setAutoRenew(
    _ status: AutoRenewStatus, of purchase: TestPurchase
  ) throws(SimulatorFailure) -> TestNotification {
    try changeRenewal(of: purchase) { renewal, _ in
      renewal.isOn = status == .on
      return status == .on ? .renewalSwitchedOn : .renewalSwitchedOff
    }
  }

  /// Replaces an active subscription at once by a better one of its group.
  ///
  /// As with Apple, no notification repeats the replaced transaction: version 2 contains the new
  /// one alone. An answer of verifyReceipt has both, the replaced one with `is_upgraded`. If the
  /// newest charge is a renewal ahead of its time, the upgrade is dated one second after that
  /// charge.
  ///
  /// - Returns: The purchase of the other product, under the same original identifier.
  /// - Throws: ``SimulatorFailure/otherGroup``, ``SimulatorFailure/notASubscription``,
  ///   ``SimulatorFailure/unknownProduct(_:)``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func upgrade(
    _ purchase: TestPurchase, to productID: String
  ) throws(SimulatorFailure) -> TestPurchase {
    try change { (store, now) throws(SimulatorFailure) in
      let last = try latest(of: purchase, in: store)
      let product = try product(productID, inGroupOf: last)
      store.upgradeRunning(last.originalID, at: now)
      let upgraded = store.add(
        product, for: last.customer, at: now, continuing: last.originalID
      ) { transaction in
        transaction.appAccountToken = last.appAccountToken
        // Apple never dates a charge before the one that it replaces.
        if last.purchaseDate > now {
          transaction.purchaseDate = last.purchaseDate.addingTimeInterval(1)
        }
      }
      return SimulatedChange(.upgraded, upgraded)
    }
  }

  /// Chooses another product of the group for the next renewal; the current product undoes that.
  ///
  /// - Throws: ``SimulatorFailure/otherGroup``, ``SimulatorFailure/notASubscription``,
  ///   ``SimulatorFailure/unknownProduct(_:)``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func downgrade(
    _ purchase: TestPurchase, to productID: String
  ) throws(SimulatorFailure) -> TestNotification {
    try changeRenewal(of: purchase) { (renewal, last) throws(SimulatorFailure) in
      let product = try product(productID, inGroupOf: last)
      renewal.renewalProductID = product.id
      // A product without a commitment has one plan only.
      renewal.renewalPlan = product.commitmentPrice == nil ? nil : renewal.plan
      return productID == last.product.id ? .downgradeUndone : .downgraded
    }
  }

  /// Asks the customer for consent to a price increase.
  ///
  /// Without consent the subscription expires at the end of its period.
  ///
  /// - Throws: ``SimulatorFailure/notASubscription``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func askForPriceConsent(
    _ purchase: TestPurchase
  ) throws(SimulatorFailure) -> TestNotification {
    try changeRenewal(of: purchase) { renewal, _ in
      renewal.priceStatus = .notAnswered
      return .askedForPriceConsent
    }
  }

  /// Tells the customer of a price increase that needs no consent.
  ///
  /// - Throws: ``SimulatorFailure/notASubscription``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func announcePriceIncrease(
    of purchase: TestPurchase
  ) throws(SimulatorFailure) -> TestNotification {
    try changeRenewal(of: purchase) { renewal, _ in
      renewal.priceStatus = .consented
      return .consentedToPrice
    }
  }

  /// Redeems an offer for a subscription that runs, and turns its renewal on; the next charge has it.
  ///
  /// - Throws: ``SimulatorFailure/notRunning``, ``SimulatorFailure/offerNotAvailable``,
  ///   ``SimulatorFailure/notASubscription``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func redeem(
    _ offer: TestOffer, for purchase: TestPurchase
  ) throws(SimulatorFailure) -> TestNotification {
    let now = now
    return try changeRenewal(of: purchase) { (renewal, last) throws(SimulatorFailure) in
      guard last.isRunning(at: now) else { throw .notRunning }
      // Only two are for customers who are subscribed, and what they have committed to keeps its price.
      switch offer {
      case .promotional, .code:
        guard !renewal.isCommitted else { throw .offerNotAvailable }
        renewal.offer = offer
        renewal.isOn = true
      case .trial, .introductory, .winBack: throw .offerNotAvailable
      }
      return .redeemedOffer
    }
  }

  /// Records the customer's consent to the price increase.
  ///
  /// - Throws: ``SimulatorFailure/notASubscription``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func consentToPrice(
    _ purchase: TestPurchase
  ) throws(SimulatorFailure) -> TestNotification {
    try changeRenewal(of: purchase) { renewal, _ in
      renewal.priceStatus = .consented
      return .consentedToPrice
    }
  }

  /// Makes the charge of a renewal fail: billing retry, with a grace period if one is given.
  ///
  /// It takes effect once the clock has reached the end of the paid period.
  ///
  /// The grace period is the time after that end for which the customer stays entitled.
  ///
  /// - Throws: ``SimulatorFailure/notASubscription``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func failRenewal(
    _ purchase: TestPurchase, gracePeriod: Duration? = nil
  ) throws(SimulatorFailure) -> TestNotification {
    try changeRenewal(of: purchase) { renewal, last in
      renewal.intent = .billingError
      renewal.isInRetry = true
      renewal.graceEnd = gracePeriod.flatMap {
        last.expiresDate?.addingTimeInterval($0.timeInterval)
      }
      return gracePeriod == nil ? .renewalFailed : .renewalFailedWithGrace
    }
  }

  /// Ends the paid period now, as if its time were over; nothing else happens.
  ///
  /// - Throws: ``SimulatorFailure/notASubscription``, ``SimulatorFailure/unknownPurchase``.
  public func endPeriod(_ purchase: TestPurchase) throws(SimulatorFailure) {
    try changeStore { (store, now) throws(SimulatorFailure) in
      let last = try latest(of: purchase, in: store)
      guard last.group != nil else { throw .notASubscription }
      store.change(last.id) { $0.expiresDate = min($0.expiresDate ?? now, now) }
    }
  }

  /// Renews a subscription after a failed renewal.
  ///
  /// - Returns: The renewal, which begins now.
  /// - Throws: ``SimulatorFailure/notASubscription``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func recover(_ purchase: TestPurchase) throws(SimulatorFailure) -> TestPurchase {
    try renew(purchase)
  }

  /// Expires a subscription for a reason, now or at the end of its period if that is earlier.
  ///
  /// - Throws: ``SimulatorFailure/notASubscription``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func expire(
    _ purchase: TestPurchase, for intent: ExpirationIntent
  ) throws(SimulatorFailure) -> TestNotification {
    try notify { (store, now) throws(SimulatorFailure) in
      let last = try latest(of: purchase, in: store)
      let isSubscription = try store.changeRenewal(last.originalID) { renewal in
        renewal.isOn = false
        renewal.isEnded = true
        renewal.intent = intent
        renewal.isInRetry = false
        renewal.graceEnd = nil
      }
      guard isSubscription else { throw .notASubscription }
      store.change(last.id) { $0.expiresDate = min($0.expiresDate ?? now, now) }
      return SimulatedChange(.expired(for: intent), last)
    }
  }

  /// Changes the next renewal of a subscription; the closure also gets its newest transaction.
  private func changeRenewal(
    of purchase: TestPurchase,
    _ body: (inout SimulatedRenewal, SimulatedTransaction) throws(SimulatorFailure) ->
      SimulatedEvent
  ) throws(SimulatorFailure) -> TestNotification {
    try notify { (store, _) throws(SimulatorFailure) in
      let last = try latest(of: purchase, in: store)
      var event: SimulatedEvent?
      _ = try store.changeRenewal(last.originalID) { (renewal) throws(SimulatorFailure) in
        event = try body(&renewal, last)
      }
      guard let event else { throw .notASubscription }
      return SimulatedChange(event, last)
    }
  }

  /// Returns a product of the same group.
  private func product(
    _ id: String, inGroupOf transaction: SimulatedTransaction
  ) throws(SimulatorFailure) -> TestProduct {
    guard let group = transaction.group else { throw .notASubscription }
    let product = try product(id)
    guard case .autoRenewable(_, group) = product.kind else { throw .otherGroup }
    return product
  }
}
