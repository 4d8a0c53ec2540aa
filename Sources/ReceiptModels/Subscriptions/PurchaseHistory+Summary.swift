#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension PurchaseHistory {
  /// What the customer has at a moment.
  ///
  /// A pure function: the moment is `requestDate` for an answer of verifyReceipt, else the clock of
  /// the caller. The moment of the expiry itself counts as expired.
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
      hasRefundedHistory: transactions.contains(where: \.isCancelled))
  }

  private func decision(
    at date: Date, _ periods: Periods
  ) -> (SubscriptionState, PurchaseRecord) {
    if let best = periods.best, date < best.end { return (.active(until: best.end), best.record) }
    guard let newest = periods.newest else { return endless(periods) }
    let record = newest.record
    if record.isCancelled { return (.revoked(.init(record)), record) }
    let renewal = renewal(of: record)
    if let grace = renewal?.gracePeriodExpiresDate, date < grace {
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
      return unbounded.isCancelled
        ? (.refunded(.init(unbounded)), unbounded) : (.owned, unbounded)
    }
    return latest.isCancelled
      ? (.revoked(.init(latest)), latest) : (.expired(.unknown), latest)
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

  /// Sorts out transactions, of which the latest come first.
  init(_ transactions: [PurchaseRecord], durations: [String: TimeInterval]) {
    for record in transactions {
      if record.isUpgraded {
        upgraded = upgraded ?? record
      } else if let end = Self.end(of: record, durations) {
        take(Period(record: record, end: end))
      } else if !record.isSubscription(durations) {
        withoutEnd = withoutEnd ?? record
      }
    }
  }

  private mutating func take(_ period: Period) {
    if newest.map({ Self.rank($0) < Self.rank(period) }) ?? true { newest = period }
    guard !period.record.isCancelled else { return }
    if best.map({ Self.rank($0) < Self.rank(period) }) ?? true { best = period }
  }

  private static func rank(_ period: Period) -> PurchaseRank {
    PurchaseRank(period.record, end: period.end)
  }

  private static func end(
    of record: PurchaseRecord, _ durations: [String: TimeInterval]
  ) -> Date? {
    if record.expiresDate != nil || record.hasUnreadableExpiry { return record.expiresDate }
    guard !durations.isEmpty, let duration = durations[record.productID] else { return nil }
    return record.purchaseDate.map { $0 + duration }
  }
}

extension PurchaseRecord {
  /// Whether this has an end, known or not.
  fileprivate func isSubscription(_ durations: [String: TimeInterval]) -> Bool {
    expiresDate != nil || hasUnreadableExpiry || productType == .nonRenewingSubscription
      || productType == .autoRenewableSubscription || durations[productID] != nil
  }
}
