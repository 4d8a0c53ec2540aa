internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLPurchases: PurchaseRepository {
  let session: SQLSession

  func record(
    transactions: [PurchaseRecord], environment: AppStoreEnvironment, now: Date
  ) async throws {
    try StoredText.check(environment)
    for transaction in transactions { try transaction.checkTexts() }
    let rows = transactions.map { $0.row(environment, now: now) }
    let plan = try await plan(
      recording: rows, of: Set(transactions.map(\.originalTransactionID)).sorted(), environment)
    for stamp in plan.settlements { try await run(.settleTransactions, stamp, environment) }
    try await session.execute(.recordTransaction, each: plan.rows)
    for stamp in plan.stamps { try await run(.stampTransactions, stamp, environment) }
  }

  /// Looks at what is stored; the subscriptions are locked, so that it stays.
  private func plan(
    recording rows: [[SQLValue]], of ids: [String], _ environment: AppStoreEnvironment
  ) async throws -> TransactionPlan {
    let calls = [ListStatement.lockTransactions, .findTransactions].compactMap {
      session.call($0, ids: ids, before: [.environment(environment)])
    }
    let answers = try await session.query(calls)
    return TransactionPlan(
      recording: rows, subscriptions: answers.first ?? [], stored: answers.last ?? [])
  }

  private func run(
    _ statement: SQLStatement, _ stamp: TransactionPlan.Stamp, _ environment: AppStoreEnvironment
  ) async throws {
    try await session.run(
      statement,
      [.environment(environment), stamp.originalTransactionID, .number(stamp.milliseconds)])
  }

  func transactions(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [PurchaseRecord] {
    try await session.query(
      .findTransactions, ids: originalTransactionIDs, before: [.environment(environment)]
    ).map(PurchaseRecord.init(row:))
  }

  func originalTransactionIDs(
    ofTransactions transactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [String] {
    try await session.query(
      .findOriginalIDs, ids: transactionIDs, before: [.environment(environment)]
    ).map { row in
      var reader = SQLRowReader(row)
      return reader.text()
    }
  }

  func replace(
    renewals: [RenewalRecord], of originalTransactionID: String,
    environment: AppStoreEnvironment, asOf: Date, now: Date
  ) async throws {
    try StoredText.check(environment)
    try StoredText.check("originalTransactionID", originalTransactionID, .transactionID)
    for renewal in renewals { try renewal.checkTexts() }
    let renewals = renewals.lastOfEachProduct
    let key: [SQLValue] = [.environment(environment), .text(originalTransactionID)]
    let dialect = session.connection.dialect
    let products = SQLTextList(renewals.compactMap(\.productID))
    try await session.run(
      .deleteRenewals(dialect), key + [products.value(dialect), .milliseconds(asOf)])
    try await put(renewals, under: key, asOf: asOf, now: now)
  }

  func record(
    renewals: [RenewalRecord], environment: AppStoreEnvironment, now: Date
  ) async throws {
    try StoredText.check(environment)
    for renewal in renewals { try renewal.checkTexts() }
    for renewal in renewals {
      try await put(
        [renewal], under: [.environment(environment), .text(renewal.originalTransactionID)],
        asOf: renewal.signedDate ?? .distantPast, now: now)
    }
  }

  private func put(
    _ renewals: [RenewalRecord], under key: [SQLValue], asOf: Date, now: Date
  ) async throws {
    try await session.execute(
      .putRenewal, each: renewals.map { key + $0.row + [.seconds(now), .milliseconds(asOf)] })
    try await session.run(.noteBillingRetry, key)
  }

  func renewals(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [RenewalRecord] {
    try await session.query(
      .findRenewals, ids: originalTransactionIDs, before: [.environment(environment)]
    ).map(RenewalRecord.init(row:))
  }

  func record(session verification: VerificationSession, now: Date) async throws {
    try verification.checkTexts()
    try await session.run(.recordSession, verification.row(now: now))
  }

  func put(_ receipt: StoredReceipt, now: Date) async throws {
    try receipt.checkTexts()
    let key: [SQLValue] = [
      .environment(receipt.environment), .text(receipt.originalTransactionID),
    ]
    let (text, stamp) = (SQLValue.text(receipt.receipt), SQLValue.milliseconds(receipt.asOf))
    try await session.run(.stampReceipt, key + [stamp, text])
    try await session.run(.putReceipt, key + [text, .seconds(now), stamp])
  }

  func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws -> StoredReceipt? {
    guard TransactionIDs.areDigits(originalTransactionID) else { return nil }
    let rows = try await session.query(
      .findReceipt, [.environment(environment), .text(originalTransactionID)])
    guard let row = rows.first else { return nil }
    var reader = SQLRowReader(row)
    let text = reader.text()
    let stamps = [reader.milliseconds(), reader.milliseconds()].compactMap(\.self)
    return StoredReceipt(
      originalTransactionID: originalTransactionID, environment: environment, receipt: text,
      asOf: stamps.max() ?? .distantPast)
  }
}
