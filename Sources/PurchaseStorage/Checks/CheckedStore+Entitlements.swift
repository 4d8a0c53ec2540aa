internal import EntitlementPolicy
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension CheckedStore: EntitlementRecords where Records == any EntitlementRecords {
  var associations: any AssociationRepository { self }
  var acquisitions: any AcquisitionRepository { self }
  var validations: any ValidationRepository { self }

  func holdings(of userID: AccountID, in bundleIDs: [String], purchases: any PurchaseRepository)
    async throws -> HoldingRows
  {
    guard fits(.userID, userID.rawValue) else { return HoldingRows() }
    var rows = try await base.holdings(
      of: userID, in: fitting(.app, bundleIDs), purchases: purchases)
    // Those of the first app, not of the first one that fits.
    if let first = bundleIDs.first, !fits(.app, first) { rows.acquired = [] }
    return rows
  }
}

extension CheckedStore: AssociationRepository where Records == any EntitlementRecords {
  func find(_ ids: [String], environment: AppStoreEnvironment) async throws -> [PurchaseAssociation]
  {
    try await base.associations.find(fitting(.originalTransactionID, ids), environment: environment)
  }

  func add(_ associations: [PurchaseAssociation]) async throws -> [PurchaseAssociation] {
    try associations.checkTexts()
    return try await base.associations.add(associations)
  }

  func replace(_ association: PurchaseAssociation) async throws {
    try association.checkTexts()
    try await base.associations.replace(association)
  }

  func remove(originalTransactionID id: String, of userID: AccountID, bundleID: String) async throws
    -> [PurchaseAssociation]
  {
    guard fits(.originalTransactionID, id), fits(userID, in: bundleID) else { return [] }
    return try await base.associations.remove(
      originalTransactionID: id, of: userID, bundleID: bundleID)
  }

  func associations(of userID: AccountID, in bundleIDs: [String]) async throws
    -> [PurchaseAssociation]
  {
    guard fits(.userID, userID.rawValue) else { return [] }
    return try await base.associations.associations(of: userID, in: fitting(.app, bundleIDs))
  }

  func record(_ conflict: AssociationConflict) async throws {
    try conflict.checkTexts()
    try await base.associations.record(conflict)
  }

  func conflicts(about id: String) async throws -> [AssociationConflict] {
    guard fits(.originalTransactionID, id) else { return [] }
    return try await base.associations.conflicts(about: id)
  }

  func conflicts(of claimant: AccountID, limit: Int) async throws -> [AssociationConflict] {
    guard limit > 0, fits(.userID, claimant.rawValue) else { return [] }
    return try await base.associations.conflicts(of: claimant, limit: limit)
  }
}

extension CheckedStore: AcquisitionRepository where Records == any EntitlementRecords {
  func add(_ products: [AcquiredProduct], to userID: AccountID, in bundleID: String) async throws
    -> [String]
  {
    try check(.userID, userID.rawValue)
    try check(.app, bundleID)
    try products.checkTexts()
    return try await base.acquisitions.add(products, to: userID, in: bundleID)
  }

  func products(of userID: AccountID, in bundleID: String) async throws -> [AcquiredProduct] {
    guard fits(userID, in: bundleID) else { return [] }
    return try await base.acquisitions.products(of: userID, in: bundleID)
  }
}

extension CheckedStore: ValidationRepository where Records == any EntitlementRecords {
  func find(_ userID: AccountID, bundleID: String) async throws -> AppValidation? {
    guard fits(userID, in: bundleID) else { return nil }
    return try await base.validations.find(userID, bundleID: bundleID)
  }

  func lock(_ userID: AccountID, bundleID: String) async throws -> AppValidation {
    try check(.userID, userID.rawValue)
    try check(.app, bundleID)
    return try await base.validations.lock(userID, bundleID: bundleID)
  }

  func save(_ state: AppValidation, of userID: AccountID) async throws {
    try check(.userID, userID.rawValue)
    try state.checkTexts()
    try await base.validations.save(state, of: userID)
  }

  func lease(now: Date, until: Date, token: String, limit: Int) async throws -> [StoredValidation] {
    try check(.token, token)
    return try await base.validations.lease(now: now, until: until, token: token, limit: limit)
  }

  func giveBack(_ userID: AccountID, bundleID: String, token: String) async throws {
    guard fits(userID, in: bundleID), fits(.token, token) else { return }
    try await base.validations.giveBack(userID, bundleID: bundleID, token: token)
  }

  func postpone(_ userID: AccountID, bundleID: String, to date: Date, token: String) async throws {
    guard fits(userID, in: bundleID), fits(.token, token) else { return }
    try await base.validations.postpone(userID, bundleID: bundleID, to: date, token: token)
  }

  func unanswered(_ ids: [String], environment: AppStoreEnvironment) async throws
    -> [UnansweredPurchase]
  { try await base.validations.unanswered(fitting(.unansweredID, ids), environment: environment) }

  func note(_ unanswered: [UnansweredPurchase]) async throws {
    try unanswered.checkTexts()
    try await base.validations.note(unanswered)
  }

  func endFailures(of ids: [String], environment: AppStoreEnvironment) async throws {
    try await base.validations.endFailures(
      of: fitting(.unansweredID, ids), environment: environment)
  }
}

private func fits(_ userID: AccountID, in bundleID: String) -> Bool {
  fits(.userID, userID.rawValue) && fits(.app, bundleID)
}
