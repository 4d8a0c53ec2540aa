#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
