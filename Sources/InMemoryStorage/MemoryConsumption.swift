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
    try `case`.checkTexts()
    let key = Array(`case`.key.utf8)
    return try unit.writing { tables in
      guard tables.consumption[key] == nil else { return false }
      tables.consumption[key] = `case`.stored
      return true
    }
  }

  func find(key: String) throws -> ConsumptionCase? {
    try StoredText.check("key", key, .notificationKey)
    return try unit.reading { $0.consumption[Array(key.utf8)] }
  }

  func settle(
    key: String, state: ConsumptionCase.State, answer: String?, now: Date
  ) throws {
    try StoredText.check("key", key, .notificationKey)
    try state.checkIsSettled()
    try StoredText.check("answer", answer, .answer)
    try unit.writing { tables in
      guard var row = tables.consumption[Array(key.utf8)], row.state == .waiting else { return }
      row.state = state
      row.answer = answer
      row.stateDate = StoredMoment.inMilliseconds(now)
      tables.consumption[Array(key.utf8)] = row
    }
  }

  func note(
    outcome: String, ofTransaction transactionID: String, environment: AppStoreEnvironment,
    date: Date
  ) throws -> Bool {
    try StoredText.check("outcome", outcome, .word)
    let date = StoredMoment.inMilliseconds(date)
    return try unit.writing { tables in
      let cases = tables.cases(of: transactionID, environment)
      guard var row = cases.last(where: { $0.outcome == nil && $0.requestedDate <= date }) else {
        return false
      }
      row.outcome = outcome
      row.outcomeDate = date
      tables.consumption[Array(row.key.utf8)] = row
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
  /// The cases of a transaction, oldest first.
  fileprivate func cases(
    of transactionID: String, _ environment: AppStoreEnvironment
  ) -> [ConsumptionCase] {
    consumption.values
      .filter { $0.transactionID == transactionID && $0.environment == environment }
      .sorted { one, other in
        one.requestedDate == other.requestedDate
          ? one.key.isBefore(other.key) : one.requestedDate < other.requestedDate
      }
  }
}

extension ConsumptionCase {
  /// The value as a later query reads it.
  fileprivate var stored: ConsumptionCase {
    var row = self
    row.requestedDate = StoredMoment.inMilliseconds(requestedDate)
    row.deadline = StoredMoment.inMilliseconds(deadline)
    row.stateDate = stateDate.map(StoredMoment.inMilliseconds)
    row.outcomeDate = outcomeDate.map(StoredMoment.inMilliseconds)
    return row
  }
}
