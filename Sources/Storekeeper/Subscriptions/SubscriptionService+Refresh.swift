internal import LinkPolicy
internal import PurchaseStorage
public import ReceiptModels

extension SubscriptionService {
  /// Asks for the present state of a subscription and records the answer.
  ///
  /// The first of ``sources`` that can answer is used.
  ///
  /// - Parameter originalTransactionID: The original transaction ID of a stored subscription.
  /// - Returns: The subscription with this ID, as stored afterwards.
  /// - Throws: ``SubscriptionFailure``, among them ``SubscriptionFailure/receiptNotFound`` if no
  ///   source can answer; or an error of the store or a source.
  public func refresh(_ originalTransactionID: String) async throws -> Subscription {
    try await refresh(originalTransactionID, because: .refresh)
  }

  func refresh(
    _ originalTransactionID: String, because reason: SnapshotReason
  ) async throws -> Subscription {
    let subscription = try await subscription(originalTransactionID)
    let facts = try await presentFacts(about: subscription)
    guard facts.environment == subscription.environment else {
      throw SubscriptionFailure.environmentMismatch
    }
    let recorded = try await record(facts, because: reason)
    let same = recorded.first { $0.originalTransactionID == subscription.originalTransactionID }
    if let same { return same }
    return try await self.subscription(originalTransactionID)
  }

  private func presentFacts(about subscription: Subscription) async throws -> PurchaseFacts {
    guard
      let facts = try await sources.facts(about: PurchaseReference(subscription), report: report)
    else { throw SubscriptionFailure.receiptNotFound }
    return facts
  }
}

extension [any PurchaseSource] {
  /// Returns the facts of the first source that can answer, or nil if none can.
  ///
  /// - Throws: ``SubscriptionFailure/sourceFailed`` after the error of a source was reported, another
  ///   ``SubscriptionFailure``, `CancellationError`, or an error of the store.
  func facts(
    about purchase: PurchaseReference, report: @Sendable (ServiceIncident) -> Void
  ) async throws -> PurchaseFacts? {
    for source in self {
      do {
        if let facts = try await source.facts(about: purchase) {
          facts.incidents.forEach(report)
          return facts
        }
      } catch let failure as SubscriptionFailure {
        throw failure
      } catch let failure as StorageFailure {
        throw failure
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        report(.sourceFailed(error))
        throw SubscriptionFailure.sourceFailed
      }
    }
    return nil
  }
}
