import EntitlementPolicy
import Foundation
import PurchaseStorage
import ReceiptModels

/// A thing that records of entitlements can do wrong.
enum EntitlementFault: Sendable {
  case lastOwnerWins, everyClaimSucceeds, ownersAreUnsorted, appsLookAlike, anyoneRemoves
  case replacementsAreForgotten, appsAreIgnored, claimsAreReversed, newestClaimsAreReversed
  case acquisitionsAreRepeated, productsAreUnsorted
  case failuresAreForgotten, leasesAreForgotten, leasesAreUnsorted, leasesOutlastStates
  case anyoneGivesBack, nobodyGivesBack, everybodyIsDue
  case firstStateIsOverwritten, anyonePostpones, postponingWritesBack
  case lastFailureStays, failuresNeverEnd, failuresAreOfAllEnvironments
  case firstAppOnly, evidenceIsForgotten, environmentsAreMixed
}

/// Records of entitlements, and their repositories, with one fault.
struct BrokenEntitlements: EntitlementRecords {
  let base: any EntitlementRecords
  let fault: EntitlementFault

  var associations: any AssociationRepository { self }
  var acquisitions: any AcquisitionRepository { self }
  var validations: any ValidationRepository { self }

  func holdings(
    of userID: AccountID, in bundleIDs: [String], purchases: any PurchaseRepository
  ) async throws -> HoldingRows {
    var rows = try await base.holdings(of: userID, in: bundleIDs, purchases: purchases)
    switch fault {
    case .firstAppOnly:
      return try await base.holdings(
        of: userID, in: Array(bundleIDs.prefix(1)), purchases: purchases)
    case .evidenceIsForgotten: rows.renewals = []
    case .failuresNeverEnd: rows.unanswered = []
    case .environmentsAreMixed:
      for environment in [AppStoreEnvironment.production, .sandbox] {
        rows.transactions += try await purchases.transactions(
          of: rows.associations.map(\.originalTransactionID), environment: environment)
      }
      rows.transactions = Array(Set(rows.transactions))
    default: break
    }
    return rows
  }
}

extension BrokenEntitlements: AssociationRepository {
  func find(
    _ originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [PurchaseAssociation] {
    let rows = try await base.associations.find(originalTransactionIDs, environment: environment)
    return fault == .ownersAreUnsorted ? rows.reversed() : rows
  }

  func add(_ associations: [PurchaseAssociation]) async throws -> [PurchaseAssociation] {
    if fault == .lastOwnerWins {
      for association in associations { try await replace(association) }
    }
    let stored = try await base.associations.add(associations)
    return fault == .everyClaimSucceeds ? associations : stored
  }

  func replace(_ association: PurchaseAssociation) async throws {
    guard fault != .replacementsAreForgotten else { return }
    try await base.associations.replace(association)
  }

  func remove(
    originalTransactionID: String, of userID: AccountID, bundleID: String
  ) async throws -> [PurchaseAssociation] {
    var userID = userID
    if fault == .anyoneRemoves,
      let row = try await find([originalTransactionID], environment: .production).first
    {
      userID = row.userID
    }
    return try await base.associations.remove(
      originalTransactionID: originalTransactionID, of: userID, bundleID: bundleID)
  }

  func associations(
    of userID: AccountID, in bundleIDs: [String]
  ) async throws -> [PurchaseAssociation] {
    var bundleIDs = bundleIDs
    // Texts of Swift are equal if they look the same.
    if fault == .appsLookAlike, bundleIDs.contains("é") { bundleIDs += ["é", "e\u{301}"] }
    if fault == .appsAreIgnored { bundleIDs += ["com.example.draw", "com.example.drawing"] }
    return try await base.associations.associations(of: userID, in: bundleIDs)
  }

  func record(_ conflict: AssociationConflict) async throws {
    try await base.associations.record(conflict)
  }

  func conflicts(about originalTransactionID: String) async throws -> [AssociationConflict] {
    let rows = try await base.associations.conflicts(about: originalTransactionID)
    return fault == .claimsAreReversed ? rows.reversed() : rows
  }

  func conflicts(of claimant: AccountID, limit: Int) async throws -> [AssociationConflict] {
    let rows = try await base.associations.conflicts(of: claimant, limit: limit)
    return fault == .newestClaimsAreReversed ? rows.reversed() : rows
  }
}

extension BrokenEntitlements: AcquisitionRepository {
  func add(
    _ products: [AcquiredProduct], to userID: AccountID, in bundleID: String
  ) async throws -> [String] {
    let added = try await base.acquisitions.add(products, to: userID, in: bundleID)
    return fault == .acquisitionsAreRepeated ? products.map(\.productID) : added
  }

  func products(of userID: AccountID, in bundleID: String) async throws -> [AcquiredProduct] {
    let rows = try await base.acquisitions.products(of: userID, in: bundleID)
    return fault == .productsAreUnsorted ? rows.reversed() : rows
  }
}

extension BrokenEntitlements: ValidationRepository {
  func find(_ userID: AccountID, bundleID: String) async throws -> AppValidation? {
    try await base.validations.find(userID, bundleID: bundleID)
  }

  func lock(_ userID: AccountID, bundleID: String) async throws -> AppValidation {
    if fault == .firstStateIsOverwritten {
      let state = AppValidation(bundleID: bundleID)
      try await base.validations.save(state, of: userID)
      return state
    }
    return try await base.validations.lock(userID, bundleID: bundleID)
  }

  func save(_ state: AppValidation, of userID: AccountID) async throws {
    var state = state
    if fault == .failuresAreForgotten { state.lastFailure = nil }
    if fault == .everybodyIsDue {
      state.nextValidationDate = state.nextValidationDate ?? .distantPast
    }
    try await base.validations.save(state, of: userID)
    // A lease of nobody in place of the one that ended.
    guard fault == .leasesOutlastStates, let next = state.nextValidationDate else { return }
    _ = try await base.validations.lease(
      now: next, until: next + 600, token: "nobody", limit: .max)
  }

  func lease(
    now: Date, until: Date, token: String, limit: Int
  ) async throws -> [StoredValidation] {
    let rows = try await base.validations.lease(
      now: now, until: until, token: token, limit: limit)
    if fault == .leasesAreForgotten {
      for row in rows {
        try await base.validations.giveBack(row.userID, bundleID: row.state.bundleID, token: token)
      }
    }
    return fault == .leasesAreUnsorted ? rows.reversed() : rows
  }

  func giveBack(_ userID: AccountID, bundleID: String, token: String) async throws {
    guard fault != .nobodyGivesBack else { return }
    if fault == .anyoneGivesBack, let state = try await find(userID, bundleID: bundleID) {
      try await base.validations.save(state, of: userID)
    }
    try await base.validations.giveBack(userID, bundleID: bundleID, token: token)
  }

  func postpone(
    _ userID: AccountID, bundleID: String, to date: Date, token: String
  ) async throws {
    switch fault {
    case .anyonePostpones:
      guard var state = try await find(userID, bundleID: bundleID) else { return }
      state.nextValidationDate = date
      try await base.validations.save(state, of: userID)
    case .postponingWritesBack:
      let state = AppValidation(bundleID: bundleID, nextValidationDate: date)
      try await base.validations.save(state, of: userID)
    default:
      try await base.validations.postpone(userID, bundleID: bundleID, to: date, token: token)
    }
  }

  func unanswered(
    _ originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [UnansweredPurchase] {
    try await base.validations.unanswered(originalTransactionIDs, environment: environment)
  }

  func note(_ unanswered: [UnansweredPurchase]) async throws {
    if fault == .lastFailureStays {
      for purchase in unanswered {
        try await endFailures(
          of: [purchase.originalTransactionID], environment: purchase.environment)
      }
    }
    try await base.validations.note(unanswered)
  }

  func endFailures(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws {
    guard fault != .failuresNeverEnd else { return }
    let all = [AppStoreEnvironment.production, .sandbox]
    for other in fault == .failuresAreOfAllEnvironments ? all : [environment] {
      try await base.validations.endFailures(of: originalTransactionIDs, environment: other)
    }
  }
}
