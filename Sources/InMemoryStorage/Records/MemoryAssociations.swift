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
      tables.associations.rows(at: originalTransactionIDs.map { RowKey(environment, $0) })
    }
  }

  func add(_ associations: [PurchaseAssociation]) throws -> [PurchaseAssociation] {
    try unit.writing(associations) { tables, rows in
      for row in rows { tables.associations.add(row) }
      return tables.associations.rows(at: rows.map(\.rowKey))
    }
  }

  func replace(_ association: PurchaseAssociation) throws {
    try unit.writing(association) { $0.associations.save($1) }
  }

  func remove(
    originalTransactionID: String, of userID: AccountID, bundleID: String
  ) throws -> [PurchaseAssociation] {
    try unit.writing { tables in
      let removed = tables.associations.page(by: IndexKey(.account, RowKey(userID))) { row in
        row.originalTransactionID.isSame(as: originalTransactionID)
          && row.bundleID.isSame(as: bundleID)
      }
      for row in removed { tables.associations[row.rowKey] = nil }
      return removed
    }
  }

  func associations(
    of userID: AccountID, in bundleIDs: [String]
  ) throws -> [PurchaseAssociation] {
    let bundles = Set(bundleIDs.map(UniqueText.init))
    return try unit.reading { tables in
      tables.associations.page(by: IndexKey(.account, RowKey(userID))) {
        bundles.contains(UniqueText($0.bundleID))
      }
    }
  }

  func record(_ conflict: AssociationConflict) throws {
    try unit.writing(conflict) { tables, row in _ = try tables.conflicts.append { _ in row } }
  }

  func conflicts(about originalTransactionID: String) throws -> [AssociationConflict] {
    let key = IndexKey(.purchase, RowKey(originalTransactionID))
    return try unit.reading { $0.conflicts.page(by: key) }
  }
}

/// Products that users acquired, in memory.
struct MemoryAcquisitions: AcquisitionRepository {
  let unit: MemoryUnit

  func add(
    _ products: [AcquiredProduct], to userID: AccountID, in bundleID: String
  ) throws -> [String] {
    try AcquiredProduct.check(products, of: userID, in: bundleID)
    let key = RowKey(userID, in: bundleID)
    return try unit.writing { tables in
      var rows = tables.acquired[key] ?? Table()
      var added: [UniqueText] = []
      for var product in products {
        product.acquiredDate = product.acquiredDate.inMilliseconds
        if rows.add(product) { added.append(UniqueText(product.productID)) }
      }
      if !added.isEmpty { tables.acquired[key] = rows }
      return added.sorted().map(\.text)
    }
  }

  func products(of userID: AccountID, in bundleID: String) throws -> [AcquiredProduct] {
    try unit.reading { $0.acquired[RowKey(userID, in: bundleID)]?.page() ?? [] }
  }
}

extension PurchaseAssociation: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(environment, originalTransactionID) }

  var stored: PurchaseAssociation {
    var row = self
    row.associatedDate = associatedDate.inMilliseconds
    return row
  }
}

extension AssociationConflict: StoredRow {
  var stored: AssociationConflict {
    var row = self
    row.seenDate = seenDate.inMilliseconds
    return row
  }
}

extension AcquiredProduct: KeyedRow {
  var rowKey: RowKey { RowKey(productID) }
}
