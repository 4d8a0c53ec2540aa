internal import LinkPolicy
internal import PurchaseStorage
public import ReceiptModels

extension SubscriptionService {
  /// Asks for the present state of a stored subscription, records the answer, and returns the subscription.
  ///
  /// The first of ``sources`` that can answer is used; one that fails keeps no other from being asked.
  ///
  /// - Throws: ``SubscriptionFailure``, among them ``SubscriptionFailure/receiptNotFound`` if no source can answer,
  ///   and ``SubscriptionFailure/sourceFailed`` if none did and one failed, after its error was reported; or an error
  ///   of the store.
  public func refresh(_ originalTransactionID: String) async throws -> Subscription {
    try await refresh(
      originalTransactionID, because: .refresh, in: SourceRound(sources, report: report))
  }

  /// Asks for the present state of a subscription in a round, and records the answer.
  ///
  /// - Throws: As ``refresh(_:)``, or ``SourcesNotAsked``.
  func refresh(
    _ originalTransactionID: String, because reason: SnapshotReason, in round: SourceRound
  ) async throws -> Subscription {
    let subscription = try await subscription(originalTransactionID)
    guard let facts = try await round.facts(about: PurchaseReference(subscription)) else {
      throw SubscriptionFailure.receiptNotFound
    }
    guard facts.environment == subscription.environment else {
      throw SubscriptionFailure.environmentMismatch
    }
    let recorded = try await record(facts, because: reason)
    let same = recorded.first { $0.originalTransactionID == subscription.originalTransactionID }
    if let same { return same }
    return try await self.subscription(originalTransactionID)
  }
}
