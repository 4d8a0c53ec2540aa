internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SubscriptionService {
  /// Asks Apple about a receipt.
  ///
  /// - Throws: ``SubscriptionFailure/missing(_:)``, ``SubscriptionFailure/verification(_:)``, or
  ///   `CancellationError`.
  func ask(
    about receipt: String?, startingAt server: VerifyReceiptServer
  ) async throws -> VerifiedReceipt {
    let receipt = try requiredReceipt(receipt)
    let verified: VerifiedReceipt
    do {
      verified = try await appStore.verify(base64: receipt, startingAt: server)
    } catch let failure as VerifyReceiptFailure {
      throw SubscriptionFailure.verification(failure)
    }
    // Also where the client is configured to go on from there.
    guard server == .production || verified.environment == .sandbox else {
      throw SubscriptionFailure.verification(.refused(.wrongServer(.productionReceipt)))
    }
    return verified
  }

  /// - Throws: ``SubscriptionFailure/missing(_:)`` when nothing is left after trimming.
  func requiredReceipt(_ receipt: String?) throws(SubscriptionFailure) -> String {
    guard let receipt, !receipt.isBlank else { throw .missing(.receiptData) }
    return receipt
  }

  /// Keeps what Apple said, in one unit of work, then fills the caches.
  ///
  /// - Returns: The subscriptions of known products, as they are now.
  /// - Throws: ``SubscriptionFailure/unknownProduct`` once the evidence is kept;
  ///   ``SubscriptionFailure/environmentMismatch``; or what the store throws.
  func keep(
    _ evidence: Evidence, because reason: SnapshotReason,
    noting notification: NotificationRecord? = nil
  ) async throws -> [Subscription] {
    let recorder = EvidenceRecorder(
      products: products, options: options, reason: reason, now: now())
    defer { recorder.unknown.tell(report) }
    let subscriptions = try await UniqueConflicts.retrying {
      try await store.write { records in
        try await recorder.record(evidence, noting: notification, in: records)
      }
    }
    guard !subscriptions.isEmpty else { throw SubscriptionFailure.unknownProduct }
    await cache(evidence, for: subscriptions)
    return subscriptions
  }

  /// Keeps what Apple said about a receipt.
  func keep(
    _ verified: VerifiedReceipt, because reason: SnapshotReason,
    noting notification: NotificationRecord? = nil
  ) async throws -> [Subscription] {
    try await keep(Evidence(verified), because: reason, noting: notification)
  }

  /// Keeps that Apple sent a notification from which nothing follows.
  func note(_ notification: NotificationRecord) async throws {
    let moment = now()
    try await store.write { records in
      _ = try await records.notifications.record(notification: notification, now: moment)
    }
  }

  private func cache(_ evidence: Evidence, for subscriptions: [Subscription]) async {
    guard let receipt = evidence.receipt else { return }
    for subscription in subscriptions {
      await cache(
        StoredReceipt(
          originalTransactionID: subscription.originalTransactionID,
          environment: evidence.environment, receipt: receipt, asOf: evidence.asOf))
    }
  }
}
