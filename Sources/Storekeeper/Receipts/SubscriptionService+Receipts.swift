internal import PurchaseStorage
internal import ReceiptModels

extension SubscriptionService {
  /// The stored receipt of a subscription: from the caches in their order, or else from the database,
  /// which is authoritative; the caches before it are filled.
  ///
  /// - Parameters:
  ///   - subscription: A stored subscription.
  ///   - onlyFirstCache: Whether the other caches and the database are left out.
  /// - Returns: The receipt.
  /// - Throws: ``SubscriptionFailure/receiptNotFound``, or what the store throws.
  func storedReceipt(
    of subscription: Subscription, onlyFirstCache: Bool = false
  ) async throws -> StoredReceipt {
    let id = subscription.originalTransactionID
    let environment = subscription.environment
    let caches = onlyFirstCache ? receiptCaches.prefix(1) : receiptCaches[...]
    for (place, cache) in caches.enumerated() {
      do {
        guard let receipt = try await cache.receipt(of: id, environment: environment) else {
          continue
        }
        await put(receipt, in: receiptCaches[..<place])
        return receipt
      } catch {
        report(.receiptCacheUnreadable(error))
      }
    }
    guard !onlyFirstCache else { throw SubscriptionFailure.receiptNotFound }
    let stored = try await store.read { records in
      try await records.evidence.receipt(of: id, environment: environment)
    }
    guard let stored else { throw SubscriptionFailure.receiptNotFound }
    await cache(stored)
    return stored
  }

  /// Fills all caches; a failure is reported, and the stale entry removed.
  func cache(_ receipt: StoredReceipt) async {
    await put(receipt, in: receiptCaches[...])
  }

  /// Removes a receipt from all caches that turned out to be none.
  func forgetCached(_ receipt: StoredReceipt) async {
    for cache in receiptCaches {
      try? await cache.remove(receipt.originalTransactionID, environment: receipt.environment)
    }
  }

  private func put(_ receipt: StoredReceipt, in caches: ArraySlice<any ReceiptStore>) async {
    for cache in caches {
      do {
        try await cache.put(receipt)
      } catch {
        report(.receiptCacheUnwritable(error))
        try? await cache.remove(
          receipt.originalTransactionID, environment: receipt.environment)
      }
    }
  }
}
