internal import PurchaseStorage
internal import ReceiptModels

/// Where a receipt was found.
enum ReceiptTier: Equatable {
  /// A cache, by its place.
  case cache(Int)
  /// The database, which is behind all caches.
  case database

  /// Where looking begins; without caches nothing is there, and the database is next.
  static let first = ReceiptTier.cache(0)

  /// The caches before it.
  func caches(before caches: [any ReceiptStore]) -> ArraySlice<any ReceiptStore> {
    switch self {
    case .cache(let place): caches[..<place]
    case .database: caches[...]
    }
  }

  /// The tier behind it.
  func next(in caches: [any ReceiptStore]) -> ReceiptTier? {
    switch self {
    case .cache(let place): place + 1 < caches.count ? .cache(place + 1) : .database
    case .database: nil
    }
  }
}

/// A stored receipt, and where it was found.
struct FoundReceipt {
  var receipt: StoredReceipt
  var tier: ReceiptTier
}

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
    let found = try await cachedReceipt(
      of: subscription, in: onlyFirstCache ? receiptCaches.prefix(1) : receiptCaches[...])
    if let found { return found.receipt }
    guard !onlyFirstCache else { throw SubscriptionFailure.receiptNotFound }
    return try await storedReceipt(of: subscription, from: .database).receipt
  }

  /// The receipt of a tier, or else of the next one that has any; the caches before it are filled.
  ///
  /// - Throws: ``SubscriptionFailure/receiptNotFound``, or what the store throws.
  func storedReceipt(
    of subscription: Subscription, from tier: ReceiptTier
  ) async throws -> FoundReceipt {
    if case .cache(let place) = tier,
      let found = try await cachedReceipt(of: subscription, in: receiptCaches[place...])
    {
      return found
    }
    let (id, environment) = (subscription.originalTransactionID, subscription.environment)
    let stored = try await store.read { records in
      try await records.purchases.receipt(of: id, environment: environment)
    }
    guard let stored else { throw SubscriptionFailure.receiptNotFound }
    await cache(stored)
    return FoundReceipt(receipt: stored, tier: .database)
  }

  /// The receipt of the first of these caches that has one.
  private func cachedReceipt(
    of subscription: Subscription, in caches: ArraySlice<any ReceiptStore>
  ) async throws -> FoundReceipt? {
    for place in caches.indices {
      do {
        let receipt = try await caches[place].receipt(
          of: subscription.originalTransactionID, environment: subscription.environment)
        guard let receipt else { continue }
        await put(receipt, in: receiptCaches[..<place])
        return FoundReceipt(receipt: receipt, tier: .cache(place))
      } catch {
        report(.receiptCacheUnreadable(error))
      }
    }
    return nil
  }

  /// Fills all caches; a failure is reported, and the stale entry removed.
  func cache(_ receipt: StoredReceipt) async {
    await put(receipt, in: receiptCaches[...])
  }

  /// Removes a receipt that was refused from the caches before a tier, and reports it.
  func forget(_ receipt: StoredReceipt, before tier: ReceiptTier) async {
    report(.receiptCacheRefused)
    for cache in tier.caches(before: receiptCaches) {
      do {
        try await cache.remove(receipt.originalTransactionID, environment: receipt.environment)
      } catch {
        report(.receiptCacheUnwritable(error))
      }
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
