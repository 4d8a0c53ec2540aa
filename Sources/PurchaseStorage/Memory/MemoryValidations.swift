internal import EntitlementPolicy
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
