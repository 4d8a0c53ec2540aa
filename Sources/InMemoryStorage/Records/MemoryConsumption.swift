internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Requests for consumption information, in memory.
struct MemoryConsumption: ConsumptionRepository {
  let unit: MemoryUnit

  func add(_ case: ConsumptionCase) throws -> Bool {
    try unit.writing(`case`) { $0.consumption.add($1) }
  }

  func find(key: String) throws -> ConsumptionCase? {
    try StoredText.check("key", key, .notificationKey)
    return try unit.reading { $0.consumption[RowKey(key)] }
  }

  func settle(
    key: String, state: ConsumptionCase.State, answer: String?, now: Date
  ) throws {
    try StoredText.check("key", key, .notificationKey)
    try state.checkIsSettled()
    try StoredText.check("answer", answer, .answer)
    try unit.writing { tables in
      guard var row = tables.consumption[RowKey(key)], row.state == .waiting else { return }
      row.state = state
      row.answer = answer
      row.stateDate = now.inMilliseconds
      tables.consumption.save(row)
    }
  }

  func note(
    outcome: String, ofTransaction transactionID: String, environment: AppStoreEnvironment,
    date: Date
  ) throws -> Bool {
    try StoredText.check("outcome", outcome, .word)
    let date = date.inMilliseconds
    return try unit.writing { tables in
      let cases = tables.cases(of: transactionID, environment)
      guard var row = cases.last(where: { $0.outcome == nil && $0.requestedDate <= date }) else {
        return false
      }
      row.outcome = outcome
      row.outcomeDate = date
      tables.consumption.save(row)
      return true
    }
  }

  func cases(
    ofTransaction transactionID: String, environment: AppStoreEnvironment
  ) throws -> [ConsumptionCase] {
    try unit.reading { $0.cases(of: transactionID, environment) }
  }
}

extension MemoryTables {
  /// Returns the cases of a transaction, oldest first; those of one moment stay in the order of their keys.
  fileprivate func cases(
    of transactionID: String, _ environment: AppStoreEnvironment
  ) -> [ConsumptionCase] {
    consumption.page(by: IndexKey(.purchase, RowKey(environment, transactionID)))
      .sorted { $0.requestedDate < $1.requestedDate }
  }
}

extension ConsumptionCase: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(key) }

  var stored: ConsumptionCase {
    var row = self
    row.requestedDate = requestedDate.inMilliseconds
    row.deadline = deadline.inMilliseconds
    row.stateDate = stateDate?.inMilliseconds
    row.outcomeDate = outcomeDate?.inMilliseconds
    return row
  }
}
