internal import PurchaseStorage
public import ReceiptModels
internal import ReceiptVerifier

extension SubscriptionService {
  /// Verifies the stored receipt of a subscription again, at the server of the stored row, and keeps
  /// what it says.
  ///
  /// - Parameter originalTransactionID: Its original transaction id.
  /// - Returns: The subscription with this id, as stored afterwards.
  /// - Throws: ``SubscriptionFailure``, or what the store throws.
  public func refresh(_ originalTransactionID: String) async throws -> Subscription {
    try await refresh(originalTransactionID, because: .refresh)
  }

  func refresh(
    _ originalTransactionID: String, because reason: SnapshotReason
  ) async throws -> Subscription {
    let subscription = try await subscription(originalTransactionID)
    let verified = try await askAgain(about: subscription)
    guard verified.environment == subscription.environment else {
      throw SubscriptionFailure.environmentMismatch
    }
    _ = try await keep(verified, because: reason)
    return try await self.subscription(originalTransactionID)
  }

  /// With the receipt of a cache, or with the database's where that one is no receipt.
  private func askAgain(about subscription: Subscription) async throws -> VerifiedReceipt {
    let server = VerifyReceiptServer.allCases.first { $0.environment == subscription.environment }
    let receipt = try await storedReceipt(of: subscription)
    do {
      return try await ask(about: receipt.receipt, startingAt: server ?? .production)
    } catch SubscriptionFailure.verification(.refused(.input, _)) where !receiptCaches.isEmpty {
      await forgetCached(receipt)
      let stored = try await storedReceipt(of: subscription)
      return try await ask(about: stored.receipt, startingAt: server ?? .production)
    }
  }
}
