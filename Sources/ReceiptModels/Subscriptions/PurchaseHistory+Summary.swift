#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension PurchaseHistory {
  /// What the customer has at a moment.
  ///
  /// A pure function: the moment is `requestDate` for an answer of verifyReceipt, else the clock of
  /// the caller. The moment of the expiry itself counts as expired. An end outside the years 1 to
  /// 9999, and one that cannot be read, entitles to nothing, and so does what Apple declared expired.
  /// Only transactions that had been bought by then count; where there is none, see
  /// ``hasBegun(at:)``, the state is expired for an unknown reason.
  ///
  /// verifyReceipt does not tell a non-renewing subscription from what is owned for good, so
  /// `durations` should name every non-renewing product. One that is known to be non-renewing, but
  /// is not named, has expired.
  ///
  /// Source: contract on signed data, section 8.1.
  ///
  /// - Parameters:
  ///   - date: The moment.
  ///   - durations: The length of each non-renewing subscription in seconds, by product id.
  /// - Returns: The state with the transaction that decided it.
  public func summary(
    at date: Date, durations: [String: TimeInterval] = [:]
  ) -> SubscriptionSummary {
    // What had not begun by then, or is outdated, decides nothing; nearly always that is none.
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
    // Without a renewal entry, as always when the knowledge is local, the reason is unknown.
    return (.expired(.init(renewal?.expirationIntent)), record)
  }

  /// The state where no transaction has an end that counts.
  private func endless(
    at date: Date, _ purchases: Purchases
  ) -> (SubscriptionState, PurchaseRecord) {
    if let upgraded = purchases.upgraded { return (.upgraded, upgraded) }
    if let unbounded = purchases.withoutEnd {
      if unbounded.isCancelled { return (.refunded(.init(unbounded)), unbounded) }
      // A subscription whose end is unreadable does not become endless by another of its charges.
      if !isDeclaredExpired && !purchases.hasUnknownEnd { return (.owned, unbounded) }
    }
    guard let latest = purchases.latest ?? outdated(at: date) else {
      return (.expired(.unknown), latest)
    }
    if latest.isCancelled { return (.revoked(.init(latest)), latest) }
    return (.expired(.init(renewal(of: latest)?.expirationIntent)), latest)
  }

  /// The latest that had begun, where all of these are outdated.
  private func outdated(at date: Date) -> PurchaseRecord? {
    transactions.first { $0.hasBegun(at: date) }
  }
}

/// The transactions of a history, sorted out by what they can decide.
private struct Purchases {
  /// Those with an end.
  let periods: PaidPeriods
  /// The latest that was replaced by another product, with an end or without.
  private(set) var upgraded: PurchaseRecord?
  /// The latest that was bought once and for good.
  private(set) var withoutEnd: PurchaseRecord?
  /// Whether there is a subscription of which nobody can tell the end.
  private(set) var hasUnknownEnd = false
  /// The latest of all.
  let latest: PurchaseRecord?

  /// Sorts out transactions, of which the latest come first.
  init(_ transactions: [PurchaseRecord], durations: [String: TimeInterval]) {
    latest = transactions.first
    periods = PaidPeriods(transactions) { $0.end(durations) }
    upgraded = periods.upgraded?.record
    // By index, as nearly all have an end.
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
  /// Whether this decides anything at a moment.
  fileprivate func counts(at date: Date) -> Bool { !isOutdated && hasBegun(at: date) }

  /// When the period ends, also of a non-renewing subscription; nil where nobody can tell.
  fileprivate func end(_ durations: [String: TimeInterval]) -> Date? {
    if let expiresDate { return expiresDate.readable }
    guard !hasUnreadableExpiry, !durations.isEmpty, let duration = durations[productID],
      !duration.isNaN, let purchaseDate = purchaseDate?.readable
    else { return nil }
    return purchaseDate + duration
  }

  /// Whether this has an end, known or not.
  fileprivate func isSubscription(_ durations: [String: TimeInterval]) -> Bool {
    expiresDate != nil || hasUnreadableExpiry || productType == .nonRenewingSubscription
      || productType == .autoRenewableSubscription || durations[productID] != nil
  }
}
