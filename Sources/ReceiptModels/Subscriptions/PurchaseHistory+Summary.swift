internal import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension PurchaseHistory {
  /// Returns the state of the purchase at a date.
  ///
  /// The date is `requestDate` for an answer of verifyReceipt, else the caller's current date. A
  /// subscription is expired from the moment of its expiry. An end that is unreadable or outside
  /// the years 1 to 9999 entitles to nothing, nor does a subscription that Apple declared expired.
  /// Only transactions bought by that date count; if there are none (see ``hasBegun(at:)``), the
  /// state is expired for an unknown reason.
  ///
  /// verifyReceipt does not distinguish a non-renewing subscription from a permanent purchase, so
  /// `durations` should name every non-renewing product. One that is known to be non-renewing but
  /// is not named is expired.
  ///
  /// Source: App Store rules, section 8.1.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - durations: The length of each non-renewing subscription, by product identifier.
  /// - Returns: The state with the transaction that decided it.
  public func summary(
    at date: Date, durations: [String: Duration] = [:]
  ) -> SubscriptionSummary {
    // Transactions that had not begun or are outdated are dropped; usually there are none.
    let doAllCount = transactions.indices.allSatisfy { transactions[$0].counts(at: date) }
    let begun = doAllCount ? transactions : transactions.filter { $0.counts(at: date) }
    let (state, record) = decision(at: date, Purchases(begun, durations: durations))
    return SubscriptionSummary(
      state: state, transaction: record, renewal: renewal(of: record), knowledge: knowledge,
      subscriptionGroupID: subscriptionGroupID,
      hasRefundedHistory: hasRefunds)
  }

  private func decision(
    at date: Date, _ purchases: Purchases
  ) -> (SubscriptionState, PurchaseRecord) {
    if !isDeclaredExpired, let best = purchases.periods.kept, date < best.end {
      return (.active(until: best.end), best.record)
    }
    guard let record = purchases.periods.newest?.record else { return endless(at: date, purchases) }
    if record.isCancelled { return (.revoked(.init(record)), record) }
    let renewal = renewal(of: record)
    if !isDeclaredExpired, let grace = renewal?.gracePeriodExpiresDate?.readable, date < grace {
      return (.inGracePeriod(until: grace), record)
    }
    if renewal?.isInBillingRetry == true { return (.inBillingRetry, record) }
    // Without a renewal entry, as always with local knowledge, the reason is unknown.
    return (.expired(.init(renewal?.expirationIntent)), record)
  }

  /// Returns the state if no transaction has an end that counts.
  private func endless(
    at date: Date, _ purchases: Purchases
  ) -> (SubscriptionState, PurchaseRecord) {
    if let upgraded = purchases.upgraded { return (.upgraded, upgraded) }
    if let unbounded = purchases.withoutEnd {
      if unbounded.isCancelled { return (.refunded(.init(unbounded)), unbounded) }
      // Another charge does not make a subscription with an unreadable end permanent.
      if !isDeclaredExpired && !purchases.hasUnknownEnd { return (.owned, unbounded) }
    }
    guard let latest = purchases.latest ?? outdated(at: date) else {
      return (.expired(.unknown), latest)
    }
    if latest.isCancelled { return (.revoked(.init(latest)), latest) }
    return (.expired(.init(renewal(of: latest)?.expirationIntent)), latest)
  }

  /// Returns the latest transaction that had begun, if all of them are outdated.
  private func outdated(at date: Date) -> PurchaseRecord? {
    transactions.first { $0.hasBegun(at: date) }
  }
}

/// The transactions of a history, separated by their role in the decision.
private struct Purchases {
  let periods: PaidPeriods
  /// The latest transaction that was replaced by another product, with or without an end.
  private(set) var upgraded: PurchaseRecord?
  private(set) var withoutEnd: PurchaseRecord?
  private(set) var hasUnknownEnd = false
  let latest: PurchaseRecord?

  /// Separates transactions, which must be sorted with the latest first.
  init(_ transactions: [PurchaseRecord], durations: [String: Duration]) {
    latest = transactions.first
    periods = PaidPeriods(transactions) { $0.end(durations) }
    upgraded = periods.upgraded?.record
    // By index, because nearly all have an end.
    for index in transactions.indices where transactions[index].end(durations) == nil {
      if transactions[index].isUpgraded {
        upgraded = upgraded ?? transactions[index]
      } else if transactions[index].isSubscription(durations) {
        hasUnknownEnd = true
      } else if withoutEnd == nil {
        withoutEnd = transactions[index]
      }
    }
  }
}

extension PurchaseRecord {
  /// Returns whether the transaction counts at a date.
  fileprivate func counts(at date: Date) -> Bool { !isOutdated && hasBegun(at: date) }

  /// Returns the end of the period, also for a non-renewing subscription, or nil if unknown.
  fileprivate func end(_ durations: [String: Duration]) -> Date? {
    if let expiresDate { return expiresDate.readable }
    guard !hasUnreadableExpiry, !durations.isEmpty, let duration = durations[productID],
      let purchaseDate = purchaseDate?.readable
    else { return nil }
    return purchaseDate + duration.timeInterval
  }

  /// Returns whether the transaction has an end, known or not.
  fileprivate func isSubscription(_ durations: [String: Duration]) -> Bool {
    expiresDate != nil || hasUnreadableExpiry || productType == .nonRenewingSubscription
      || productType == .autoRenewableSubscription || durations[productID] != nil
  }
}
