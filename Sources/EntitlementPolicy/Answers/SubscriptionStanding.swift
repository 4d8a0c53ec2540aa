internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Whether a subscription entitles, and until when.
///
/// Source: entitlement rules, section 5.1.
public struct SubscriptionStanding: Hashable, Sendable {
  public let subscription: SubscriptionCandidate
  /// Whether the state of the subscription could not be learned for too long.
  public let isSuspended: Bool
  /// The moment until which it entitles, unless Apple says otherwise: with grace, or the cancellation.
  public let accessEndDate: Date

  /// The moment from which it is suspended, unless its state is learned before; nil if the state is known.
  ///
  /// Source: entitlement rules, section 4.1.
  public let suspensionDate: Date?

  private let isAllowed: Bool

  /// Creates the standing of a subscription.
  public init(
    _ subscription: SubscriptionCandidate, isSuspended: Bool, options: EntitlementOptions
  ) {
    self.subscription = subscription
    self.isSuspended = isSuspended
    suspensionDate = subscription.suspensionDate(options: options)
    isAllowed = options.environments.count(subscription.environment, for: nil)
    accessEndDate =
      subscription.cancellationDate ?? subscription.end(withGrace: options.grace)
  }

  /// The end of access, or nil if there is none whatever the date is: the subscription was cancelled, it is
  /// suspended, or its environment does not count.
  var end: Date? {
    subscription.cancellationDate == nil && !isSuspended && isAllowed ? accessEndDate : nil
  }

  /// Returns whether the subscription is active.
  public func isActive(at date: Date) -> Bool { end.map { date < $0 } ?? false }
}

extension SubscriptionCandidate {
  /// The expiry with the host's grace, in Production, and Apple's grace period.
  fileprivate func end(withGrace grace: Duration) -> Date {
    guard isRenewable else { return expiresDate }
    let grace = environment == .production ? grace.timeInterval : 0
    return max(expiresDate + grace, gracePeriodExpiresDate ?? expiresDate)
  }
}
