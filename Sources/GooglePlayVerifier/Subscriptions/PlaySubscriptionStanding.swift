internal import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The standing of a subscription at a time.
public enum PlaySubscriptionStanding: Hashable, Sendable {
  /// The subscription grants its product until the expiry.
  case valid(productID: String, expiryTime: Date)
  /// The subscription grants nothing: it is over, replaced by another one, on hold or paused.
  case expired
  case pending
  case canceledPending
  /// Google's answer does not tell: the state is unknown or missing, or no item has an expiry.
  ///
  /// What is stored stays as it is.
  case unknown(SubscriptionPurchaseV2.SubscriptionState?)
}

extension SubscriptionPurchaseV2 {
  /// Returns the standing of the subscription at a date.
  ///
  /// The item with the latest expiry decides, of those that the user owns. The access ends at the
  /// expiry: there are no grace days, because Google moves the expiry itself in a grace period.
  ///
  /// *Not* considered: who owns the subscription, whether it is acknowledged, and whether
  /// ``isTest`` purchases count. Source: Google Play rules, section 2.1.
  public func standing(at date: Date) -> PlaySubscriptionStanding {
    guard !isReplaced else { return .expired }
    switch subscriptionState {
    case .active?, .inGracePeriod?, .canceled?:
      guard let item = decidingLineItem(at: date), let expiry = item.expiryTime else {
        return .unknown(subscriptionState)
      }
      return date < expiry ? .valid(productID: item.productID, expiryTime: expiry) : .expired
    case .expired?, .onHold?, .paused?: return .expired
    case .pending?: return .pending
    case .pendingPurchaseCanceled?: return .canceledPending
    default: return .unknown(subscriptionState)
    }
  }

  /// Returns the item with the latest expiry, of those that the user owns; of equal ones the first.
  public func decidingLineItem(at date: Date) -> SubscriptionPurchaseLineItem? {
    var latest: SubscriptionPurchaseLineItem?
    for item in ownedLineItems(at: date) {
      guard let expiry = item.expiryTime else { continue }
      if let end = latest?.expiryTime, expiry <= end { continue }
      latest = item
    }
    return latest
  }

  /// Returns the items that the user owns.
  package func ownedLineItems(at date: Date) -> [SubscriptionPurchaseLineItem] {
    lineItems.indices.filter { !isDeferred($0, at: date) }.map { lineItems[$0] }
  }

  /// Returns whether another item, which still runs, names this one as its replacement; then the user
  /// doesn't own this one yet.
  private func isDeferred(_ index: Int, at date: Date) -> Bool {
    let item = lineItems[index]
    return lineItems.enumerated().contains { other, running in
      guard other != index, let replacement = running.deferredReplacementProductID,
        replacement.isSameText(as: item.productID), let end = running.expiryTime
      else { return false }
      return date < end
    }
  }
}
