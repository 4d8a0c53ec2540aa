public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The decision on a stored subscription whose vendor was asked again.
///
/// Source: entitlement rules, section 13.
@nonexhaustive
public enum RevalidationDecision: Hashable, Sendable {
  /// The subscription stays, with these values.
  case update(OrderedSubscription)
  /// The subscription is removed; the claim to its purchase stays.
  case remove(ExplicitFailure.Reason)
  /// The subscription stays as it is, even past its end.
  case keep(IncidentalFailure)

  /// Decides on a stored subscription.
  public init(
    of stored: OrderedSubscription, _ answer: VendorAnswer, levels: SubscriptionLevels,
    environments: CountedEnvironments = .all, _ situation: OrderSituation, at now: Date
  ) {
    switch answer.counted(in: environments.counting(for: Account(id: stored.userID), at: now)) {
    case .incidentalFailure(let failure): self = .keep(failure)
    case .explicitFailure(let failure): self = .remove(failure.reason)
    case .valid(let purchase):
      guard let level = levels.level(of: purchase, from: stored.vendor) else {
        self = .keep(IncidentalFailure(.unknownProduct, needsAttention: true))
        return
      }
      guard situation.isFree(for: stored.userID) else {
        // The receipt of a device may go on with a purchase of another user.
        self =
          now < stored.expiration ? .keep(IncidentalFailure(.otherOwner)) : .remove(.alreadyUsed)
        return
      }
      var row = stored
      row.levelName = level.name
      row.purchaseKey = purchase.purchaseKey
      row.receiptData = purchase.receiptData ?? stored.receiptData
      row.expiration = purchase.expiration
      row.validatedDate = now
      self = .update(row)
    }
  }
}

extension OrderedSubscription {
  /// Returns whether the vendor is to be asked again.
  ///
  /// It is if the last answer is as old as the interval or from the future, or the subscription has ended.
  public func isDue(at now: Date, interval: Duration) -> Bool {
    let age = now.timeIntervalSince(validatedDate)
    return now >= expiration || age < 0 || .seconds(age) >= interval
  }
}
