internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// Sets of renewals about which a unit of work asked in advance.
extension SQLPurchases {
  /// Notes the stamp of a set, which locks it, and then finds its entries.
  func calls(
    toReplace originalTransactionID: String, _ environment: AppStoreEnvironment, asOf: Date
  ) -> [SQLCall] {
    let find = session.call(
      .findRenewals, ids: [originalTransactionID], before: [.environment(environment)])
    return [
      SQLCall(
        .noteNewestRenewalSet,
        [.environment(environment), .text(originalTransactionID), .milliseconds(asOf)])
    ] + [find].compactMap(\.self)
  }

  /// Replaces a set whose entries are kept and that is the newest, writing no more than what changes; returns false
  /// for any other.
  func replaceKept(
    _ renewals: [RenewalRecord], of originalTransactionID: String,
    _ environment: AppStoreEnvironment, asOf: Date, now: Date
  ) async throws -> Bool {
    let calls = calls(toReplace: originalTransactionID, environment, asOf: asOf)
    let answers = calls.compactMap { session.kept.rows(of: $0.statement, $0.values) }
    guard answers.count == 2, answers[0].first == [.milliseconds(asOf)] else { return false }
    // The stamp of the set is this one, so that all entries that are older go.
    let stored = answers[1].map { ($0, RenewalRecord(row: $0)) }
    let newer = stored.filter { asOf < $1.signedDate ?? .distantPast }
    let products = Set(renewals.map(\.productID))
    let isSame = stored.allSatisfy { _, entry in
      asOf < entry.signedDate ?? .distantPast
        || entry.productID != nil && products.contains(entry.productID)
    }
    if !isSame {
      let dialect = session.connection.dialect
      try await session.run(
        .deleteRenewals(dialect),
        [
          .environment(environment), .text(originalTransactionID),
          SQLTextList(renewals.compactMap(\.productID)).value(dialect), .milliseconds(asOf),
        ])
    }
    let changed = renewals.filter { renewal in
      !newer.contains { $1.productID == renewal.productID }
    }
    let rows = rows(changed, of: originalTransactionID, environment, asOf: asOf, now: now)
    let storedProducts = Set(stored.map(\.1.productID))
    for (renewal, row) in zip(changed, rows) {
      try await session.run(
        storedProducts.contains(renewal.productID) ? .putRenewal : .insertRenewal, row)
    }
    let isInBillingRetry = (newer.map(\.1) + changed).contains(where: \.isInBillingRetry)
    let key: [SQLValue] = [.environment(environment), .text(originalTransactionID)]
    if session.hasStamps, !session.hasSubscription(key, notingRetry: isInBillingRetry) {
      try await session.run(.noteRenewals, key)
    }
    let columns = SQLColumns.renewal.count
    session.kept.keep(
      newer.map(\.0) + rows.map { Array($0.prefix(columns + 1)) }, of: calls[1],
      showing: .renewals)
    return true
  }
}
