public import ReceiptModels

/// A source of the present state of a subscription, such as an API of Apple.
///
/// ``SubscriptionService/refresh(_:)`` and ``RefreshJob`` ask the first source that can answer.
public protocol PurchaseSource: Sendable {
  /// Returns the present facts about a stored subscription, or nil if this source can't answer for it.
  ///
  /// - Throws: ``SubscriptionFailure``, or another error of the source, if it could answer but failed;
  ///   then no other source is asked.
  func facts(about subscription: Subscription) async throws -> PurchaseFacts?
}
