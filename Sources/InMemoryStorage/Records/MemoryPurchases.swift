internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Evidence of purchases, in memory.
struct MemoryPurchases: PurchaseRepository {
  let unit: MemoryUnit

  func record(
    transactions: [PurchaseRecord], environment: AppStoreEnvironment, now: Date
  ) throws {
    try StoredText.check(environment)
    try unit.writing(transactions) { tables, rows in
      for var row in rows {
        row.environment = environment
        if row.mayReplace(tables.transactions[row.rowKey]) { tables.transactions.save(row) }
      }
    }
  }

  func transactions(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) throws -> [PurchaseRecord] {
    try unit.reading { tables in
      tables.transactions.rows(
        by: originalTransactionIDs.map { IndexKey(.purchase, RowKey(environment, $0)) })
    }
  }

  func originalTransactionIDs(
    ofTransactions transactionIDs: [String], environment: AppStoreEnvironment
  ) throws -> [String] {
    try unit.reading { tables in
      let rows = tables.transactions.rows(at: transactionIDs.map { RowKey(environment, $0) })
      return Array(Set(rows.map(\.originalTransactionID)))
    }
  }

  func replace(
    renewals: [RenewalRecord], of originalTransactionID: String,
    environment: AppStoreEnvironment, asOf: Date, now: Date
  ) throws {
    try StoredText.check(environment)
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    let asOf = asOf.inMilliseconds
    try unit.writing(renewals) { tables, renewals in
      var set = tables.told(originalTransactionID, environment)
      if let newest = set.asOf, asOf < newest { return }
      let later = set.entries.filter { $0.stamp > asOf }
      let others = renewals.lastOfEachProduct.filter { entry in
        !later.contains { $0.productID == entry.productID }
      }
      set.entries =
        later + others.map { $0.moved(to: originalTransactionID, environment, asOf: asOf) }
      set.asOf = asOf
      tables.renewals[RowKey(environment, originalTransactionID)] = set
    }
  }

  func record(
    renewals: [RenewalRecord], environment: AppStoreEnvironment, now: Date
  ) throws {
    try StoredText.check(environment)
    try unit.writing(renewals) { tables, renewals in
      for renewal in renewals {
        let id = renewal.originalTransactionID
        var set = tables.told(id, environment)
        let entry = renewal.moved(to: id, environment, asOf: renewal.stamp)
        // What is older than the set is in it already, or was left out.
        if let newest = set.asOf, entry.stamp < newest { continue }
        let index = set.entries.firstIndex { $0.productID == entry.productID }
        if let index, set.entries[index].stamp > entry.stamp { continue }
        if let index { set.entries[index] = entry } else { set.entries.append(entry) }
        tables.renewals[RowKey(environment, id)] = set
      }
    }
  }

  func renewals(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) throws -> [RenewalRecord] {
    try unit.reading { tables in
      tables.renewals.rows(at: originalTransactionIDs.map { RowKey(environment, $0) })
        .flatMap(\.entries)
    }
  }

  func record(session: VerificationSession, now: Date) throws {
    try unit.writing(Recorded(value: session, date: now)) { _ = $0.sessions.add($1) }
  }

  func put(_ receipt: StoredReceipt, now: Date) throws {
    try unit.writing(receipt) { $0.receipts.keepLatest($1, by: \.asOf) }
  }

  func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) throws -> StoredReceipt? {
    let key = ReceiptCursor(
      originalTransactionID: originalTransactionID, environment: environment
    ).rowKey
    return try unit.reading { $0.receipts[key] }
  }

  func receiptStamp(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) throws -> Date? {
    try receipt(of: originalTransactionID, environment: environment)?.asOf
  }

  func receipts(after cursor: ReceiptCursor?, limit: Int) throws -> [StoredReceipt] {
    try cursor?.checkTexts()
    return try unit.reading { $0.receipts.page(after: cursor?.rowKey, limit: limit) }
  }

  func revision(
    of originalTransactionID: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) throws -> HistoryRevision? {
    try unit.reading { $0.revisions[kind.key(of: originalTransactionID, environment)] }
  }

  func put(_ revision: HistoryRevision) throws {
    try unit.writing(revision) { $0.revisions.keepLatest($1, by: \.asOf) }
  }

  func removeRevision(
    of originalTransactionID: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) throws {
    try unit.writing { $0.revisions[kind.key(of: originalTransactionID, environment)] = nil }
  }
}

extension MemoryTables {
  /// Returns the renewals of a subscription, of which somebody tells now.
  ///
  /// If nobody had told whether it renews, it is taken off hold.
  fileprivate mutating func told(_ id: String, _ environment: AppStoreEnvironment) -> RenewalSet {
    if let set = renewals[RowKey(environment, id)] { return set }
    polls[RowKey(id)]?.nextTry = nil
    return RenewalSet()
  }
}

extension PurchaseRecord: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(environment, transactionID) }

  var stored: PurchaseRecord {
    var row = self
    row.purchaseDate = purchaseDate?.inMilliseconds
    row.originalPurchaseDate = originalPurchaseDate?.inMilliseconds
    row.expiresDate = expiresDate?.inMilliseconds
    row.cancellationDate = cancellationDate?.inMilliseconds
    row.signedDate = signedDate?.inMilliseconds
    return row
  }

  /// Whether the monotonic guard lets this record replace a stored one: with the same or a later stamp,
  /// and without a stamp only where no row is.
  fileprivate func mayReplace(_ stored: PurchaseRecord?) -> Bool {
    guard let stored else { return true }
    guard let signedDate else { return false }
    return stored.signedDate.map { $0 <= signedDate } ?? true
  }
}

extension RenewalRecord: StoredRow {
  fileprivate var stamp: Date { signedDate ?? .distantPast }

  /// The entry under an original id, with a stamp, as a later query reads it.
  fileprivate func moved(
    to id: String, _ environment: AppStoreEnvironment, asOf: Date
  ) -> RenewalRecord {
    var row = self
    row.originalTransactionID = id
    row.environment = environment
    row.gracePeriodExpiresDate = gracePeriodExpiresDate?.inMilliseconds
    row.signedDate = asOf.inMilliseconds
    return row
  }
}

extension VerificationSession: StoredRow, KeyedRow {
  var rowKey: RowKey {
    RowKey(
      environment.rawValue, originalTransactionID, transactionID,
      String(StoredMoment.milliseconds(requestDate)))
  }
}

extension ReceiptCursor: KeyedRow {
  var rowKey: RowKey { RowKey(originalTransactionID, environment.rawValue) }
}

extension StoredReceipt: StoredRow, KeyedRow {
  var rowKey: RowKey { ReceiptCursor(self).rowKey }

  var stored: StoredReceipt {
    StoredReceipt(
      originalTransactionID: originalTransactionID, environment: environment, receipt: receipt,
      asOf: asOf.inMilliseconds)
  }
}

extension HistoryRevision: StoredRow, KeyedRow {
  var rowKey: RowKey { kind.key(of: originalTransactionID, environment) }

  var stored: HistoryRevision {
    var row = self
    row.asOf = asOf.inMilliseconds
    return row
  }
}

extension HistoryRevision.Kind {
  fileprivate func key(of id: String, _ environment: AppStoreEnvironment) -> RowKey {
    RowKey(environment.rawValue, id, rawValue)
  }
}
