public import ReceiptModels
public import ReceiptVerifier

extension SubscriptionService {
  /// Verifies a receipt with Apple and keeps what it says.
  ///
  /// - Parameters:
  ///   - receipt: The receipt in base64.
  ///   - server: Which of Apple's servers to ask first.
  /// - Returns: Apple's answer, in ``/ReceiptVerifier/VerifiedReceipt/rawBody`` in the very bytes, once
  ///   everything is kept.
  /// - Throws: ``SubscriptionFailure``, or what the store throws.
  public func verify(
    receipt: String?, startingAt server: VerifyReceiptServer = .production
  ) async throws -> VerifiedReceipt {
    let verified = try await ask(about: receipt, startingAt: server)
    _ = try await keep(verified, because: .verify)
    return verified
  }

  /// Verifies a receipt with Apple, keeps what it says, and gives its subscription with the latest
  /// end, as stored.
  ///
  /// - Parameters:
  ///   - receipt: The receipt in base64.
  ///   - server: Which of Apple's servers to ask first.
  /// - Returns: The subscription.
  /// - Throws: ``SubscriptionFailure``, or what the store throws.
  public func subscription(
    receipt: String?, startingAt server: VerifyReceiptServer = .production
  ) async throws -> Subscription {
    let verified = try await ask(about: receipt, startingAt: server)
    let subscriptions = try await keep(verified, because: .verify)
    return try await subscription(latest(of: subscriptions).originalTransactionID)
  }

  /// The subscription with the latest end; of two, the one with the greater id.
  func latest(of subscriptions: [Subscription]) throws -> Subscription {
    let latest = subscriptions.max { one, other in
      one.expiresDate == other.expiresDate
        ? TransactionIDs.areInOrder(one.originalTransactionID, other.originalTransactionID)
        : one.expiresDate < other.expiresDate
    }
    guard let latest else { throw SubscriptionFailure.unknownProduct }
    return latest
  }
}
