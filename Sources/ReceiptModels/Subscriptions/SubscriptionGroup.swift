#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The purchases of one group of subscriptions, of which a customer has at most one at a time.
///
/// Source: contract on signed data, sections 5.5 and 8.1.
public struct SubscriptionGroup: Hashable, Sendable {
  /// Apple's identifier of the group, or nil where no transaction tells it; then the history stands
  /// alone.
  public let id: String?
  /// The histories, at least one, the latest first.
  public let histories: [PurchaseHistory]
  private let first: PurchaseHistory

  private init?(id: String?, histories: [PurchaseHistory]) {
    guard let first = histories.first else { return nil }
    self.id = id
    self.histories = histories
    self.first = first
  }

  /// Groups subscriptions; purchases without an end are left out.
  ///
  /// - Parameters:
  ///   - histories: In the order that the groups are to have.
  ///   - durations: The length of each non-renewing subscription in seconds, by product id: without
  ///     it, an answer of verifyReceipt does not tell them from what is owned for good.
  /// - Returns: One group for each group's id and environment, and one for each history without.
  public static func groups(
    of histories: [PurchaseHistory], durations: [String: TimeInterval] = [:]
  ) -> [SubscriptionGroup] {
    var places: [Key: Int] = [:]
    var groups: [(id: String?, histories: [PurchaseHistory])] = []
    for history in histories where history.isSubscription(durations) {
      let id = history.subscriptionGroupID
      let key = id.map { Key(id: $0, environment: history.environment?.rawValue) }
      if let key, let place = places[key] {
        groups[place].histories.append(history)
      } else {
        if let key { places[key] = groups.count }
        groups.append((id, [history]))
      }
    }
    return groups.compactMap { SubscriptionGroup(id: $0.id, histories: $0.histories) }
  }

  /// What the customer has of the group at a moment: what entitles, else what ended last.
  ///
  /// A history that was upgraded away counts only if there is no other, and one that had not begun
  /// does not count.
  ///
  /// - Parameters:
  ///   - date: The moment.
  ///   - durations: The length of each non-renewing subscription in seconds, by product id.
  /// - Returns: The summary of the history that counts.
  public func summary(
    at date: Date, durations: [String: TimeInterval] = [:]
  ) -> SubscriptionSummary {
    let summaries = histories.filter { $0.hasBegun(at: date) }
      .map { $0.summary(at: date, durations: durations) }
    return summaries.first(where: \.isEntitled)
      ?? summaries.first { $0.state != .upgraded }
      ?? summaries.first ?? first.summary(at: date, durations: durations)
  }

  private struct Key: Hashable {
    var id: String
    var environment: String?
  }
}
