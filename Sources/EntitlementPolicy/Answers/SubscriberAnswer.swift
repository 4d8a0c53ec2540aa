#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Whether a user subscribes to an app, for another app or service that asks.
///
/// Neither a marker nor a list of products matters. The asker sees from ``validatedDate`` how old the
/// answer is.
///
/// Source: entitlement rules, section 6.3.
public struct SubscriberAnswer: Hashable, Sendable {
  public let subscription: SubscriptionStanding?
  public let isSubscriber: Bool
  public let validatedDate: Date?

  /// Creates an answer.
  public init(
    of purchases: AppPurchases, validation: AppValidation?,
    options: EntitlementOptions = .standard, at date: Date
  ) {
    subscription = purchases.subscriptions.standing(
      in: purchases.bundleID, at: date, options: options)
    isSubscriber = subscription?.isActive(at: date) ?? false
    validatedDate = validation?.validatedDate
  }
}
