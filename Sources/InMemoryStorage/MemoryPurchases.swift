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
    for transaction in transactions { try transaction.checkTexts() }
    try unit.writing { tables in
      for transaction in transactions {
        let row = transaction.stored(in: environment)
        let key = MemoryTables.Key(environment: environment, id: row.transactionID)
        if row.mayReplace(tables.transactions[key]) { tables.transactions[key] = row }
      }
    }
  }

  func transactions(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) throws -> [PurchaseRecord] {
    let ids = Set(originalTransactionIDs)
    return try unit.reading { tables in
      tables.transactions.values.filter {
        $0.environment == environment && ids.contains($0.originalTransactionID)
      }
    }
  }

  func originalTransactionIDs(
    ofTransactions transactionIDs: [String], environment: AppStoreEnvironment
  ) throws -> [String] {
    try unit.reading { tables in
      let ids = transactionIDs.compactMap {
        tables.transactions[MemoryTables.Key(environment: environment, id: $0)]?
          .originalTransactionID
      }
      return Array(Set(ids))
    }
  }

  func replace(
    renewals: [RenewalRecord], of originalTransactionID: String,
    environment: AppStoreEnvironment, asOf: Date, now: Date
  ) throws {
    try StoredText.check(environment)
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    for renewal in renewals { try renewal.checkTexts() }
    let key = MemoryTables.Key(environment: environment, id: originalTransactionID)
    let asOf = StoredMoment.inMilliseconds(asOf)
    try unit.writing { tables in
      tables.endHold(ofUntold: key)
      if let newest = tables.renewalSets[key], asOf < newest { return }
      tables.renewalSets[key] = asOf
      let later = (tables.renewals[key] ?? []).filter { $0.stamp > asOf }
      tables.renewals[key] =
        later
        + renewals.lastOfEachProduct
        .map { $0.stored(under: key, asOf: asOf) }
        .filter { entry in !later.contains { $0.productID == entry.productID } }
    }
  }

  func record(
    renewals: [RenewalRecord], environment: AppStoreEnvironment, now: Date
  ) throws {
    try StoredText.check(environment)
    for renewal in renewals { try renewal.checkTexts() }
    try unit.writing { tables in
      for renewal in renewals {
        let key = MemoryTables.Key(environment: environment, id: renewal.originalTransactionID)
        tables.endHold(ofUntold: key)
        let entry = renewal.stored(under: key, asOf: renewal.stamp)
        // What is older than the set is in it already, or was left out.
        if let newest = tables.renewalSets[key], entry.stamp < newest { continue }
        var entries = tables.renewals[key] ?? []
        if let index = entries.firstIndex(where: { $0.productID == entry.productID }) {
          if entries[index].stamp <= entry.stamp { entries[index] = entry }
        } else {
          entries.append(entry)
        }
        tables.renewals[key] = entries
      }
    }
  }

  func renewals(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) throws -> [RenewalRecord] {
    try unit.reading { tables in
      Set(originalTransactionIDs).flatMap {
        tables.renewals[MemoryTables.Key(environment: environment, id: $0)] ?? []
      }
    }
  }

  func record(session: VerificationSession, now: Date) throws {
    try session.checkTexts()
    let key = [
      session.environment.rawValue, session.originalTransactionID, session.transactionID,
      String(StoredMoment.milliseconds(session.requestDate)),
    ]
    try unit.writing { tables in
      guard tables.sessions[key] == nil else { return }
      tables.sessions[key] = Recorded(value: session, date: StoredMoment.inSeconds(now))
    }
  }

  func put(_ receipt: StoredReceipt, now: Date) throws {
    try receipt.checkTexts()
    let key = MemoryTables.Key(
      environment: receipt.environment, id: receipt.originalTransactionID)
    try unit.writing { tables in
      if let stored = tables.receipts[key], stored.asOf > receipt.stored.asOf { return }
      tables.receipts[key] = receipt.stored
    }
  }

  func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) throws -> StoredReceipt? {
    try unit.reading { tables in
      tables.receipts[MemoryTables.Key(environment: environment, id: originalTransactionID)]
    }
  }

  func receiptStamp(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) throws -> Date? {
    try receipt(of: originalTransactionID, environment: environment)?.asOf
  }

  func receipts(after cursor: ReceiptCursor?, limit: Int) throws -> [StoredReceipt] {
    try cursor?.checkTexts()
    return try unit.reading { tables in
      let rows = tables.receipts.values
        .filter { row in cursor.map { $0.isBefore(ReceiptCursor(row)) } ?? true }
        .sorted { ReceiptCursor($0).isBefore(ReceiptCursor($1)) }
      return Array(rows.prefix(max(0, limit)))
    }
  }
}

// Revisions of histories.
extension MemoryPurchases {
  func revision(
    of originalTransactionID: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) throws -> HistoryRevision? {
    try unit.reading { $0.revisions[key(originalTransactionID, environment, kind)] }
  }

  func put(_ revision: HistoryRevision) throws {
    try revision.checkTexts()
    let key = key(revision.originalTransactionID, revision.environment, revision.kind)
    var row = revision
    row.asOf = StoredMoment.inMilliseconds(revision.asOf)
    try unit.writing { tables in
      if let stored = tables.revisions[key], stored.asOf > row.asOf { return }
      tables.revisions[key] = row
    }
  }

  func removeRevision(
    of originalTransactionID: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) throws {
    try unit.writing { $0.revisions[key(originalTransactionID, environment, kind)] = nil }
  }

  private func key(
    _ id: String, _ environment: AppStoreEnvironment, _ kind: HistoryRevision.Kind
  ) -> MemoryTables.RevisionKey {
    MemoryTables.RevisionKey(
      key: MemoryTables.Key(environment: environment, id: id), kind: kind)
  }
}

extension ReceiptCursor {
  fileprivate func isBefore(_ other: ReceiptCursor) -> Bool {
    originalTransactionID.isSame(as: other.originalTransactionID)
      ? environment.rawValue.isBefore(other.environment.rawValue)
      : originalTransactionID.isBefore(other.originalTransactionID)
  }
}

extension MemoryTables {
  /// Takes a subscription off hold of which nobody had told whether it renews, as somebody does now.
  fileprivate mutating func endHold(ofUntold key: Key) {
    if renewals[key] == nil { polls[key.id]?.nextTry = nil }
  }
}

extension PurchaseRecord {
  /// The value as a later query reads it.
  fileprivate func stored(in environment: AppStoreEnvironment) -> PurchaseRecord {
    var row = self
    row.environment = environment
    row.purchaseDate = purchaseDate.map(StoredMoment.inMilliseconds)
    row.originalPurchaseDate = originalPurchaseDate.map(StoredMoment.inMilliseconds)
    row.expiresDate = expiresDate.map(StoredMoment.inMilliseconds)
    row.cancellationDate = cancellationDate.map(StoredMoment.inMilliseconds)
    row.signedDate = signedDate.map(StoredMoment.inMilliseconds)
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

extension RenewalRecord {
  fileprivate var stamp: Date { signedDate ?? .distantPast }

  /// The value as a later query reads it.
  fileprivate func stored(under key: MemoryTables.Key, asOf: Date) -> RenewalRecord {
    var row = self
    row.originalTransactionID = key.id
    row.environment = key.environment
    row.gracePeriodExpiresDate = gracePeriodExpiresDate.map(StoredMoment.inMilliseconds)
    row.signedDate = StoredMoment.inMilliseconds(asOf)
    return row
  }
}

extension StoredReceipt {
  /// The value as a later query reads it.
  var stored: StoredReceipt {
    StoredReceipt(
      originalTransactionID: originalTransactionID, environment: environment, receipt: receipt,
      asOf: StoredMoment.inMilliseconds(asOf))
  }
}
