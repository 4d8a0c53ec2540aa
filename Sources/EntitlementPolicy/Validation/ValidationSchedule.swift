internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The dates of the next validations.
///
/// Source: entitlement rules, section 9.
public struct ValidationSchedule: Sendable {
  public let options: EntitlementOptions

  /// The longest time between two validations of an active subscription, 7 days.
  public static let longestInterval = Duration.days(7)

  /// Creates a schedule.
  public init(options: EntitlementOptions) { self.options = options }

  /// Returns the date of the next validation after a success.
  ///
  /// - Parameters:
  ///   - subscriptions: The user's subscriptions in the app, as they are known now.
  ///   - validatedDate: The date of the last success.
  /// - Returns: The date, or nil for never: without a subscription, if all are cancelled or were validated
  ///   after they had ended, or without ``EntitlementOptions/periodicValidation``.
  public func nextValidation(
    of subscriptions: [SubscriptionCandidate], validatedAt validatedDate: Date
  ) -> Date? {
    guard options.periodicValidation else { return nil }
    return subscriptions.compactMap { next(of: $0, validatedAt: validatedDate) }.min()
  }

  private func next(
    of subscription: SubscriptionCandidate, validatedAt validated: Date
  ) -> Date? {
    // A purchase of the Sandbox may be a tester's.
    guard options.environments.countForSomebody(subscription.environment) else { return nil }
    let state = SubscriptionStanding(
      subscription, isSuspended: false, options: options.counting([subscription.environment]))
    guard let end = state.end, validated < end else { return nil }
    let half = subscription.expiresDate.timeIntervalSince(subscription.lastPurchaseDate) / 2
    let bounds =
      subscription.environment == .production ? 3600...Self.longestInterval.timeInterval : 60...3600
    let usual = validated + min(max(half, bounds.lowerBound), bounds.upperBound)
    let expiry = subscription.expiresDate
    // Around the expiry it is known ten minutes later whether Apple charged for the next period.
    let isExpiryFirst = validated < expiry && expiry <= usual
    return min(isExpiryFirst ? expiry + 600 : usual, max(end, expiry + 600))
  }

  /// Returns the date of the next validation after a failure.
  ///
  /// The pause is 5 minutes after the first failure, and doubles up to 6 hours: it is 5 minutes longer than
  /// the time since the first failure.
  /// `chance` is a random number from 0 up to 1, which makes the pause up to a tenth shorter or longer.
  /// Returns nil without ``EntitlementOptions/periodicValidation``.
  public func nextTry(
    afterFailuresSince firstFailureDate: Date, at now: Date, chance: Double
  ) -> Date? {
    guard options.periodicValidation else { return nil }
    let elapsed = max(0, now.timeIntervalSince(firstFailureDate))
    return now + min(elapsed + 300, 21_600) * (0.9 + 0.2 * chance)
  }
}
