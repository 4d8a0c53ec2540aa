internal import GooglePlayVerifier
internal import HTTPMessages
internal import JSONValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The calls that change a subscription.
///
/// Source: Google Play Developer API v3, purchases.subscriptionsv2.
extension PlayCall {
  func cancelSubscription(_ world: inout PlayWorld) throws(GoogleAPIError) -> HTTPResponseMessage {
    let subscription = try subscription(world)
    let request = try checkedBody(as: CancelSubscriptionPurchaseRequest.self)
    let type = request.cancellationContext.cancellationType
    switch subscription.phase {
    case .active, .inGracePeriod, .onHold, .paused: break
    // What is canceled already stays as it is.
    case .canceled: return .google([:])
    case .pending, .pendingCanceled, .expired: throw .wrongState
    }
    guard subscription.item.plan.kind == .autoRenewing else { throw .wrongState }
    let cause: PlayCancellation = type == .userRequestedStopRenewals ? .user : .developer
    if cause == .user, subscription.isCancellationPending { return .google([:]) }
    world.cancel(subscription.token, by: cause, at: now)
    return .google([:])
  }

  func deferSubscription(_ world: inout PlayWorld) throws(GoogleAPIError) -> HTTPResponseMessage {
    let subscription = try subscription(world)
    let context = try checkedBody(as: DeferSubscriptionPurchaseRequest.self).deferralContext
    guard let duration = context.deferDuration else { throw .invalid("deferDuration") }
    let etag = SubscriptionAnswer(
      subscription: subscription, fractionDigits: settings.fractionDigits
    ).etag
    guard context.etag == etag else { throw .invalid("etag") }
    guard subscription.phase == .active else { throw .wrongState }
    var changed = subscription
    for index in changed.items.indices {
      changed.items[index].expiry = changed.items[index].expiry?
        .addingTimeInterval(duration.timeInterval)
    }
    if !context.validateOnly {
      let items = changed.items
      world.alter(subscription.token) { $0.items = items }
      world.note(.deferred, subscription.token, at: now)
    }
    let details: [JSONValue] = changed.items.compactMap { item in
      guard let expiry = item.expiry else { return nil }
      return .object([
        "productId": .string(item.productID),
        "expiryTime": .string(RFC3339Time(expiry, fractionDigits: settings.fractionDigits).text),
      ])
    }
    return .google(["itemExpiryTimeDetails": .array(details)])
  }

  func revokeSubscription(_ world: inout PlayWorld) throws(GoogleAPIError) -> HTTPResponseMessage {
    let subscription = try subscription(world)
    let request = try checkedBody(as: RevokeSubscriptionPurchaseRequest.self)
    guard let kind = request.kind else { throw .invalid("revocationContext") }
    let order = subscription.orders.latest
    guard subscription.isOwned, order.refunded == nil else { throw .wrongState }
    var amount: PlayPrice?
    switch kind {
    case .fullRefund: break
    case .proratedRefund: amount = order.total.share(Self.rest(of: order, at: now))
    case .itemBasedRefund(let productID):
      // A subscription here has one item that is owned.
      guard subscription.item.productID == productID else { throw .otherProduct }
    }
    world.void(
      subscription.token, order: order.id, source: .developer, reason: .other, amount: amount,
      at: now)
    return .google([:])
  }

  /// Returns the part of the paid period that is left.
  private static func rest(of order: PlayOrders.Order, at now: Date) -> Double {
    guard let period = order.item.period else { return 1 }
    return period.upperBound.timeIntervalSince(now)
      / period.upperBound.timeIntervalSince(period.lowerBound)
  }
}
