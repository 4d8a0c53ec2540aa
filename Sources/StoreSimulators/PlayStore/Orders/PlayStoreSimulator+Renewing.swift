internal import JSONValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PlayStoreSimulator {
  /// Charges the next period of a subscription, which begins where the last one ended.
  ///
  /// A planned change of plan or price takes effect. If the customer has not accepted a higher price,
  /// Google cancels instead.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `otherPlan`, or `wrongState` for one
  ///   that is not active or in its grace period.
  @discardableResult
  public func renew(_ purchase: TestPlayPurchase) throws(PlayStoreFailure) -> TestPlayPurchase {
    try changeRenewing(purchase) { (world, subscription, now) throws(PlayStoreFailure) in
      switch subscription.phase {
      case .active: break
      case .inGracePeriod: break
      default: throw .wrongState
      }
      guard !subscription.refusesPrice, !subscription.refusesPriceStep else {
        world.alter(subscription.token) { $0.phase = .canceled(.init(cause: .system, date: now)) }
        return world.note(.canceled, subscription.token, at: now)
      }
      world.charge(subscription.token, from: subscription.periodEnd ?? now, at: now)
      world.alter(subscription.token) { $0.periodEndBeforeGrace = nil }
      world.note(charge: .renewed, subscription.token, at: now)
    }
  }

  /// Makes the charge of a renewal fail: a grace period, or else an account hold.
  ///
  /// Without a grace period the hold begins now; at its end Google cancels for good.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `otherPlan` or `wrongState`.
  @discardableResult
  public func failRenewal(
    _ purchase: TestPlayPurchase, gracePeriod: Duration? = nil,
    accountHold: Duration = .seconds(30 * 86_400)
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try changeRenewing(purchase) { (world, subscription, now) throws(PlayStoreFailure) in
      var isPaused = false
      switch subscription.phase {
      case .active: break
      case .paused: isPaused = true
      default: throw .wrongState
      }
      world.alter(subscription.token) { $0.accountHold = accountHold }
      // After a pause there is no grace: nothing is left that could be extended.
      guard let gracePeriod, !isPaused else { return world.hold(subscription.token, at: now) }
      let end = max(subscription.expiry ?? now, now)
      let graceEnd = end.addingTimeInterval(gracePeriod.timeInterval)
      world.alter(subscription.token) { subscription in
        subscription.periodEndBeforeGrace = subscription.expiry
        subscription.phase = .inGracePeriod(until: graceEnd)
        subscription.items[0].expiry = graceEnd
      }
      world.note(.inGracePeriod, subscription.token, at: now)
    }
  }

  /// Collects a failed payment: in the grace period as a renewal, on hold as a recovery that begins now.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `otherPlan` or `wrongState`.
  @discardableResult
  public func recover(_ purchase: TestPlayPurchase) throws(PlayStoreFailure) -> TestPlayPurchase {
    try changeRenewing(purchase) { (world, subscription, now) throws(PlayStoreFailure) in
      switch subscription.phase {
      case .inGracePeriod:
        world.charge(subscription.token, from: subscription.periodEnd ?? now, at: now)
        world.alter(subscription.token) { $0.periodEndBeforeGrace = nil }
        world.note(charge: .renewed, subscription.token, at: now)
      case .onHold:
        world.charge(subscription.token, from: now, at: now)
        world.note(charge: .recovered, subscription.token, at: now)
      default: throw .wrongState
      }
    }
  }

  /// Plans a pause that begins at the end of the paid period.
  ///
  /// A length of nil gives a planned pause up.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `otherPlan` or `wrongState`.
  @discardableResult
  public func pause(
    _ purchase: TestPlayPurchase, for length: Duration?
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try changeRenewing(purchase) { (world, subscription, now) throws(PlayStoreFailure) in
      guard subscription.phase == .active, let expiry = subscription.expiry else {
        throw .wrongState
      }
      world.alter(subscription.token) { subscription in
        subscription.scheduledPauseEnd = length.map {
          max(expiry, now).addingTimeInterval($0.timeInterval)
        }
      }
      world.note(.pauseScheduleChanged, subscription.token, at: now)
    }
  }

  /// Ends a pause early; the next period begins now.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `otherPlan` or `wrongState`.
  @discardableResult
  public func resume(_ purchase: TestPlayPurchase) throws(PlayStoreFailure) -> TestPlayPurchase {
    try changeRenewing(purchase) { (world, subscription, now) throws(PlayStoreFailure) in
      guard case .paused = subscription.phase else { throw .wrongState }
      world.charge(subscription.token, from: now, at: now)
      world.note(charge: .recovered, subscription.token, at: now)
    }
  }

  /// Puts the next payment off, as developers may.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind` or `wrongState`.
  @discardableResult
  public func deferPayment(
    of purchase: TestPlayPurchase, by length: Duration
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try change { (world, now) throws(PlayStoreFailure) in
      let subscription = try world.subscription(of: purchase)
      guard subscription.phase == .active, let expiry = subscription.expiry else {
        throw .wrongState
      }
      world.alter(subscription.token) {
        $0.items[0].expiry = expiry.addingTimeInterval(length.timeInterval)
      }
      world.note(.deferred, subscription.token, at: now)
      return subscription.token
    }
  }

  /// Announces another price, from the next period on.
  ///
  /// A higher price waits for the customer's ``confirmPrice(of:)``.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `otherPlan` or `wrongState`.
  @discardableResult
  public func changePrice(
    of purchase: TestPlayPurchase, to price: PlayPrice
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try changeRenewing(purchase) { (world, subscription, now) throws(PlayStoreFailure) in
      guard subscription.isOwned else { throw .wrongState }
      let old = subscription.item.price
      let isHigher = (price.units, price.nanos) > (old.units, old.nanos)
      world.alter(subscription.token) { subscription in
        subscription.items[0].priceChange = .init(
          price: price, mode: isHigher ? .increase : .decrease,
          state: isHigher ? .outstanding : .confirmed, chargeDate: subscription.expiry ?? now)
      }
      world.note(.priceChangeUpdated, subscription.token, at: now)
    }
  }

  /// Records that the customer accepts a higher price.
  ///
  /// Google sends the older notification of that too, with the number 8.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `otherPlan` or `wrongState`.
  @discardableResult
  public func confirmPrice(
    of purchase: TestPlayPurchase
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try changeRenewing(purchase) { (world, subscription, now) throws(PlayStoreFailure) in
      guard subscription.refusesPrice else { throw .wrongState }
      world.alter(subscription.token) { $0.items[0].priceChange?.state = .confirmed }
      world.note(.priceChangeConfirmed, subscription.token, at: now)
      world.note(.priceChangeUpdated, subscription.token, at: now)
    }
  }

  /// Asks the customer to consent to the higher price that follows an offer.
  ///
  /// Without ``consentToPriceStep(of:)`` before the end of the period, Google cancels the subscription.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `otherPlan` or `wrongState`.
  @discardableResult
  public func stepUpPrice(
    of purchase: TestPlayPurchase, to price: PlayPrice
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try changeRenewing(purchase) { (world, subscription, now) throws(PlayStoreFailure) in
      guard case .active = subscription.phase else { throw .wrongState }
      world.alter(subscription.token) { $0.items[0].priceStep = .init(price: price) }
      world.note(.priceStepUpConsentUpdated, subscription.token, at: now)
    }
  }

  /// Records that the customer consents to the next step of the price.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `otherPlan` or `wrongState`.
  @discardableResult
  public func consentToPriceStep(
    of purchase: TestPlayPurchase
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try changeRenewing(purchase) { (world, subscription, now) throws(PlayStoreFailure) in
      guard subscription.refusesPriceStep else { throw .wrongState }
      world.alter(subscription.token) { $0.items[0].priceStep?.state = .confirmed }
      world.note(.priceStepUpConsentUpdated, subscription.token, at: now)
    }
  }

  /// Changes a subscription that renews by itself.
  func changeRenewing(
    _ purchase: TestPlayPurchase,
    _ body: (inout PlayWorld, SimulatedPlaySubscription, Date) throws(PlayStoreFailure) -> Void
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try change { (world, now) throws(PlayStoreFailure) in
      let subscription = try world.subscription(of: purchase)
      guard subscription.item.plan.kind == .autoRenewing else { throw .otherPlan }
      try body(&world, subscription, now)
      return subscription.token
    }
  }
}

extension SimulatedPlaySubscription {
  /// Whether a higher price waits for the customer's consent.
  fileprivate var refusesPrice: Bool { item.priceChange?.state == .outstanding }

  /// Whether the next step of the price waits for the customer's consent.
  fileprivate var refusesPriceStep: Bool { item.priceStep?.state == .pending }

  /// The end of the last paid period, without the grace that was granted.
  fileprivate var periodEnd: Date? { periodEndBeforeGrace ?? expiry }
}
