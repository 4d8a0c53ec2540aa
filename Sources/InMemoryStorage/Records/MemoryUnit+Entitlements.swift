internal import JSONValues
internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MemoryUnit: AssociationRepository {
  func find(
    _ originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) throws -> [PurchaseAssociation] {
    try tables.associations.rows(at: originalTransactionIDs.map { RowKey(environment, $0) })
  }

  func add(_ associations: [PurchaseAssociation]) throws -> [PurchaseAssociation] {
    try writing { tables in
      for row in associations { tables.associations.add(row) }
      return tables.associations.rows(at: associations.map(\.rowKey))
    }
  }

  func replace(_ association: PurchaseAssociation) throws {
    try writing { $0.associations.save(association) }
  }

  func remove(
    originalTransactionID: String, of userID: AccountID, bundleID: String
  ) throws -> [PurchaseAssociation] {
    try writing { tables in
      let removed = tables.associations.page(by: IndexKey(.account, RowKey(userID))) { row in
        row.rowKey == RowKey(row.environment, originalTransactionID)
          && row.bundleID.isSameText(as: bundleID)
      }
      for row in removed { tables.associations[row.rowKey] = nil }
      return removed
    }
  }

  func associations(of userID: AccountID, in bundleIDs: [String]) throws -> [PurchaseAssociation] {
    let bundles = Set(bundleIDs.map(UniqueText.init))
    return try tables.associations.page(by: IndexKey(.account, RowKey(userID))) {
      bundles.contains(UniqueText($0.bundleID))
    }
  }

  func record(_ conflict: AssociationConflict) throws {
    try writing { _ = try $0.conflicts.append { _ in conflict.stored } }
  }

  func conflicts(about originalTransactionID: String) throws -> [AssociationConflict] {
    try tables.conflicts.page(by: IndexKey(.purchase, RowKey(originalTransactionID)))
  }

  func conflicts(of claimant: AccountID, limit: Int) throws -> [AssociationConflict] {
    try tables.conflicts.page(by: IndexKey(.account, RowKey(claimant))).suffix(limit).reversed()
  }
}

extension MemoryUnit: AcquisitionRepository {
  func add(
    _ products: [AcquiredProduct], to userID: AccountID, in bundleID: String
  ) throws -> [String] {
    try writing { tables in
      var rows = tables.acquired[RowKey(userID, in: bundleID)] ?? Table()
      let added = products.filter { rows.add($0) }
      tables.acquired[RowKey(userID, in: bundleID)] = rows
      return added.map { UniqueText($0.productID) }.sorted().map(\.text)
    }
  }

  func products(of userID: AccountID, in bundleID: String) throws -> [AcquiredProduct] {
    try tables.acquired[RowKey(userID, in: bundleID)]?.page() ?? []
  }
}

extension MemoryUnit: ValidationRepository {
  func find(_ userID: AccountID, bundleID: String) throws -> AppValidation? {
    try tables.validations[RowKey(userID, in: bundleID)]?.value.state
  }

  func lock(_ userID: AccountID, bundleID: String) throws -> AppValidation {
    if let state = try find(userID, bundleID: bundleID) { return state }
    let state = AppValidation(bundleID: bundleID)
    try save(state, of: userID)
    return state
  }

  func save(_ state: AppValidation, of userID: AccountID) throws {
    let row = StoredValidation(userID: userID, state: state).stored
    try writing { $0.validations[row.rowKey] = Leased(row) }
  }

  func lease(now: Date, until: Date, token: String, limit: Int) throws -> [StoredValidation] {
    let now = now.inMilliseconds
    return try writing { tables in
      // Sorting is stable: those that are due at one moment stay in the order of user and app.
      let due = tables.validations.page { row in
        row.isFree(at: now) && row.value.state.nextValidationDate.map { $0 <= now } ?? false
      }
      .map(\.value).sorted { $0.nextDate < $1.nextDate }.prefix(max(0, limit))
      for row in due {
        tables.validations[row.rowKey]?.lease(to: token, until: until.inMilliseconds)
      }
      return Array(due)
    }
  }

  func giveBack(_ userID: AccountID, bundleID: String, token: String) throws {
    try writing { _ = $0.validations.end(token, of: RowKey(userID, in: bundleID)) }
  }

  func postpone(_ userID: AccountID, bundleID: String, to date: Date, token: String) throws {
    try writing { tables in
      _ = tables.validations.end(token, of: RowKey(userID, in: bundleID)) {
        $0.value.state.nextValidationDate = date.inMilliseconds
      }
    }
  }

  func unanswered(
    _ originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) throws -> [UnansweredPurchase] {
    try tables.unanswered.rows(at: originalTransactionIDs.map { RowKey(environment, $0) })
  }

  func note(_ unanswered: [UnansweredPurchase]) throws {
    try writing { tables in
      for purchase in unanswered { tables.unanswered.add(purchase) }
    }
  }

  func endFailures(of originalTransactionIDs: [String], environment: AppStoreEnvironment) throws {
    try writing { tables in
      for id in originalTransactionIDs { tables.unanswered[RowKey(environment, id)] = nil }
    }
  }
}

extension PurchaseAssociation: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(environment, originalTransactionID) }
  var stored: PurchaseAssociation { inMilliseconds(\.associatedDate) }
}

extension AssociationConflict: StoredRow {
  var stored: AssociationConflict { inMilliseconds(\.seenDate) }
}

extension AcquiredProduct: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(productID) }
  var stored: AcquiredProduct { inMilliseconds(\.acquiredDate) }
}

extension StoredValidation: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(userID, in: state.bundleID) }
  var stored: StoredValidation {
    inMilliseconds(
      \.state.validatedDate, \.state.firstFailureDate, \.state.lastFailureDate,
      \.state.nextValidationDate)
  }
  fileprivate var nextDate: Date { state.nextValidationDate ?? .distantFuture }
}

extension UnansweredPurchase: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(environment, originalTransactionID) }
  var stored: UnansweredPurchase { inMilliseconds(\.firstFailureDate) }
}
