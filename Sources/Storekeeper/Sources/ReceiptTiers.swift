internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The tier in which a receipt was found.
enum ReceiptTier: Equatable {
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
  /// Whether the database had one too.
  var isStored: Bool
}

/// The caches of receipts and the database behind them, which is authoritative.
///
/// * **Asked:** first the database for the stamp of its receipt, then the caches in order, and at
///   last the database for the receipt. A receipt of a cache counts only if it is as of that stamp
///   or later, or if the database has none. So a cache that missed a write, because it was away or
///   was restored from an old copy, never serves what it has.
/// * **Repaired:** the receipt that is found is put into the caches before its tier, those of the
///   database into all caches. It replaces the older one that was passed over there.
/// * **Written:** after a commit, to all caches in order.
/// * **Removed:** a receipt that the database had, and has no more once it is put, because its account was erased.
///
/// A put that fails is reported, and what the cache has under the key is removed if it can be. Source: linking rules,
/// section 4.5.
struct ReceiptTiers {
  let store: any PurchaseStore
  let caches: [any ReceiptStore]
  let report: @Sendable (ServiceIncident) -> Void

  /// Returns the receipt of a purchase from the first tier that has one, or only from caches on disk.
  ///
  /// - Throws: ``SubscriptionFailure/receiptNotFound``.
  func receipt(
    of purchase: PurchaseReference, onlyDisk: Bool = false
  ) async throws -> StoredReceipt {
    guard onlyDisk else { return try await receipt(of: purchase, from: .first).receipt }
    let onDisk = caches.indices.filter { caches[$0].isOnDisk }
    guard let found = try await cachedReceipt(of: purchase, at: onDisk) else {
      throw SubscriptionFailure.receiptNotFound
    }
    return found.receipt
  }

  /// Returns the receipt of a tier or, if it has none that counts, of the next tier that has one.
  ///
  /// - Throws: ``SubscriptionFailure/receiptNotFound``.
  func receipt(of purchase: PurchaseReference, from tier: ReceiptTier) async throws -> FoundReceipt
  {
    if case .cache(let index) = tier,
      let found = try await cachedReceipt(of: purchase, at: Array(caches.indices[index...]))
    {
      return found
    }
    let (id, environment) = (purchase.originalTransactionID, purchase.environment)
    let stored = try await store.read { records in
      try await records.purchases.receipt(of: id, environment: environment)
    }
    guard let stored else { throw SubscriptionFailure.receiptNotFound }
    await put(stored, in: caches[...], wasStored: true)
    return FoundReceipt(receipt: stored, tier: .database, isStored: true)
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

  /// Returns the first receipt of these caches that counts, or nil.
  private func cachedReceipt(
    of purchase: PurchaseReference, at indices: [Int]
  ) async throws -> FoundReceipt? {
    guard !indices.isEmpty else { return nil }
    // Read before the caches: a receipt that is written meanwhile is later than this.
    let oldest = try await stamp(of: purchase)
    for index in indices {
      do {
        let receipt = try await caches[index].receipt(
          of: purchase.originalTransactionID, environment: purchase.environment)
        guard let receipt, Self.counts(receipt, besides: oldest) else { continue }
        await put(receipt, in: caches[..<index], wasStored: oldest != nil)
        return FoundReceipt(receipt: receipt, tier: .cache(index), isStored: oldest != nil)
      } catch {
        report(.receiptCacheUnreadable(error))
      }
    }
    return nil
  }

  /// Whether a receipt of a cache is as of a stamp or later; without a stamp of its own it never is.
  private static func counts(_ receipt: StoredReceipt, besides stamp: Date?) -> Bool {
    guard let stamp else { return true }
    // Some caches keep less than the microseconds of a date.
    let own = StoredMoment.milliseconds(receipt.asOf)
    return own > StoredMoment.milliseconds(.distantPast) && own >= StoredMoment.milliseconds(stamp)
  }

  /// Returns the stamp of the database's receipt, or nil if it has none.
  private func stamp(of purchase: PurchaseReference) async throws -> Date? {
    try await stamp(of: purchase.originalTransactionID, purchase.environment)
  }

  private func stamp(of id: String, _ environment: AppStoreEnvironment) async throws -> Date? {
    try await store.read { records in
      try await records.purchases.receiptStamp(of: id, environment: environment)
    }
  }

  /// Writes a receipt to all caches; of one that was stored before, only if it still is.
  func fill(_ receipt: StoredReceipt, wasStored: Bool) async {
    guard !caches.isEmpty else { return }
    if wasStored, await !isStored(receipt) { return }
    await put(receipt, in: caches[...], wasStored: wasStored)
  }

  /// Whether the database has a receipt under the ID of this one, as far as it answers.
  private func isStored(_ receipt: StoredReceipt) async -> Bool {
    let stamp = try? await stamp(of: receipt.originalTransactionID, receipt.environment)
    return stamp != nil
  }

  /// Removes a refused receipt from the caches before a tier and reports the removal.
  func forget(_ receipt: StoredReceipt, before tier: ReceiptTier) async {
    report(.receiptCacheRefused)
    let refused =
      switch tier {
      case .cache(let index): caches[..<index]
      case .database: caches[...]
      }
    await remove(receipt, from: refused)
  }

  private func remove(_ receipt: StoredReceipt, from caches: ArraySlice<any ReceiptStore>) async {
    for cache in caches {
      do {
        try await cache.remove(receipt.originalTransactionID, environment: receipt.environment)
      } catch {
        report(.receiptCacheUnwritable(error))
      }
    }
  }

  private func put(
    _ receipt: StoredReceipt, in caches: ArraySlice<any ReceiptStore>, wasStored: Bool
  ) async {
    guard !caches.isEmpty else { return }
    for cache in caches {
      do {
        try await cache.put(receipt)
      } catch {
        report(.receiptCacheUnwritable(error))
        try? await cache.remove(
          receipt.originalTransactionID, environment: receipt.environment)
      }
    }
    // Whoever erases an account removes it from the caches last, which may have been before it was put here.
    if wasStored, await !isStored(receipt) { await remove(receipt, from: caches) }
  }
}
