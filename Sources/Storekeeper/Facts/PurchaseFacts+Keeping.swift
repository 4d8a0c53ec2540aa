internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PurchaseFacts {
  /// Writes the purchases, the renewals and the verification; of two copies the newer one stays.
  ///
  /// Source: linking rules, section 4.6.
  func keep(in records: any PurchaseRecords, now: Date) async throws {
    try await keepPurchases(in: records, now: now)
    switch completeness {
    case .all:
      for id in originalTransactionIDs {
        try await records.purchases.replace(
          renewals: renewals.filter { $0.originalTransactionID == id }, of: id,
          environment: environment, asOf: asOf, now: now)
      }
    case .single, .device:
      guard !renewals.isEmpty else { break }
      try await records.purchases.record(renewals: renewals, environment: environment, now: now)
    }
    if let session {
      try await records.purchases.record(session: session, now: now)
    }
  }

  /// Writes the purchases.
  func keepPurchases(in records: any PurchaseRecords, now: Date) async throws {
    try await records.purchases.record(
      transactions: purchases, environment: environment, now: now)
  }

  /// Returns the stored purchases of every subscription that has one of these transactions.
  func stored(in records: any PurchaseRecords) async throws -> [PurchaseRecord] {
    let originals = try await records.purchases.originalTransactionIDs(
      ofTransactions: purchases.map(\.transactionID), environment: environment)
    return try await records.purchases.transactions(of: originals, environment: environment)
  }

  /// Returns what the facts of a device add to stored purchases, or nil if that is nothing: purchases that
  /// are not stored, and later refunds of those that are.
  ///
  /// About a stored purchase a device knows less than the store, so the other values stay.
  func news(besides stored: [PurchaseRecord]) -> PurchaseFacts? {
    let known = Dictionary(stored.map { ($0.transactionID, $0) }) { $1 }
    let news = purchases.compactMap { purchase -> PurchaseRecord? in
      guard var record = known[purchase.transactionID] else { return purchase }
      guard purchase.isCancelled, !record.isCancelled, record.signedDate ?? asOf <= asOf else {
        return nil
      }
      record.cancellationDate = purchase.cancellationDate
      record.hasUnreadableCancellation = purchase.hasUnreadableCancellation
      record.signedDate = asOf
      return record
    }
    guard !news.isEmpty else { return nil }
    return PurchaseFacts(
      voucher, .single, environment: environment, asOf: asOf, purchases: news, renewals: [])
  }
}
