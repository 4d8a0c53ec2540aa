internal import JSONValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PlayStoreSimulator {
  /// Changes the plan of a subscription: an upgrade, a downgrade, or a change between renewing and prepaid.
  ///
  /// The result is a purchase of its own, whose `linkedPurchaseToken` is the old one. The old one expires
  /// at once, although it may look active for a while (``Settings/replacementLag``), also if the change is deferred: then the new purchase has the old product until its end, and
  /// the new product after the next ``renew(_:)``. If the payment is pending, all that happens with
  /// ``completePayment(of:)``.
  ///
  /// Without a base plan it is the product's first one; without terms, the account and the buyer
  /// of the old purchase hold.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `unknownProduct`, `unknownBasePlan`, `otherKind`,
  ///   `wrongState` or `notAcknowledged`.
  @discardableResult
  public func changePlan(
    of purchase: TestPlayPurchase, to productID: String, basePlan: String? = nil,
    mode: PlayReplacementMode = .chargeFullPrice, _ terms: PlayTerms? = nil
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    let product = try product(productID)
    let plan = try plan(basePlan, of: product)
    let settings = settings
    return try change { (world, now) throws(PlayStoreFailure) in
      let old = try world.subscription(of: purchase)
      guard old.isOwned else { throw .wrongState }
      guard old.isAcknowledged else { throw .notAcknowledged }
      var new = SimulatedPlaySubscription(
        productID, plan, by: old.customer, terms ?? old.inheritedTerms, at: now, settings)
      new.linkedToken = old.token
      if new.phase == .active { new.take(over: old, mode) }
      guard new.phase == .active else {
        world.add(new)
        return new.token
      }
      return world.add(new, replacing: old, at: now, settings)
    }
  }

  /// Tops a prepaid subscription up: a purchase of its own, whose end is a period later.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `otherPlan`, `wrongState` or
  ///   `notAcknowledged`.
  @discardableResult
  public func topUp(_ purchase: TestPlayPurchase) throws(PlayStoreFailure) -> TestPlayPurchase {
    let settings = settings
    return try change { (world, now) throws(PlayStoreFailure) in
      let old = try world.subscription(of: purchase)
      guard old.item.plan.kind == .prepaid else { throw .otherPlan }
      guard old.isOwned else { throw .wrongState }
      guard old.isAcknowledged else { throw .notAcknowledged }
      var new = SimulatedPlaySubscription(
        old.item.productID, old.item.plan, by: old.customer, old.inheritedTerms, at: now, settings)
      new.linkedToken = old.token
      // The time that is left is kept.
      new.items[0].expiry = old.expiry?.addingTimeInterval(old.item.plan.period.timeInterval)
      return world.add(new, replacing: old, at: now, settings)
    }
  }

  /// Buys a canceled subscription again in the app, before its end: a purchase of its own that is linked to
  /// the old one.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `wrongState` or `notAcknowledged`.
  @discardableResult
  public func resubscribe(
    _ purchase: TestPlayPurchase
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    let settings = settings
    return try change { (world, now) throws(PlayStoreFailure) in
      let old = try world.subscription(of: purchase)
      guard case .canceled = old.phase else { throw .wrongState }
      guard old.isAcknowledged else { throw .notAcknowledged }
      var new = SimulatedPlaySubscription(
        old.item.productID, old.item.plan, by: old.customer, old.inheritedTerms, at: now, settings)
      new.linkedToken = old.token
      new.take(over: old, .withoutProration)
      return world.add(new, replacing: old, at: now, settings)
    }
  }

  /// Buys an expired subscription again in Google's own pages.
  ///
  /// The app names no account, and there is no linked token: until the purchase is acknowledged,
  /// `outOfAppPurchaseContext` has the expired token and its account.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, `otherKind`, `wrongState` or `alreadyOwned`.
  @discardableResult
  public func resubscribeOutOfApp(
    _ purchase: TestPlayPurchase
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    let settings = settings
    return try change { (world, now) throws(PlayStoreFailure) in
      let old = try world.subscription(of: purchase)
      guard case .expired = old.phase else { throw .wrongState }
      guard !world.ownsSubscription(old.customer, old.item.productID) else { throw .alreadyOwned }
      var terms = old.inheritedTerms
      terms.obfuscatedAccountID = nil
      terms.obfuscatedProfileID = nil
      var new = SimulatedPlaySubscription(
        old.item.productID, old.item.plan, by: old.customer, terms, at: now, settings)
      new.resubscribed = .init(
        token: old.token, accountID: old.accountID, profileID: old.profileID)
      world.add(new)
      world.note(.purchased, new.token, at: now)
      return new.token
    }
  }
}

extension SimulatedPlaySubscription {
  /// The circumstances of a purchase that continues this one.
  fileprivate var inheritedTerms: PlayTerms {
    PlayTerms(
      obfuscatedAccountID: accountID, obfuscatedProfileID: profileID, buyer: terms.buyer,
      regionCode: terms.regionCode)
  }

  /// Takes over what is left of the purchase that this one replaces.
  fileprivate mutating func take(
    over old: SimulatedPlaySubscription, _ mode: PlayReplacementMode
  ) {
    switch mode {
    case .chargeFullPrice: items[0].replaced = old.replaced(mode)
    case .withoutProration:
      items[0].replaced = old.replaced(mode)
      items[0].expiry = old.expiry
    case .deferred:
      var running = old.item
      running.deferredReplacement = item.productID
      running.orderID = orders.latest.id
      // Not owned yet, so it has neither an end nor an order.
      items[0].expiry = nil
      items[0].orderID = nil
      items[0].paymentsLeft = item.plan.installments?.committed
      items.insert(running, at: 0)
    }
  }

  private func replaced(_ mode: PlayReplacementMode) -> Replaced {
    Replaced(productID: item.productID, basePlan: item.plan.id, offer: item.offer, mode: mode)
  }
}

extension PlayWorld {
  /// Adds a purchase that replaces another one, and returns its token.
  fileprivate mutating func add(
    _ new: SimulatedPlaySubscription, replacing old: SimulatedPlaySubscription, at date: Date,
    _ settings: PlayStoreSimulator.Settings
  ) -> String {
    add(new)
    note(.purchased, new.token, at: date)
    replace(old.token, at: date, settings)
    return new.token
  }

  /// Ends a purchase that another one has replaced.
  mutating func replace(_ token: String, at date: Date, _ settings: PlayStoreSimulator.Settings) {
    guard subscription(token)?.isOwned == true else { return }
    if settings.replacementLag > .zero {
      keepLook(of: token, until: date.addingTimeInterval(settings.replacementLag.timeInterval))
    }
    alter(token) { subscription in
      subscription.phase = .expired(.init(cause: .replacement, date: date))
      subscription.items[0].expiry = min(subscription.expiry ?? date, date)
      subscription.acknowledgeBy = nil
    }
    note(.expired, token, at: date)
  }
}
