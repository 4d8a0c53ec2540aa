/// A wire contract of subscriptions.
///
/// Source: linking rules, section 6.
public enum SubscriptionContract: Hashable, Sendable, CaseIterable {
  /// The current contract.
  case current
  /// The contract of 2019, which older clients use: it links and unlinks by receipt.
  case legacy
}
