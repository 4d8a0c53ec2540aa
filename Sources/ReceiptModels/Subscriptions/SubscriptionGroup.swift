#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The purchases of one subscription group, of which a customer has at most one at a time.
///
/// Source: App Store rules, sections 5.5 and 8.1.
public struct SubscriptionGroup: Hashable, Sendable {
  /// Apple's identifier of the group, or nil for a single history whose group is unknown.
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

  /// Groups subscriptions, and leaves out purchases without an end.
  ///
  /// - Parameters:
  ///   - histories: The histories, in the order that the groups should have.
  ///   - durations: The length of each non-renewing subscription, by product identifier.
  ///     Without it, an answer of verifyReceipt does not distinguish them from permanent purchases.
  /// - Returns: One group for each group identifier and environment, and one for each history
  ///   without a group.
  public static func groups(
    of histories: [PurchaseHistory], durations: [String: Duration] = [:]
  ) -> [SubscriptionGroup] {
    var indices: [Key: Int] = [:]
    var groups: [(id: String?, histories: [PurchaseHistory])] = []
    for history in histories where history.isSubscription(durations) {
      let id = history.subscriptionGroupID
      let key = id.map { Key(id: $0, environment: history.environment?.rawValue) }
      if let key, let index = indices[key] {
        groups[index].histories.append(history)
      } else {
        if let key { indices[key] = groups.count }
        groups.append((id, [history]))
      }
    }
    return groups.compactMap { SubscriptionGroup(id: $0.id, histories: $0.histories) }
  }

  /// Returns the state of the group at a date: the state of the subscription that entitles, or else
  /// of the one that ended last.
  ///
  /// An upgraded history counts only if there is no other. A history that had not begun does not
  /// count.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - durations: The length of each non-renewing subscription, by product identifier.
  /// - Returns: The summary of the history that decides.
  public func summary(
    at date: Date, durations: [String: Duration] = [:]
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
