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
  var renewal: RenewalRecord?

  /// A change of a purchase, with the type of its event.
  struct Told: Hashable {
    let kind: PurchaseEvent.Kind
    let change: PurchaseChange
  }

  /// Returns what a unit of work has changed, in the order in which a store would tell it.
  ///
  /// Of several new periods only the last one is told. Of a purchase that is recorded for the first time nothing else is.
  func changes(since before: PurchaseState, of key: PurchaseKey, at now: Date) -> [Told] {
    let (period, earlier) = (latestPeriod, before.latestPeriod)
    guard !before.transactions.isEmpty else {
      return period.map { [Told(kind: .subscriptionStarted, change: change($0, key))] } ?? []
    }
    var told = revocations(since: before, key)
    if let period, let kind = Self.kind(of: period, after: earlier) {
      var change = change(period, key)
      if kind == .subscriptionProductChanged { change.previousProductID = earlier?.productID }
      told.append(Told(kind: kind, change: change))
    }
    if let charge = period ?? lastCharge {
      told += renewalKinds(since: before.renewal, expiresDate: charge.expiresDate, at: now)
        .map { Told(kind: $0, change: change(charge, key)) }
    }
    return told
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

  private static func kind(
    of period: PurchaseRecord, after earlier: PurchaseRecord?
  ) -> PurchaseEvent.Kind? {
    guard let earlier else { return .subscriptionRenewed }
    guard !earlier.productID.isSameText(as: period.productID) else {
      return (earlier.expiresDate ?? .distantPast) < (period.expiresDate ?? .distantPast)
        ? .subscriptionRenewed : nil
    }
    return earlier.transactionID.isSameText(as: period.transactionID)
      ? nil : .subscriptionProductChanged
  }

  private func revocations(since before: PurchaseState, _ key: PurchaseKey) -> [Told] {
    let known = Dictionary(before.transactions.map { ($0.transactionID, $0) }) { $1 }
    return transactions.compactMap { charge in
      guard let earlier = known[charge.transactionID],
        earlier.isCancelled != charge.isCancelled, !charge.isUpgraded
      else { return nil }
      guard charge.isCancelled else {
        return Told(kind: .purchaseRefundReversed, change: change(charge, key))
      }
      let isRefund = key.vendor == .apple && charge.revocationType != .familyRevoke
      return Told(
        kind: isRefund ? .purchaseRefunded : .purchaseRevoked, change: change(charge, key))
    }
  }

  private func renewalKinds(
    since before: RenewalRecord?, expiresDate: Date?, at now: Date
  ) -> [PurchaseEvent.Kind] {
    guard let renewal else { return [] }
    var kinds: [PurchaseEvent.Kind] = []
    if let will = renewal.willRenew, let did = before?.willRenew, will != did {
      kinds.append(will ? .subscriptionRenewalOn : .subscriptionRenewalOff)
    }
    let standing = Standing(renewal, at: now)
    if let standing, standing != before.flatMap({ Standing($0, at: now) }) {
      kinds.append(standing == .grace ? .subscriptionInGrace : .subscriptionOnHold)
    }
    let isOver = expiresDate.map { $0 <= now } ?? false
    if standing == nil, renewal.expirationIntent != nil,
      before?.expirationIntent == nil
        || before.flatMap({ Standing($0, at: now) }) != nil, isOver
    {
      kinds.append(.subscriptionExpired)
    }
    return kinds
  }

  /// The state of a renewal that was not paid.
  private enum Standing {
    case grace
    case hold

    init?(_ renewal: RenewalRecord, at now: Date) {
      if let end = renewal.gracePeriodExpiresDate, now < end {
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
    change.gracePeriodEnd = renewal?.gracePeriodExpiresDate
    change.renews = renewal?.willRenew
    change.revocationDate = charge.cancellationDate
    return change
  }
}
