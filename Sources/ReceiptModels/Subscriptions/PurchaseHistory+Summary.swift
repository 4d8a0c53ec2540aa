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
    let periods = Periods(transactions, durations: durations)
    let (state, record) = decision(at: date, periods)
    return SubscriptionSummary(
      state: state, transaction: record, renewal: renewal(of: record), knowledge: knowledge,
      subscriptionGroupID: subscriptionGroupID,
      hasRefundedHistory: hasRefunds)
  }

  private func decision(
    at date: Date, _ periods: Periods
  ) -> (SubscriptionState, PurchaseRecord) {
    if !isDeclaredExpired, let best = periods.best, date < best.end {
      return (.active(until: best.end), best.record)
    }
    guard let newest = periods.newest else { return endless(periods) }
    let record = newest.record
    if record.isCancelled { return (.revoked(.init(record)), record) }
    let renewal = renewal(of: record)
    if !isDeclaredExpired, let grace = renewal?.gracePeriodExpiresDate, grace.isInReach,
      date < grace
    {
      return (.inGracePeriod(until: grace), record)
    }
    if renewal?.isInBillingRetry == true { return (.inBillingRetry, record) }
    // Without a renewal entry, as always when the knowledge is local, the reason is unknown.
    return (.expired(.init(renewal?.expirationIntent)), record)
  }

  /// The state where no transaction has an end that counts.
  private func endless(_ periods: Periods) -> (SubscriptionState, PurchaseRecord) {
    if let upgraded = periods.upgraded { return (.upgraded, upgraded) }
    if let unbounded = periods.withoutEnd {
      if unbounded.isCancelled { return (.refunded(.init(unbounded)), unbounded) }
      // A subscription whose end is unreadable does not become endless by another of its charges.
      if !isDeclaredExpired && !periods.hasUnknownEnd { return (.owned, unbounded) }
    }
    if latest.isCancelled { return (.revoked(.init(latest)), latest) }
    return (.expired(.init(renewal(of: latest)?.expirationIntent)), latest)
  }
}

/// The transactions of a history, sorted out by what they can decide.
private struct Periods {
  struct Period {
    var record: PurchaseRecord
    var end: Date
  }

  /// The latest that is neither upgraded nor cancelled.
  private(set) var best: Period?
  /// The latest that is not upgraded.
  private(set) var newest: Period?
  /// The latest that is upgraded.
  private(set) var upgraded: PurchaseRecord?
  /// The latest that was bought once and for good.
  private(set) var withoutEnd: PurchaseRecord?
  /// Whether there is a subscription of which nobody can tell the end.
  private(set) var hasUnknownEnd = false

  /// Sorts out transactions, of which the latest come first.
  init(_ transactions: [PurchaseRecord], durations: [String: TimeInterval]) {
    // By index, so that only the few that count are copied.
    for index in transactions.indices where !transactions[index].isOutdated {
      if transactions[index].isUpgraded {
        upgraded = upgraded ?? transactions[index]
      } else if let end = transactions[index].end(durations) {
        if Self.isLater(transactions[index], end, than: newest) {
          newest = Period(record: transactions[index], end: end)
        }
        if !transactions[index].isCancelled, Self.isLater(transactions[index], end, than: best) {
          best = Period(record: transactions[index], end: end)
        }
      } else if transactions[index].isSubscription(durations) {
        hasUnknownEnd = true
      } else if withoutEnd == nil {
        withoutEnd = transactions[index]
      }
    }
  }

  private static func isLater(
    _ record: borrowing PurchaseRecord, _ end: Date, than period: Period?
  ) -> Bool {
    guard let period else { return true }
    if end != period.end { return end > period.end }
    return PurchaseRank(period.record, end: end) < PurchaseRank(copy record, end: end)
  }
}

extension PurchaseRecord {
  /// When the period ends, also of a non-renewing subscription; nil where nobody can tell.
  fileprivate func end(_ durations: [String: TimeInterval]) -> Date? {
    if let expiresDate { return expiresDate.isInReach ? expiresDate : nil }
    guard !hasUnreadableExpiry, !durations.isEmpty, let duration = durations[productID],
      !duration.isNaN, let purchaseDate, purchaseDate.isInReach
    else { return nil }
    return purchaseDate + duration
  }

  /// Whether this has an end, known or not.
  fileprivate func isSubscription(_ durations: [String: TimeInterval]) -> Bool {
    expiresDate != nil || hasUnreadableExpiry || productType == .nonRenewingSubscription
      || productType == .autoRenewableSubscription || durations[productID] != nil
  }
}

extension Date {
  /// Whether this lies in the years 1 to 9999; anything else, also what is no number, is no moment
  /// that a period could end at.
  fileprivate var isInReach: Bool {
    let milliseconds = timeIntervalSince1970 * 1000
    return milliseconds >= Double(ReceiptMoment.range.lowerBound)
      && milliseconds <= Double(ReceiptMoment.range.upperBound)
  }
}
