internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The order in which the subscriptions of a user are preferred, the best first.
///
/// Source: entitlement rules, section 6.2.
struct SubscriptionRank: Comparable {
  private let isActive: Bool
  private let effectiveEnd: Date
  private let isOfThisApp: Bool
  private let bundleID: UniqueText
  private let originalTransactionID: UniqueText
  private let isProduction: Bool
  private let environment: UniqueText
  private let productID: UniqueText

  init(_ standing: SubscriptionStanding, in bundleID: String, at date: Date) {
    let subscription = standing.subscription
    isActive = standing.isActive(at: date)
    effectiveEnd = subscription.effectiveEnd
    self.bundleID = UniqueText(subscription.bundleID)
    isOfThisApp = self.bundleID == UniqueText(bundleID)
    originalTransactionID = UniqueText(subscription.originalTransactionID)
    isProduction = subscription.environment == .production
    environment = UniqueText(subscription.environment.rawValue)
    productID = UniqueText(subscription.productID)
  }

  static func < (one: SubscriptionRank, other: SubscriptionRank) -> Bool {
    if one.isActive != other.isActive { return one.isActive }
    if one.effectiveEnd != other.effectiveEnd { return one.effectiveEnd > other.effectiveEnd }
    if one.isOfThisApp != other.isOfThisApp { return one.isOfThisApp }
    if one.bundleID != other.bundleID { return one.bundleID < other.bundleID }
    let (id, otherID) = (one.originalTransactionID, other.originalTransactionID)
    if id != otherID {
      let (length, otherLength) = (id.text.utf8.count, otherID.text.utf8.count)
      return length == otherLength ? id < otherID : length < otherLength
    }
    if one.isProduction != other.isProduction { return one.isProduction }
    if one.environment != other.environment { return one.environment < other.environment }
    return one.productID < other.productID
  }
}
