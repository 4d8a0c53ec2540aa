public import ReceiptModels

/// The rule for a membership of the account that isn't the subscription's.
///
/// Source: linking rules, sections 2.2 and 6.5.
public enum ReplacementRule: Hashable, Sendable, CaseIterable {
  /// Another Apple subscription is replaced if the request forces it; a membership of another
  /// source if it is expired, or a copy made by hand.
  case forcedOrExpired
  /// Only an expired membership is replaced, whatever its source.
  case expiredOnly
}

/// The time for which the subscription behind a membership grants access.
///
/// Google's grace periods are part of the ends that Google tells, so that they count under both rules. Source: linking
/// rules, section 1.5.
public enum AccessRule: String, Hashable, Sendable, CaseIterable {
  /// Access ends with the paid period.
  case paidPeriod
  /// After a failed payment access goes on to the end of Apple's billing grace period.
  case gracePeriod
}

/// The settings of the policy.
public struct LinkOptions: Hashable, Sendable {
  /// The rule for a membership that isn't the subscription's.
  public var replacement = ReplacementRule.forcedOrExpired
  /// The environments whose subscriptions may be linked, and may change a membership; Production by default.
  public var allowedEnvironments: CountedEnvironments = [.production]
  /// Whether a forced replacement by a subscription that expires earlier is refused.
  public var isSwitchStrict: Bool = false
  /// The time after expiry in which automatic renewal keeps a membership valid, in whole days of 24 hours.
  ///
  /// Apple retries a payment for at most 60 days.
  public var autoRenewTolerance = Duration.days(60)
  /// The time for which a subscription grants access; by default the paid period.
  public var access = AccessRule.paidPeriod

  /// The rules for subscriptions that another account shows than the one that has them; by default the first one
  /// keeps them.
  public var transfer = TransferOptions.never

  /// Creates the default settings: only Production, and no strict replacement.
  public init() {}
}
