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
    let rows = transactions.map { transaction in
      var transaction = transaction
      transaction.environment = environment
      return SQLColumns.transaction.values(
        of: transaction, and: .milliseconds(transaction.signedDate), .seconds(now))
    }
    let calls = calls(toRecord: transactions, environment)
    let plan = try await plan(recording: rows, from: calls, environment)
    if let find = calls.last, areAllRead(transactions, environment),
      let stored = plan.storedAfterwards
    {
      // Another unit of work that was faster is a duplicate at the end.
      for row in plan.rows {
        let statement =
          plan.isNew(row) ? .insertTransaction : session.choose(SQLStatement.recordTransaction)
        try await session.run(statement, row)
      }
      return session.kept.keep(stored, of: find, showing: .transactions)
    }
    for stamp in plan.settlements { try await run(.settleTransactions, stamp, environment) }
    try await session.execute(session.choose(SQLStatement.recordTransaction), each: plan.rows)
    for stamp in plan.stamps { try await run(.stampTransactions, stamp, environment) }
    // Both show the stamps.
    if !(plan.settlements.isEmpty && plan.stamps.isEmpty) {
      session.kept.forget(showing: .transactions)
    }
  }

  /// Whether transactions are known to be stored nowhere but under their own original transaction IDs.
  private func areAllRead(
    _ transactions: [PurchaseRecord], _ environment: AppStoreEnvironment
  ) -> Bool {
    let query = session.call(
      .findOriginalIDs, ids: transactions.map(\.transactionID), before: [.environment(environment)])
    guard let query, let originals = session.kept.rows(of: query.statement, query.values) else {
      return false
    }
    let own = Set(transactions.map(\.originalTransactionID))
    return originals.allSatisfy { $0.first?.name.map(own.contains) ?? false }
  }

  /// The queries that lock the subscriptions of transactions, so that their stored transactions stay, and find these;
  /// none where each transaction has its own stamp only.
  func calls(
    toRecord transactions: [PurchaseRecord], _ environment: AppStoreEnvironment
  ) -> [SQLCall] {
    guard session.hasStamps else { return [] }
    // What can't renew has no subscription, and so no stamp but its own.
    let ids = transactions.lazy.filter { $0.productType?.canRenew ?? true }
      .map(\.originalTransactionID)
    let sorted = Set(ids).sorted()
    // Those who ask for the subscription have locked it, and have its stamp.
    let lock = session.call(.findSubscriptions, ids: sorted)
    let find = session.call(
      session.choose(ListStatement.findTransactions), ids: sorted,
      before: [.environment(environment)])
    return [lock, find].compactMap(\.self)
  }

  private func plan(
    recording rows: [[SQLValue]], from calls: [SQLCall], _ environment: AppStoreEnvironment
  ) async throws -> TransactionPlan {
    let answers = try await session.queryTogether(calls)
    let subscriptions = (answers.first ?? []).filter { $0[0] == .environment(environment) }
      .map { [$0[1], $0[$0.count - 1]] }
    return TransactionPlan(
      recording: rows, subscriptions: subscriptions, stored: answers.last ?? [])
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
      session.choose(ListStatement.findTransactions), ids: originalTransactionIDs,
      before: [.environment(environment)]
    ).map(PurchaseRecord.init(row:))
  }

  func originalTransactionIDs(
    ofTransactions transactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [String] {
    let rows = try await session.query(
      .findOriginalIDs, ids: transactionIDs, before: [.environment(environment)])
    var known: Set<String> = []
    return rows.compactMap { row in
      var reader = SQLRowReader(row)
      let id = reader.text()
      return known.insert(id).inserted ? id : nil
    }
  }

  func replace(
    renewals: [RenewalRecord], of originalTransactionID: String,
    environment: AppStoreEnvironment, asOf: Date, now: Date
  ) async throws {
    let renewals = renewals.lastOfEachProduct
    let dialect = session.connection.dialect
    let products = SQLTextList(renewals.compactMap(\.productID))
    if try await replaceKept(
      renewals, of: originalTransactionID, environment, asOf: asOf, now: now)
    {
      return
    }
    let isNewest = try await lockSet(of: originalTransactionID, environment, asOf: asOf)
    try await session.run(
      .deleteRenewals(dialect),
      [
        .environment(environment), .text(originalTransactionID), products.value(dialect),
        .milliseconds(asOf),
      ])
    try await put(
      renewals, of: originalTransactionID, environment, asOf: asOf, now: now, inNewest: isNewest)
  }

  func record(
    renewals: [RenewalRecord], environment: AppStoreEnvironment, now: Date
  ) async throws {
    for renewal in renewals {
      let isNewest = try await lockSet(
        of: renewal.originalTransactionID, environment, asOf: nil)
      try await put(
        [renewal], of: renewal.originalTransactionID, environment,
        asOf: renewal.signedDate ?? .distantPast, now: now, inNewest: isNewest)
    }
  }

  /// Notes the stamp of a set, unless a newer one is noted, and locks it until the end of the unit of work: no
  /// older entry is added by another one that has not seen the stamp.
  ///
  /// - Returns: Whether no newer set is known to be noted; false where the driver could tell only in an exchange.
  private func lockSet(
    of originalTransactionID: String, _ environment: AppStoreEnvironment, asOf: Date?
  ) async throws -> Bool {
    let changed = try await session.runCounting(
      .noteRenewalSet,
      [.environment(environment), .text(originalTransactionID), .milliseconds(asOf)])
    return changed.map { $0 > 0 } ?? false
  }

  private func put(
    _ renewals: [RenewalRecord], of originalTransactionID: String,
    _ environment: AppStoreEnvironment, asOf: Date, now: Date, inNewest isNewest: Bool
  ) async throws {
    try await session.execute(
      .putRenewal,
      each: rows(renewals, of: originalTransactionID, environment, asOf: asOf, now: now))
    // Of the newest set nothing is older than its stamp.
    if !isNewest {
      try await session.run(
        .removeOldRenewals, [.environment(environment), .text(originalTransactionID)])
    }
    guard session.hasStamps else { return }
    try await session.run(
      .noteRenewals, [.environment(environment), .text(originalTransactionID)])
  }

  /// The values of `renewal_put`: the columns, the stamp and two dates.
  func rows(
    _ renewals: [RenewalRecord], of originalTransactionID: String,
    _ environment: AppStoreEnvironment, asOf: Date, now: Date
  ) -> [[SQLValue]] {
    renewals.map { renewal in
      var renewal = renewal
      renewal.originalTransactionID = originalTransactionID
      renewal.environment = environment
      return SQLColumns.renewal.values(
        of: renewal, and: .milliseconds(asOf), .seconds(now), .seconds(now))
    }
  }

  func renewals(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [RenewalRecord] {
    try await session.query(
      .findRenewals, ids: originalTransactionIDs, before: [.environment(environment)]
    ).map(RenewalRecord.init(row:))
  }

  func record(session verification: VerificationSession, now: Date) async throws {
    try await session.run(
      .recordSession, SQLColumns.session.values(of: verification, and: .seconds(now)))
  }

  func put(_ receipt: StoredReceipt, now: Date) async throws {
    let key: [SQLValue] = [
      .environment(receipt.environment), .text(receipt.originalTransactionID),
    ]
    let (text, stamp) = (SQLValue.text(receipt.receipt), SQLValue.milliseconds(receipt.asOf))
    // A subscription that this unit of work has inserted has no stamp of a whole answer, so that its receipt has its own.
    let mayHaveStamp = session.hasStamps && !session.hasInsertedSubscription(key)
    if mayHaveStamp {
      let stamped = try await session.runCounting(.stampReceipt, key + [stamp, text])
      // The same receipt is stored, as of now.
      if stamped == 1 { return }
    }
    let forms = SQLStatement.putReceipt
    try await session.run(
      mayHaveStamp ? forms.stamped : forms.plain, key + [text, .seconds(now), stamp])
  }

  func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws -> StoredReceipt? {
    let rows = try await session.query(
      session.choose(SQLStatement.findReceipt),
      [.environment(environment), .text(originalTransactionID)])
    guard let row = rows.first else { return nil }
    var reader = SQLRowReader(row)
    let text = reader.text()
    return StoredReceipt(
      originalTransactionID: originalTransactionID, environment: environment, receipt: text,
      asOf: Self.stamp(&reader))
  }

  func receiptStamp(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws -> Date? {
    let rows = try await session.query(
      session.choose(SQLStatement.findReceiptStamp),
      [.environment(environment), .text(originalTransactionID)])
    guard let row = rows.first else { return nil }
    var reader = SQLRowReader(row)
    return Self.stamp(&reader)
  }

  /// Reads the stamp of a receipt: the later one of its row and of its subscription.
  static func stamp(_ reader: inout SQLRowReader) -> Date {
    [reader.milliseconds(), reader.milliseconds()].compactMap(\.self).max() ?? .distantPast
  }
}

extension ProductType {
  /// Whether a purchase of this type may have a row of a subscription.
  fileprivate var canRenew: Bool { self != .consumable && self != .nonConsumable }
}
