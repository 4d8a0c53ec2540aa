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
  /// The number of days for which a subscription of Production stays active after its expiry.
  public let graceDays: Int
  /// The number of seconds after the first failure from which subscriptions are suspended.
  public let statusTTL: TimeInterval
  /// The environments whose purchases count; see ``counting(for:)`` for a rule with testers.
  public private(set) var environments: CountedEnvironments
  public let durations: SubscriptionDurations
  /// The apps whose subscriptions may count for this one; nil if only its own count.
  public let multiApp: MultiAppSubscriptions?
  /// Whether the state of subscriptions is asked for again from time to time.
  public let periodicValidation: Bool

  /// The possible numbers of days of grace.
  public static let graceDayBounds = 0...60

  /// Creates settings; the defaults are those of the rules.
  ///
  /// - Parameters:
  ///   - graceDays: 0 to 60.
  ///   - statusTTL: In seconds, more than 0; 14 days by default.
  ///   - environments: The environments whose purchases count; Production and the Sandbox by default.
  ///   - durations: The durations of non-renewing subscriptions.
  ///   - multiApp: The apps whose subscriptions may count for this one.
  ///   - periodicValidation: Whether the state of subscriptions is asked for again from time to time.
  /// - Throws: ``EntitlementOptionsFailure``.
  public init(
    graceDays: Int = 7, statusTTL: TimeInterval = 14 * 86_400,
    environments: CountedEnvironments = .all,
    durations: SubscriptionDurations = SubscriptionDurations(),
    multiApp: MultiAppSubscriptions? = nil, periodicValidation: Bool = true
  ) throws(EntitlementOptionsFailure) {
    guard Self.graceDayBounds.contains(graceDays) else { throw .graceDaysOutOfRange }
    guard statusTTL > 0, statusTTL.isFinite else { throw .statusTTLOutOfRange }
    self.init(
      checkedGraceDays: graceDays, statusTTL: statusTTL, environments: environments,
      durations: durations, multiApp: multiApp, periodicValidation: periodicValidation)
  }

  public static let standard = EntitlementOptions(
    checkedGraceDays: 7, statusTTL: 14 * 86_400, environments: .all,
    durations: SubscriptionDurations(), multiApp: nil, periodicValidation: true)

  private init(
    checkedGraceDays graceDays: Int, statusTTL: TimeInterval,
    environments: CountedEnvironments, durations: SubscriptionDurations,
    multiApp: MultiAppSubscriptions?,
    periodicValidation: Bool
  ) {
    self.graceDays = graceDays
    self.statusTTL = statusTTL
    self.environments = environments
    self.durations = durations
    self.multiApp = multiApp
    self.periodicValidation = periodicValidation
  }

  /// Returns the settings for one account, or for evidence of nobody.
  ///
  /// The rules of entitlements know no user, so a rule with testers is made one for a user before they are asked.
  public func counting(for account: Account?) -> EntitlementOptions {
    counting(environments.counting(for: account))
  }

  /// Returns the settings with other environments.
  package func counting(_ environments: CountedEnvironments) -> EntitlementOptions {
    var options = self
    options.environments = environments
    return options
  }

  /// Whether ``statusTTL`` is so short that a single missed validation may suspend a subscription: less
  /// than twice ``ValidationSchedule/longestInterval``.
  public var isStatusTTLShort: Bool { statusTTL < 2 * ValidationSchedule.longestInterval }
}

/// The reason why settings of entitlements are refused.
@nonexhaustive
public enum EntitlementOptionsFailure: Error, Hashable, Sendable {
  /// The number of days of grace is not 0 to 60.
  case graceDaysOutOfRange
  /// The time to live of a status is not more than 0 seconds.
  case statusTTLOutOfRange
  /// A duration is not more than 0 days.
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
  private let days: [UniqueText: Int]

  /// Creates durations for no product.
  public init() { days = [:] }

  /// Creates durations.
  ///
  /// - Parameter days: The number of days, more than 0 and at most 36,500, by product.
  /// - Throws: ``EntitlementOptionsFailure/durationOutOfRange``.
  public init(days: [String: Int]) throws(EntitlementOptionsFailure) {
    guard days.values.allSatisfy((1...36_500).contains) else { throw .durationOutOfRange }
    self.days = Dictionary(uniqueKeysWithValues: days.map { (UniqueText($0.key), $0.value) })
  }

  /// The duration of a product in seconds, or nil if it has none.
  public subscript(productID: String) -> TimeInterval? {
    days[UniqueText(productID)].map { TimeInterval($0) * 86_400 }
  }
}
