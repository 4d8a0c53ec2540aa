internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Transactions of credit products, in memory.
struct MemoryCreditTransactions: CreditTransactionRepository {
  let unit: MemoryUnit

  func find(
    transactionID: String, environment: AppStoreEnvironment
  ) throws -> CreditTransaction? {
    try unit.reading { tables in
      let number = tables.credits.transactionNumbers[.init(environment, transactionID)]
      return number.map { tables.credits.transactions[$0 - 1] }
    }
  }

  func insert(_ transaction: CreditTransaction, now: Date) throws -> CreditTransaction? {
    try transaction.checkTexts()
    let key = MemoryCredits.Key(
      transaction.purchase.environment, transaction.purchase.transactionID)
    return try unit.writing { tables in
      guard tables.credits.transactionNumbers[key] == nil else { return nil }
      let number = tables.credits.transactions.count + 1
      let row = transaction.stored(number: number)
      tables.credits.transactions.append(row)
      tables.credits.transactionNumbers[key] = number
      return row
    }
  }

  func update(_ transaction: CreditTransaction, now: Date) throws {
    try transaction.checkTexts()
    guard let number = transaction.id else { throw StorageFailure.invalidValue(field: "id") }
    try unit.writing { tables in
      guard tables.credits.transactions.indices.contains(number - 1) else { return }
      var row = transaction.stored(number: number)
      let before = tables.credits.transactions[number - 1].purchase
      row.purchase.environment = before.environment
      row.purchase.transactionID = before.transactionID
      tables.credits.transactions[number - 1] = row
    }
  }

  func transactions(
    of userID: AccountID, after id: Int?, limit: Int
  ) throws -> [CreditTransaction] {
    try unit.reading { tables in
      Array(tables.credits.rows(after: id).filter { $0.userID == userID }.prefix(max(0, limit)))
    }
  }

  func transactions(after id: Int?, limit: Int) throws -> [CreditTransaction] {
    try unit.reading { Array($0.credits.rows(after: id).prefix(max(0, limit))) }
  }
}

extension MemoryCredits {
  /// The transactions whose numbers come after the given one.
  fileprivate func rows(after id: Int?) -> ArraySlice<CreditTransaction> {
    transactions.dropFirst(max(0, id ?? 0))
  }
}

extension CreditTransaction {
  /// The transaction as a later query reads it.
  fileprivate func stored(number: Int) -> CreditTransaction {
    var row = self
    row.id = number
    row.purchase.revocationDate = nil
    row.purchase.purchaseDate = StoredMoment.inMilliseconds(purchase.purchaseDate)
    row.lastEventSignedDate = lastEventSignedDate.map(StoredMoment.inMilliseconds)
    return row
  }
}
