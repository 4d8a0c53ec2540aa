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
    try unit.reading {
      $0.entitlements.validations[MemoryEntitlements.Key(userID, bundleID)]?.state
    }
  }

  func lock(_ userID: AccountID, bundleID: String) throws -> AppValidation {
    if let state = try find(userID, bundleID: bundleID) { return state }
    let state = AppValidation(bundleID: bundleID)
    try save(state, of: userID)
    return state
  }

  func save(_ state: AppValidation, of userID: AccountID) throws {
    try state.checkTexts(of: userID)
    let key = MemoryEntitlements.Key(userID, state.bundleID)
    try unit.writing {
      $0.entitlements.validations[key] = MemoryEntitlements.Validation(state: state.stored)
    }
  }

  func lease(now: Date, until: Date, token: String, limit: Int) throws -> [StoredValidation] {
    try StoredText.check("token", token, .token)
    let now = StoredMoment.inMilliseconds(now)
    let lease = MemoryLease(token: token, until: StoredMoment.inMilliseconds(until))
    return try unit.writing { tables in
      tables.entitlements.due(at: now).prefix(max(0, limit)).compactMap { key in
        tables.entitlements.validations[key]?.lease = lease
        return tables.entitlements.validations[key].map {
          StoredValidation(userID: key.userID, state: $0.state)
        }
      }
    }
  }

  func giveBack(_ userID: AccountID, bundleID: String, token: String) throws {
    let key = MemoryEntitlements.Key(userID, bundleID)
    try unit.writing { tables in
      guard let held = tables.entitlements.validations[key]?.lease?.token,
        held.isSame(as: token)
      else { return }
      tables.entitlements.validations[key]?.lease = nil
    }
  }

  func postpone(
    _ userID: AccountID, bundleID: String, to date: Date, token: String
  ) throws {
    let key = MemoryEntitlements.Key(userID, bundleID)
    try unit.writing { tables in
      guard var row = tables.entitlements.validations[key], let held = row.lease?.token,
        held.isSame(as: token)
      else { return }
      row.lease = nil
      row.state.nextValidationDate = StoredMoment.inMilliseconds(date)
      tables.entitlements.validations[key] = row
    }
  }

  func unanswered(
    _ originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) throws -> [UnansweredPurchase] {
    try unit.reading { tables in
      Set(originalTransactionIDs).compactMap {
        tables.entitlements.unanswered[MemoryTables.Key(environment: environment, id: $0)]
      }
    }
  }

  func note(_ unanswered: [UnansweredPurchase]) throws {
    for purchase in unanswered { try purchase.checkTexts() }
    try unit.writing { tables in
      for purchase in unanswered where tables.entitlements.unanswered[purchase.key] == nil {
        var row = purchase
        row.firstFailureDate = StoredMoment.inMilliseconds(purchase.firstFailureDate)
        tables.entitlements.unanswered[purchase.key] = row
      }
    }
  }

  func endFailures(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) throws {
    try unit.writing { tables in
      for id in originalTransactionIDs {
        tables.entitlements.unanswered[MemoryTables.Key(environment: environment, id: id)] = nil
      }
    }
  }
}

extension UnansweredPurchase {
  fileprivate var key: MemoryTables.Key {
    MemoryTables.Key(environment: environment, id: originalTransactionID)
  }
}

extension MemoryEntitlements {
  /// The rows that are due and not leased, the longest due first.
  fileprivate func due(at now: Date) -> [Key] {
    let due = validations.compactMap { key, row -> (next: Date, key: Key)? in
      guard let next = row.state.nextValidationDate, next <= now,
        !(row.lease?.isLive(at: now) ?? false)
      else { return nil }
      return (next, key)
    }
    return due.sorted { one, other in
      one.next == other.next ? one.key.isBefore(other.key) : one.next < other.next
    }
    .map(\.key)
  }
}

extension AppValidation {
  /// The value as a later query reads it.
  fileprivate var stored: AppValidation {
    var row = self
    row.validatedDate = validatedDate.map(StoredMoment.inMilliseconds)
    row.firstFailureDate = firstFailureDate.map(StoredMoment.inMilliseconds)
    row.lastFailureDate = lastFailureDate.map(StoredMoment.inMilliseconds)
    row.nextValidationDate = nextValidationDate.map(StoredMoment.inMilliseconds)
    return row
  }
}
