internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Associations of purchases with users, in memory.
struct MemoryAssociations: AssociationRepository {
  let unit: MemoryUnit

  func find(
    _ originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) throws -> [PurchaseAssociation] {
    try unit.reading { tables in
      Set(originalTransactionIDs).compactMap {
        tables.entitlements.associations[MemoryTables.Key(environment: environment, id: $0)]
      }
      .sorted { $0.isBefore($1) }
    }
  }

  func add(_ associations: [PurchaseAssociation]) throws -> [PurchaseAssociation] {
    for association in associations { try association.checkTexts() }
    return try unit.writing { tables in
      for association in associations where tables.entitlements.associations[association.key] == nil
      {
        tables.entitlements.associations[association.key] = association.stored
      }
      return Set(associations.map(\.key)).compactMap { tables.entitlements.associations[$0] }
        .sorted { $0.isBefore($1) }
    }
  }

  func replace(_ association: PurchaseAssociation) throws {
    try association.checkTexts()
    try unit.writing { $0.entitlements.associations[association.key] = association.stored }
  }

  func remove(
    originalTransactionID: String, of userID: AccountID, bundleID: String
  ) throws -> [PurchaseAssociation] {
    try unit.writing { tables in
      let removed = tables.entitlements.associations.values
        .filter { row in
          row.originalTransactionID.isSame(as: originalTransactionID) && row.userID == userID
            && row.bundleID.isSame(as: bundleID)
        }
        .sorted { $0.isBefore($1) }
      for row in removed { tables.entitlements.associations[row.key] = nil }
      return removed
    }
  }

  func associations(
    of userID: AccountID, in bundleIDs: [String]
  ) throws -> [PurchaseAssociation] {
    let bundles = Set(bundleIDs.map(UniqueText.init))
    return try unit.reading { tables in
      tables.entitlements.associations.values.filter {
        $0.userID == userID && bundles.contains(UniqueText($0.bundleID))
      }
    }
  }

  func record(_ conflict: AssociationConflict) throws {
    try conflict.checkTexts()
    var row = conflict
    row.seenDate = StoredMoment.inMilliseconds(conflict.seenDate)
    try unit.writing { $0.entitlements.conflicts.append(row) }
  }

  func conflicts(about originalTransactionID: String) throws -> [AssociationConflict] {
    try unit.reading { tables in
      tables.entitlements.conflicts.filter {
        $0.originalTransactionID.isSame(as: originalTransactionID)
      }
    }
  }
}

extension PurchaseAssociation {
  fileprivate var key: MemoryTables.Key {
    MemoryTables.Key(environment: environment, id: originalTransactionID)
  }

  /// The value as a later query reads it.
  fileprivate var stored: PurchaseAssociation {
    var row = self
    row.associatedDate = StoredMoment.inMilliseconds(associatedDate)
    return row
  }
}
