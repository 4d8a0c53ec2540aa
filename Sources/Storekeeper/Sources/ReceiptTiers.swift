internal import PurchaseStorage
internal import ReceiptModels

/// The tier in which a receipt was found.
enum ReceiptTier: Equatable {
  /// The cache at an index.
  case cache(Int)
  /// The database behind all caches.
  case database

  /// The first tier: cache 0, which is empty if there are no caches.
  ///
  /// The database follows then.
  static let first = ReceiptTier.cache(0)
}

/// A stored receipt and the tier that returned it.
struct FoundReceipt {
  var receipt: StoredReceipt
  var tier: ReceiptTier
}

/// The caches of receipts and the database behind them.
///
/// The caches are read in order, and then the database, which is authoritative. A receipt that is
/// found is written to the caches before it.
struct ReceiptTiers {
  let store: any PurchaseStore<any PurchaseRecords>
  let caches: [any ReceiptStore]
  let report: @Sendable (ServiceIncident) -> Void

  /// Returns the receipt of a purchase from the first tier that has one.
  ///
  /// - Parameters:
  ///   - purchase: A stored purchase.
  ///   - onlyFirstCache: Whether only the first cache is read.
  /// - Returns: The receipt.
  /// - Throws: ``SubscriptionFailure/receiptNotFound``, or an error of the store.
  func receipt(
    of purchase: PurchaseReference, onlyFirstCache: Bool = false
  ) async throws -> StoredReceipt {
    let found = try await cachedReceipt(
      of: purchase, in: onlyFirstCache ? caches.prefix(1) : caches[...])
    if let found { return found.receipt }
    guard !onlyFirstCache else { throw SubscriptionFailure.receiptNotFound }
    return try await receipt(of: purchase, from: .database).receipt
  }

  /// Returns the receipt of a tier or, if it has none, of the next tier that has one.
  ///
  /// - Throws: ``SubscriptionFailure/receiptNotFound``, or an error of the store.
  func receipt(of purchase: PurchaseReference, from tier: ReceiptTier) async throws -> FoundReceipt
  {
    if case .cache(let index) = tier,
      let found = try await cachedReceipt(of: purchase, in: caches[index...])
    {
      return found
    }
    let (id, environment) = (purchase.originalTransactionID, purchase.environment)
    let stored = try await store.read { records in
      try await records.purchases.receipt(of: id, environment: environment)
    }
    guard let stored else { throw SubscriptionFailure.receiptNotFound }
    await put(stored, in: caches[...])
    return FoundReceipt(receipt: stored, tier: .database)
  }

  /// Returns the first receipt behind the tier of a refused one that differs from it, or nil.
  func otherReceipt(
    than refused: FoundReceipt, of purchase: PurchaseReference
  ) async throws -> FoundReceipt? {
    var tier = refused.tier
    while let next = self.tier(behind: tier) {
      do {
        let found = try await receipt(of: purchase, from: next)
        if found.receipt.receipt != refused.receipt.receipt { return found }
        tier = found.tier
      } catch SubscriptionFailure.receiptNotFound {
        return nil
      }
    }
    return nil
  }

  private func tier(behind tier: ReceiptTier) -> ReceiptTier? {
    switch tier {
    case .cache(let index): index + 1 < caches.count ? .cache(index + 1) : .database
    case .database: nil
    }
  }

  private func cachedReceipt(
    of purchase: PurchaseReference, in caches: ArraySlice<any ReceiptStore>
  ) async throws -> FoundReceipt? {
    for index in caches.indices {
      do {
        let receipt = try await caches[index].receipt(
          of: purchase.originalTransactionID, environment: purchase.environment)
        guard let receipt else { continue }
        await put(receipt, in: self.caches[..<index])
        return FoundReceipt(receipt: receipt, tier: .cache(index))
      } catch {
        report(.receiptCacheUnreadable(error))
      }
    }
    return nil
  }

  /// Writes a receipt to all caches.
  ///
  /// A failure is reported, and the stale entry is removed.
  func fill(_ receipt: StoredReceipt) async { await put(receipt, in: caches[...]) }

  /// Removes a refused receipt from the caches before a tier and reports the removal.
  func forget(_ receipt: StoredReceipt, before tier: ReceiptTier) async {
    report(.receiptCacheRefused)
    let refused =
      switch tier {
      case .cache(let index): caches[..<index]
      case .database: caches[...]
      }
    for cache in refused {
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
