internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What is stored about one purchase: its charges, and what the store says of its renewal.
struct PurchaseState {
  var transactions: [PurchaseRecord]
  /// The renewals; more than one if Apple has an entry for each product.
  var renewals: [RenewalRecord]

  /// A change of a purchase, with the type of its event.
  struct Told: Hashable {
    let kind: PurchaseEvent.Kind
    let change: PurchaseChange
    /// What tells the event from others of its kind and purchase, where it happens once; nil where it may happen again.
    var identity: [String]?
  }

  /// The time after which a refund of a charge, or what became of its renewal, is an old story where it was not known.
  private static let memory = 30.0 * 86_400

  /// Returns what a unit of work has changed, in the order in which a store would tell it.
  ///
  /// Of several new periods only the last one is told.
  func changes(since before: PurchaseState, of key: PurchaseKey, at now: Date) -> [Told] {
    guard !before.transactions.isEmpty else { return changesAtFirstSight(of: key, at: now) }
    let (period, earlier) = (latestPeriod, before.latestPeriod)
    var told = revocations(since: before, key, at: now)
    if let period, let kind = Self.kind(of: period, after: earlier, before.transactions) {
      var change = change(period, key)
      if kind == .subscriptionProductChanged { change.previousProductID = earlier?.productID }
      told.append(
        kind == .subscriptionStarted
          ? start(with: period, key)
          : Told(
            kind: kind, change: change, identity: Self.identity(of: period, period.expiresDate)))
    }
    if let charge = period ?? lastCharge {
      if let previous = (earlier ?? before.lastCharge).flatMap(before.renewal) {
        told += renewalKinds(of: charge, since: previous, at: now)
          .map { Told(kind: $0, change: change(charge, key)) }
      } else {
        told += firstRenewal(of: charge, key, at: now)
      }
    }
    return told
  }

  /// Returns what is told of a purchase that is recorded for the first time.
  ///
  /// An import of old customers is no flood of old refunds and ends. But of what was taken back as a whole the last
  /// refund is told, however old it is, as nothing else would be.
  private func changesAtFirstSight(of key: PurchaseKey, at now: Date) -> [Told] {
    let period = latestPeriod
    var told = period.map { [start(with: $0, key)] } ?? []
    told += revocations(since: PurchaseState(transactions: [], renewals: []), key, at: now)
    if told.isEmpty, let charge = lastRevocation { told.append(revocation(of: charge, key)) }
    if let charge = period ?? lastCharge { told += firstRenewal(of: charge, key, at: now) }
    return told
  }

  /// Returns what the first renewal that is known of a charge tells, unless it is an old story.
  private func firstRenewal(
    of charge: PurchaseRecord, _ key: PurchaseKey, at now: Date
  ) -> [Told] {
    guard Self.isNews(charge.expiresDate, at: now) else { return [] }
    return renewalKinds(of: charge, since: nil, at: now).map {
      Told(
        kind: $0, change: change(charge, key),
        identity: Self.identity(of: charge, charge.expiresDate))
    }
  }

  private static func isNews(_ date: Date?, at now: Date) -> Bool {
    date.map { now - memory < $0 } ?? false
  }

  /// The start of a subscription, which is told once, with whichever period is known first.
  private func start(with period: PurchaseRecord, _ key: PurchaseKey) -> Told {
    Told(kind: .subscriptionStarted, change: change(period, key), identity: [])
  }

  /// The identity of what happens to a charge once at a moment.
  private static func identity(of charge: PurchaseRecord, _ moment: Date?) -> [String] {
    [charge.transactionID, String(StoredMoment.seconds(moment ?? .distantPast))]
  }

  /// The period of a subscription that lasts longest, of those that count.
  private var latestPeriod: PurchaseRecord? {
    transactions.filter { !$0.isCancelled && !$0.isUpgraded && $0.expiresDate != nil }
      .max { PurchaseRank($0, end: $0.expiresDate) < PurchaseRank($1, end: $1.expiresDate) }
  }

  private var lastCharge: PurchaseRecord? {
    transactions.filter { $0.expiresDate != nil }
      .max { PurchaseRank($0, end: $0.expiresDate) < PurchaseRank($1, end: $1.expiresDate) }
  }

  private func renewal(of charge: PurchaseRecord) -> RenewalRecord? {
    PurchaseHistory.renewal(of: charge, among: renewals)
  }

  /// Returns what the latest period tells, which is new or was extended.
  ///
  /// One that was known, and is the latest because another one was refunded or counts again, is told by that; one that
  /// was the latest, and now ends later, was extended. One that began before another that is known is late news.
  private static func kind(
    of period: PurchaseRecord, after earlier: PurchaseRecord?, _ known: [PurchaseRecord]
  ) -> PurchaseEvent.Kind? {
    let wasKnown = known.contains { $0.transactionID.isSameText(as: period.transactionID) }
    let isEarlier = earlier?.transactionID.isSameText(as: period.transactionID) ?? false
    guard !wasKnown || isEarlier else { return nil }
    guard isEarlier || !known.contains(where: { period.began(before: $0) }) else {
      return earlier == nil ? .subscriptionStarted : nil
    }
    guard let earlier else { return .subscriptionRenewed }
    guard !earlier.productID.isSameText(as: period.productID) else {
      return (earlier.expiresDate ?? .distantPast) < (period.expiresDate ?? .distantPast)
        ? .subscriptionRenewed : nil
    }
    return isEarlier ? nil : .subscriptionProductChanged
  }

  /// The charge that was taken back last.
  private var lastRevocation: PurchaseRecord? {
    transactions.filter { $0.isCancelled && !$0.isUpgraded }
      .max { ($0.cancellationDate ?? .distantPast) < ($1.cancellationDate ?? .distantPast) }
  }

  private func revocations(
    since before: PurchaseState, _ key: PurchaseKey, at now: Date
  ) -> [Told] {
    let known = Dictionary(before.transactions.map { ($0.transactionID, $0) }) { $1 }
    return transactions.compactMap { charge in
      guard !charge.isUpgraded else { return nil }
      guard let earlier = known[charge.transactionID] else {
        let isNews = charge.isCancelled && Self.isNews(charge.cancellationDate, at: now)
        return isNews ? revocation(of: charge, key) : nil
      }
      guard earlier.isCancelled != charge.isCancelled else { return nil }
      guard charge.isCancelled else {
        return Told(kind: .purchaseRefundReversed, change: change(charge, key))
      }
      var told = revocation(of: charge, key)
      // It may be reversed, and come again.
      told.identity = nil
      return told
    }
  }

  private func revocation(of charge: PurchaseRecord, _ key: PurchaseKey) -> Told {
    var kind = PurchaseEvent.Kind.purchaseRevoked
    if key.vendor == .apple, case .refund = SubscriptionState.RevocationCause(charge) {
      kind = .purchaseRefunded
    }
    return Told(
      kind: kind, change: change(charge, key),
      identity: Self.identity(of: charge, charge.cancellationDate))
  }

  private func renewalKinds(
    of charge: PurchaseRecord, since before: RenewalRecord?, at now: Date
  ) -> [PurchaseEvent.Kind] {
    guard let renewal = renewal(of: charge), renewal != before else { return [] }
    var kinds: [PurchaseEvent.Kind] = []
    if let will = renewal.willRenew, let did = before?.willRenew, will != did {
      kinds.append(will ? .subscriptionRenewalOn : .subscriptionRenewalOff)
    }
    let standing = Standing(renewal, at: now)
    // A time of grace that ended since was one as long as nothing else was stored.
    let previous = before.flatMap { Standing($0, at: .distantPast) }
    if let standing, standing != previous {
      kinds.append(standing == .grace ? .subscriptionInGrace : .subscriptionOnHold)
    }
    let isOver = charge.expiresDate.map { $0 <= now } ?? false
    if standing == nil, renewal.expirationIntent != nil,
      before?.expirationIntent == nil || previous != nil, isOver
    {
      kinds.append(.subscriptionExpired)
    }
    return kinds
  }

  /// The state of a renewal that was not paid, when the store told it.
  private enum Standing {
    case grace
    case hold

    /// The moment counts for a record without a date of its own.
    init?(_ renewal: RenewalRecord, at moment: Date) {
      if let end = renewal.gracePeriodExpiresDate, renewal.signedDate ?? moment < end {
        self = .grace
      } else if renewal.isInBillingRetry {
        self = .hold
      } else {
        return nil
      }
    }
  }

  private func change(_ charge: PurchaseRecord, _ key: PurchaseKey) -> PurchaseChange {
    var change = PurchaseChange(
      environment: key.environment, originalTransactionID: charge.originalTransactionID,
      transactionID: charge.transactionID, productID: charge.productID)
    change.expiresDate = charge.expiresDate
    let renewal = renewal(of: charge)
    change.gracePeriodEnd = renewal?.gracePeriodExpiresDate
    change.renews = renewal?.willRenew
    change.revocationDate = charge.cancellationDate
    return change
  }
}

extension PurchaseRecord {
  fileprivate func began(before other: PurchaseRecord) -> Bool {
    guard let date = purchaseDate, let later = other.purchaseDate else { return false }
    return date < later
  }
}
