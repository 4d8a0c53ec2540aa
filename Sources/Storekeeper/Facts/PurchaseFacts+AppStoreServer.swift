internal import AppStoreServerAPI
public import JWSVerifier
internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PurchaseFacts {
  /// Creates the facts of answers of the App Store Server API about one customer.
  ///
  /// Each transaction keeps its own signing date. Transactions without usable identifiers, and
  /// renewal infos of subscriptions that are not among the transactions, are left out.
  ///
  /// - Throws: ``FactsFailure/environmentNotRecorded(_:)`` also for a transaction of another environment than the
  ///   first; ``FactsFailure/empty`` if no transaction is left.
  public init(
    _ transactions: [Verified<Transaction>], renewalInfos: [Verified<RenewalInfo>] = []
  ) throws(FactsFailure) {
    guard let environment = transactions.first?.environment else { throw .empty }
    try Self.check(environment)
    var purchases: [String: PurchaseRecord] = [:]
    var moves: [String: Set<String>] = [:]
    for transaction in transactions {
      guard transaction.environment == environment else {
        throw .environmentNotRecorded(transaction.environment)
      }
      guard let signedDate = transaction.signedDate?.stamp,
        let record = PurchaseRecord(transaction.payload)?.stamped(signedDate, environment)
      else { continue }
      if let known = purchases[record.transactionID]?.signedDate, known > signedDate { continue }
      purchases[record.transactionID] = record
      if let id = transaction.payload.previousOriginalTransactionID, TransactionIDs.areDigits(id),
        id != record.originalTransactionID
      {
        moves[record.originalTransactionID, default: []].insert(id)
      }
    }
    guard let asOf = purchases.values.compactMap(\.signedDate).max() else { throw .empty }
    let ids = Set(purchases.values.map(\.originalTransactionID))
    let renewals = renewalInfos.compactMap { info -> RenewalRecord? in
      guard info.environment == environment, let record = RenewalRecord(info.payload),
        ids.contains(record.originalTransactionID)
      else { return nil }
      return record.stamped(info.signedDate?.stamp ?? asOf, environment)
    }
    self.init(
      .appStoreServer, .single, environment: environment, asOf: asOf,
      purchases: Array(purchases.values), renewals: renewals)
    self.moves = moves
  }

  /// Creates the facts of the statuses of a customer's subscriptions, with further transactions.
  init(
    _ statuses: SubscriptionStatuses, and transactions: [Verified<Transaction>] = []
  ) throws(FactsFailure) {
    try self.init(
      transactions + statuses.items.compactMap(\.transaction),
      renewalInfos: statuses.items.compactMap(\.renewalInfo))
  }
}
