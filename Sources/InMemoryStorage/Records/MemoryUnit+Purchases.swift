internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MemoryUnit: PurchaseRepository {
  func record(transactions: [PurchaseRecord], environment: AppStoreEnvironment, now: Date) throws {
    try writing { tables in
      for transaction in transactions {
        var row = transaction.stored
        row.environment = environment
        if row.mayReplace(tables.transactions[row.rowKey]) { tables.transactions.save(row) }
      }
    }
  }

  func transactions(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) throws -> [PurchaseRecord] {
    try tables.transactions.rows(
      by: originalTransactionIDs.map { IndexKey(.purchase, RowKey(environment, $0)) })
  }

  func originalTransactionIDs(
    ofTransactions transactionIDs: [String], environment: AppStoreEnvironment
  ) throws -> [String] {
    let rows = try tables.transactions.rows(at: transactionIDs.map { RowKey(environment, $0) })
    return Array(Set(rows.map(\.originalTransactionID)))
  }

  func purchases(after cursor: ReceiptCursor?, limit: Int) throws -> [ReceiptCursor] {
    let start = cursor.map { RowKey($0.originalTransactionID, $0.environment.rawValue) }
    var found: [RowKey: ReceiptCursor] = [:]
    for row in try tables.transactions.page() {
      guard let environment = row.environment else { continue }
      let key = RowKey(row.originalTransactionID, environment.rawValue)
      if start.map({ $0 < key }) ?? true {
        found[key] = ReceiptCursor(
          originalTransactionID: row.originalTransactionID, environment: environment)
      }
    }
    return found.sorted { $0.key < $1.key }.prefix(max(0, limit)).map(\.value)
  }

  func replace(
    renewals: [RenewalRecord], of originalTransactionID: String,
    environment: AppStoreEnvironment, asOf: Date, now: Date
  ) throws {
    let asOf = asOf.inMilliseconds
    try writing { tables in
      tables.tell(of: originalTransactionID, environment) { set in
        if let newest = set.asOf, asOf < newest { return }
        let later = set.entries.filter { $0.stamp > asOf }
        let others = renewals.lastOfEachProduct.filter { entry in
          !later.contains { $0.productID == entry.productID }
        }
        set.entries = later + others.map { $0.moved(to: originalTransactionID, environment, asOf) }
        set.asOf = asOf
      }
    }
  }

  func record(renewals: [RenewalRecord], environment: AppStoreEnvironment, now: Date) throws {
    try writing { tables in
      for renewal in renewals {
        let id = renewal.originalTransactionID
        let entry = renewal.moved(to: id, environment, renewal.stamp)
        tables.tell(of: id, environment) { set in
          // An entry that is older than the set is in it already, or was left out.
          if let newest = set.asOf, entry.stamp < newest { return }
          let index = set.entries.firstIndex { $0.productID == entry.productID }
          guard let index else { return set.entries.append(entry) }
          if set.entries[index].stamp <= entry.stamp { set.entries[index] = entry }
        }
      }
    }
  }

  func renewals(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) throws -> [RenewalRecord] {
    try tables.renewals.rows(at: originalTransactionIDs.map { RowKey(environment, $0) })
      .flatMap(\.entries)
  }

  func record(session: VerificationSession, now: Date) throws {
    try writing { _ = $0.sessions.add(Recorded(value: session, date: now)) }
  }

  func put(_ receipt: StoredReceipt, now: Date) throws {
    try writing { $0.receipts.keepLatest(receipt, by: \.asOf) }
  }

  func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) throws -> StoredReceipt? {
    try tables.receipts[RowKey(originalTransactionID, environment.rawValue)]
  }

  func receiptStamp(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) throws -> Date? {
    try receipt(of: originalTransactionID, environment: environment)?.asOf
  }

  func receipts(after cursor: ReceiptCursor?, limit: Int) throws -> [StoredReceipt] {
    try tables.receipts.page(
      after: cursor.map { RowKey($0.originalTransactionID, $0.environment.rawValue) },
      limit: limit)
  }

  func revision(
    of originalTransactionID: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) throws -> HistoryRevision? {
    try tables.revisions[RowKey(environment.rawValue, originalTransactionID, kind.rawValue)]
  }

  func put(_ revision: HistoryRevision) throws {
    try writing { $0.revisions.keepLatest(revision, by: \.asOf) }
  }

  func removeRevision(
    of originalTransactionID: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) throws {
    let key = RowKey(environment.rawValue, originalTransactionID, kind.rawValue)
    try writing { $0.revisions[key] = nil }
  }

  func record(_ transfer: PurchaseTransfer) throws {
    try writing { _ = try $0.transfers.append { _ in transfer.stored } }
  }

  func transfers(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) throws -> [PurchaseTransfer] {
    try tables.transfers.page(by: IndexKey(.purchase, RowKey(originalTransactionID))) {
      $0.environment == environment
    }
  }
}

/// The renewal entries of a subscription, and the stamp of the newest set of them.
struct RenewalSet: Sendable {
  var asOf: Date?
  var entries: [RenewalRecord] = []
}

extension MemoryTables {
  /// Changes the renewals of a subscription, because somebody tells of them.
  fileprivate mutating func tell(
    of id: String, _ environment: AppStoreEnvironment, _ change: (inout RenewalSet) -> Void
  ) {
    let key = RowKey(environment, id)
    // Where nobody had told whether it renews, its next refresh was put off.
    if renewals[key] == nil { polls[RowKey(id)]?.nextTry = nil }
    var set = renewals[key] ?? RenewalSet()
    change(&set)
    renewals[key] = set
  }
}

extension PurchaseRecord: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(environment, transactionID) }
  var stored: PurchaseRecord {
    var row = inMilliseconds(
      \.purchaseDate, \.originalPurchaseDate, \.expiresDate, \.cancellationDate, \.signedDate)
    row.commitment?.expiresDate = commitment?.expiresDate?.inMilliseconds
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
  var stored: RenewalRecord {
    var row = inMilliseconds(\.gracePeriodExpiresDate)
    row.commitment?.renewalDate = commitment?.renewalDate?.inMilliseconds
    return row
  }
  fileprivate var stamp: Date { signedDate ?? .distantPast }

  /// Returns the entry under an original id and with a stamp.
  fileprivate func moved(
    to id: String, _ environment: AppStoreEnvironment, _ asOf: Date
  ) -> RenewalRecord {
    var row = stored
    row.originalTransactionID = id
    row.environment = environment
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

extension StoredReceipt: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(originalTransactionID, environment.rawValue) }
  var stored: StoredReceipt {
    StoredReceipt(
      originalTransactionID: originalTransactionID, environment: environment, receipt: receipt,
      asOf: asOf.inMilliseconds)
  }
}

extension PurchaseTransfer: StoredRow {
  var stored: PurchaseTransfer { inMilliseconds(\.date) }
}

extension HistoryRevision: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(environment.rawValue, originalTransactionID, kind.rawValue) }
  var stored: HistoryRevision { inMilliseconds(\.asOf) }
}
