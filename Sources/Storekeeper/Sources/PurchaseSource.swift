public import ReceiptModels

/// A source of the present state of a subscription, such as an API of Apple.
///
/// ``SubscriptionService/refresh(_:)`` and ``RefreshJob`` ask the first source that can answer.
public protocol PurchaseSource: Sendable {
  /// Returns the present facts about a stored subscription, or nil if this source can't answer for
  /// it.
  ///
  /// - Throws: ``SubscriptionFailure``, or another error of the source, if this source failed
  ///   although it could answer. No other source is asked then.
  func facts(about subscription: Subscription) async throws -> PurchaseFacts?
}
