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

  /// With the receipt of the first tier, or, where that one is refused for what it is, with another one
  /// of the tiers behind it; what was refused goes from the caches, and keeping the answer fills them.
  private func askAgain(about subscription: Subscription) async throws -> VerifiedReceipt {
    let server = VerifyReceiptServer.allCases.first { $0.environment == subscription.environment }
    var found = try await storedReceipt(of: subscription, from: .first)
    while true {
      do {
        return try await ask(about: found.receipt.receipt, startingAt: server ?? .production)
      } catch let failure as SubscriptionFailure where failure.isAboutReceipt {
        guard let other = try await otherReceipt(than: found, of: subscription) else {
          throw failure
        }
        await forget(found.receipt, before: other.tier)
        found = other
      }
    }
  }

  /// The first receipt behind a tier that differs from the one there.
  private func otherReceipt(
    than refused: FoundReceipt, of subscription: Subscription
  ) async throws -> FoundReceipt? {
    var tier = refused.tier
    while let next = tier.next(in: receiptCaches) {
      do {
        let found = try await storedReceipt(of: subscription, from: next)
        if found.receipt.receipt != refused.receipt.receipt { return found }
        tier = found.tier
      } catch SubscriptionFailure.receiptNotFound {
        return nil
      }
    }
    return nil
  }
}

extension SubscriptionFailure {
  /// Whether the receipt itself is refused as malformed or not authentic: by us, or by Apple (21002,
  /// 21003).
  fileprivate var isAboutReceipt: Bool {
    guard case .verification(let failure) = self else { return false }
    switch failure {
    case .refused(.input, _), .refused(.notAuthenticated, _),
      .transient(.malformedReceipt, _):
      return true
    case .refused, .transient: return false
    }
  }
}
