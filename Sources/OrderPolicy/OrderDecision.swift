public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The decision on an order.
///
/// Source: entitlement rules, sections 13 and 14.
@nonexhaustive
public enum OrderDecision: Hashable, Sendable {
  /// The purchase is claimed for the user, and its subscription stored instead of the present one.
  case accept(OrderedSubscription)
  /// The purchase is claimed for the user, whose present subscription ends later and stays.
  case keep(OrderedSubscription)
  /// The order is refused; whether the stored subscription, which rests on the same purchase, is removed.
  case refuse(ExplicitFailure.Reason, removesSubscription: Bool)
  /// The vendor said nothing; nothing is stored.
  case unavailable(IncidentalFailure)

  /// Decides on an order.
  ///
  /// - Parameters:
  ///   - order: The order.
  ///   - answer: The vendor's word about its evidence.
  ///   - levels: The levels that are sold.
  ///   - environments: The environments whose purchases count.
  ///   - situation: The rows that it may change.
  ///   - now: The present moment.
  public init(
    on order: SubscriptionOrder, _ answer: VendorAnswer, levels: SubscriptionLevels,
    environments: CountedEnvironments = .all, _ situation: OrderSituation, at now: Date
  ) {
    let environments = environments.counting(for: Account(id: order.userID), at: now)
    let purchase: VendorPurchase
    switch answer.counted(in: environments) {
    case .incidentalFailure(let failure):
      self = .unavailable(failure)
      return
    case .explicitFailure(let failure):
      if failure.isReplaced, let owner = situation.owner ?? situation.otherOwner,
        owner != order.userID
      {
        self = .refuse(.alreadyUsed, removesSubscription: false)
        return
      }
      let isEnded = situation.subscription?.isEnded(by: failure, at: now)
      self = .refuse(failure.reason, removesSubscription: isEnded ?? false)
      return
    case .valid(let valid): purchase = valid
    }
    guard let level = levels.level(of: purchase, from: order.vendor) else {
      self = .refuse(.unknownProduct, removesSubscription: false)
      return
    }
    guard situation.isObtainable(by: order.userID) else {
      self = .refuse(.alreadyUsed, removesSubscription: false)
      return
    }
    if let stored = situation.subscription, stored.counts(in: environments),
      stored.outlasts(purchase, at: now)
    {
      // Nothing is taken from another user that would not be used.
      self =
        situation.isFree(for: order.userID)
        ? .keep(stored) : .refuse(.alreadyUsed, removesSubscription: false)
    } else {
      self = .accept(
        OrderedSubscription(
          userID: order.userID, levelName: level.name, purchaseKey: purchase.purchaseKey,
          receiptData: purchase.receiptData ?? order.receiptData, expiration: purchase.expiration,
          validatedDate: now))
    }
  }
}

extension OrderedSubscription {
  /// Whether a refusal ends this subscription: one about the same purchase, and not older than the last answer
  /// about it.
  fileprivate func isEnded(by failure: ExplicitFailure, at now: Date) -> Bool {
    failure.purchaseKey == purchaseKey && validatedDate <= now
  }

  /// Whether another purchase of the same user leaves this one in its place.
  fileprivate func outlasts(_ purchase: VendorPurchase, at now: Date) -> Bool {
    if purchase.purchaseKey == purchaseKey {
      // A later answer about the same purchase counts more, and so does a later end than that of old evidence.
      return now < validatedDate
        || !purchase.isPresent && now < expiration && purchase.expiration < expiration
    }
    if purchase.linkedPurchaseKeys.contains(purchaseKey) { return false }
    return now < expiration && purchase.expiration <= expiration
  }
}
