internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The states of validations, in memory.
struct MemoryValidations: ValidationRepository {
  let unit: MemoryUnit

  func find(_ userID: AccountID, bundleID: String) throws -> AppValidation? {
    try unit.reading { $0.validations[RowKey(userID, in: bundleID)]?.state }
  }

  func lock(_ userID: AccountID, bundleID: String) throws -> AppValidation {
    if let state = try find(userID, bundleID: bundleID) { return state }
    let state = AppValidation(bundleID: bundleID)
    try save(state, of: userID)
    return state
  }

  func save(_ state: AppValidation, of userID: AccountID) throws {
    try state.checkTexts(of: userID)
    try unit.writing { tables in
      tables.validations[RowKey(userID, in: state.bundleID)] = MemoryTables.Validation(
        userID: userID, state: state.stored)
    }
  }

  func lease(now: Date, until: Date, token: String, limit: Int) throws -> [StoredValidation] {
    try StoredText.check("token", token, .token)
    let now = now.inMilliseconds
    let lease = MemoryLease(token: token, until: until.inMilliseconds)
    return try unit.writing { tables in
      // Sorting is stable: those that are due at one moment stay in the order of user and app.
      let due = tables.validations.page { $0.isDue(at: now) }.sorted { $0.dueDate < $1.dueDate }
      return due.prefix(max(0, limit)).map { row in
        tables.validations[RowKey(row.userID, in: row.state.bundleID)]?.lease = lease
        return StoredValidation(userID: row.userID, state: row.state)
      }
    }
  }

  func giveBack(_ userID: AccountID, bundleID: String, token: String) throws {
    try unit.writing { _ = $0.validations.end(token, of: RowKey(userID, in: bundleID)) }
  }

  func postpone(
    _ userID: AccountID, bundleID: String, to date: Date, token: String
  ) throws {
    try unit.writing { tables in
      _ = tables.validations.end(token, of: RowKey(userID, in: bundleID)) {
        $0.state.nextValidationDate = date.inMilliseconds
      }
    }
  }

  func unanswered(
    _ originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) throws -> [UnansweredPurchase] {
    try unit.reading { tables in
      tables.unanswered.rows(at: originalTransactionIDs.map { RowKey(environment, $0) })
    }
  }

  func note(_ unanswered: [UnansweredPurchase]) throws {
    try unit.writing(unanswered) { tables, rows in
      for row in rows { tables.unanswered.add(row) }
    }
  }

  func endFailures(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) throws {
    try unit.writing { tables in
      for id in originalTransactionIDs { tables.unanswered[RowKey(environment, id)] = nil }
    }
  }
}

extension MemoryTables.Validation {
  fileprivate var dueDate: Date { state.nextValidationDate ?? .distantFuture }

  fileprivate func isDue(at now: Date) -> Bool {
    state.nextValidationDate.map { $0 <= now } ?? false && isFree(at: now)
  }
}

extension AppValidation {
  /// The value as a later query reads it.
  fileprivate var stored: AppValidation {
    var row = self
    row.validatedDate = validatedDate?.inMilliseconds
    row.firstFailureDate = firstFailureDate?.inMilliseconds
    row.lastFailureDate = lastFailureDate?.inMilliseconds
    row.nextValidationDate = nextValidationDate?.inMilliseconds
    return row
  }
}

extension UnansweredPurchase: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(environment, originalTransactionID) }

  var stored: UnansweredPurchase {
    var row = self
    row.firstFailureDate = firstFailureDate.inMilliseconds
    return row
  }
}
