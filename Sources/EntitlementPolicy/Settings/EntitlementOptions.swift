internal import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The settings of entitlements for one app.
///
/// Source: entitlement rules, sections 4.1, 5.1, 6.1 and 9.
public struct EntitlementOptions: Hashable, Sendable {
  /// The time for which a subscription of Production stays active after its expiry.
  public let grace: Duration
  /// The time after the first failure from which subscriptions are suspended.
  public let statusTTL: Duration
  /// The environments whose purchases count; see ``counting(for:at:)`` for a rule with testers.
  public private(set) var environments: CountedEnvironments
  public let durations: SubscriptionDurations
  /// The apps whose subscriptions may count for this one; nil if only its own count.
  public let multiApp: MultiAppSubscriptions?
  /// Whether the state of subscriptions is asked for again from time to time.
  public let periodicValidation: Bool
  /// The rules for purchases that another user uploads than the one that has them; by default the first one keeps them.
  public var transfer = TransferOptions.never

  /// The possible times of grace: up to 60 days.
  public static let graceBounds = Duration.zero ... .days(60)

  /// Creates settings; the defaults are those of the rules.
  ///
  /// - Parameters:
  ///   - grace: 0 to 60 days; 7 by default.
  ///   - statusTTL: More than nothing; 14 days by default.
  ///   - environments: The environments whose purchases count; Production and the Sandbox by default.
  ///   - durations: The durations of non-renewing subscriptions.
  ///   - multiApp: The apps whose subscriptions may count for this one.
  ///   - periodicValidation: Whether the state of subscriptions is asked for again from time to time.
  /// - Throws: ``EntitlementOptionsFailure``.
  public init(
    grace: Duration = .days(7), statusTTL: Duration = .days(14),
    environments: CountedEnvironments = .all,
    durations: SubscriptionDurations = SubscriptionDurations(),
    multiApp: MultiAppSubscriptions? = nil, periodicValidation: Bool = true
  ) throws(EntitlementOptionsFailure) {
    guard Self.graceBounds.contains(grace) else { throw .graceOutOfRange }
    guard statusTTL > .zero else { throw .statusTTLOutOfRange }
    self.init(
      checkedGrace: grace, statusTTL: statusTTL, environments: environments,
      durations: durations, multiApp: multiApp, periodicValidation: periodicValidation)
  }

  public static let standard = EntitlementOptions(
    checkedGrace: .days(7), statusTTL: .days(14), environments: .all,
    durations: SubscriptionDurations(), multiApp: nil, periodicValidation: true)

  private init(
    checkedGrace grace: Duration, statusTTL: Duration,
    environments: CountedEnvironments, durations: SubscriptionDurations,
    multiApp: MultiAppSubscriptions?,
    periodicValidation: Bool
  ) {
    self.grace = grace
    self.statusTTL = statusTTL
    self.environments = environments
    self.durations = durations
    self.multiApp = multiApp
    self.periodicValidation = periodicValidation
  }

  /// Returns the settings for one account at a moment, or for evidence of nobody; without a moment the ends of testers
  /// do not matter.
  ///
  /// The rules of entitlements know no user, so a rule with testers is made one for a user before they are asked.
  public func counting(for account: Account?, at now: Date? = nil) -> EntitlementOptions {
    counting(environments.counting(for: account, at: now))
  }

  /// Returns the settings with other environments.
  package func counting(_ environments: CountedEnvironments) -> EntitlementOptions {
    var options = self
    options.environments = environments
    return options
  }

  /// Whether ``statusTTL`` is so short that a single missed validation may suspend a subscription: less
  /// than twice ``ValidationSchedule/longestInterval``.
  public var isStatusTTLShort: Bool { statusTTL < ValidationSchedule.longestInterval * 2 }
}

/// The reason why settings of entitlements are refused.
@nonexhaustive
public enum EntitlementOptionsFailure: Error, Hashable, Sendable {
  /// The time of grace is not 0 to 60 days.
  case graceOutOfRange
  /// The time to live of a status is not more than nothing.
  case statusTTLOutOfRange
  /// A duration is not more than nothing, or more than 36,500 days.
  case durationOutOfRange
  /// The marker of subscriptions for several apps is empty.
  case markerEmpty
  /// The marker has a `.` or a `_`, and is compared with a part of an identifier.
  case markerHasSeparator
}

/// The durations of non-renewing subscriptions, which Apple does not know.
///
/// Source: entitlement rules, section 5.1.
public struct SubscriptionDurations: Hashable, Sendable {
  private let durations: [UniqueText: Duration]

  /// Creates durations for no product.
  public init() { durations = [:] }

  /// Creates durations.
  ///
  /// - Parameter durations: The duration by product, more than nothing and at most 36,500 days.
  /// - Throws: ``EntitlementOptionsFailure/durationOutOfRange``.
  public init(_ durations: [String: Duration]) throws(EntitlementOptionsFailure) {
    guard durations.values.allSatisfy({ $0 > .zero && $0 <= .days(36_500) }) else {
      throw .durationOutOfRange
    }
    self.durations = Dictionary(
      uniqueKeysWithValues: durations.map { (UniqueText($0.key), $0.value) })
  }

  /// The duration of a product, or nil if it has none.
  public subscript(productID: String) -> Duration? { durations[UniqueText(productID)] }
}
