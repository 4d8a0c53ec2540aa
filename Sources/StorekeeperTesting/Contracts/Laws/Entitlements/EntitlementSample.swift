internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The values of entitlements that the laws write.
enum EntitlementSample {
  static let now = ContractSample.now
  /// The app of most laws.
  static let draw = "com.example.draw"
  /// An app whose identifier begins with that of the other.
  static let paint = "com.example.drawing"

  static func association(
    _ id: String, of userID: AccountID = "ann", in bundleID: String = draw,
    environment: AppStoreEnvironment = .production, at date: Date = ContractSample.later(-1.5),
    by evidence: PurchaseAssociation.Evidence = .receipt
  ) -> PurchaseAssociation {
    PurchaseAssociation(
      environment: environment, originalTransactionID: id, userID: userID, bundleID: bundleID,
      associatedDate: date, evidence: evidence)
  }

  static func conflict(
    _ id: String, owner: AccountID = "ann", claimant: AccountID = "ben", at date: Date = now
  ) -> AssociationConflict {
    AssociationConflict(
      originalTransactionID: id, owner: owner, claimant: claimant, seenDate: date)
  }

  static func product(
    _ id: String, at date: Date = ContractSample.later(0.25), via subscription: String = "full"
  ) -> AcquiredProduct {
    AcquiredProduct(productID: id, acquiredDate: date, viaProductID: subscription)
  }

  /// A state whose next validation is due so many seconds after ``now``; nil for never.
  static func state(_ next: Double? = 0, in bundleID: String = draw) -> AppValidation {
    AppValidation(
      bundleID: bundleID, validatedDate: ContractSample.days(-1),
      nextValidationDate: next.map(ContractSample.later))
  }

  static func transaction(
    _ id: String, of original: String, environment: AppStoreEnvironment = .production
  ) -> PurchaseRecord {
    changed(ContractSample.transaction(id, of: original, signed: now)) {
      $0.environment = environment
    }
  }
}

// Short forms that the laws share: each is a unit of work of its own.
extension PurchaseStore {
  @discardableResult
  func add(_ associations: PurchaseAssociation...) async throws -> [PurchaseAssociation] {
    try await write { try await $0.associations.add(associations) }
  }

  func replace(_ association: PurchaseAssociation) async throws {
    try await write { try await $0.associations.replace(association) }
  }

  func remove(
    _ id: String, of userID: AccountID = "ann", in bundleID: String = EntitlementSample.draw
  ) async throws -> [PurchaseAssociation] {
    try await write {
      try await $0.associations.remove(originalTransactionID: id, of: userID, bundleID: bundleID)
    }
  }

  func association(
    _ id: String, environment: AppStoreEnvironment = .production
  ) async throws -> PurchaseAssociation? {
    try await associations([id], environment: environment).first
  }

  func associations(
    _ ids: [String], environment: AppStoreEnvironment = .production
  ) async throws -> [PurchaseAssociation] {
    try await read { try await $0.associations.find(ids, environment: environment) }
  }

  /// The associations of a user, in the order in which others are added.
  func associations(
    of userID: AccountID, in bundleIDs: [String] = [EntitlementSample.draw]
  ) async throws -> [PurchaseAssociation] {
    try await read { try await $0.associations.associations(of: userID, in: bundleIDs) }
      .sorted { $0.isBefore($1) }
  }

  func record(_ conflicts: AssociationConflict...) async throws {
    for conflict in conflicts { try await write { try await $0.associations.record(conflict) } }
  }

  func conflicts(_ id: String) async throws -> [AssociationConflict] {
    try await read { try await $0.associations.conflicts(about: id) }
  }

  func conflicts(of claimant: AccountID, limit: Int) async throws -> [AssociationConflict] {
    try await read { try await $0.associations.conflicts(of: claimant, limit: limit) }
  }

  @discardableResult
  func acquire(
    _ products: [AcquiredProduct], for userID: AccountID = "ann",
    in bundleID: String = EntitlementSample.draw
  ) async throws -> [String] {
    try await write { try await $0.acquisitions.add(products, to: userID, in: bundleID) }
  }

  func acquired(
    by userID: AccountID = "ann", in bundleID: String = EntitlementSample.draw
  ) async throws -> [AcquiredProduct] {
    try await read { try await $0.acquisitions.products(of: userID, in: bundleID) }
  }

  func save(_ state: AppValidation, of userID: AccountID = "ann") async throws {
    try await write { try await $0.validations.save(state, of: userID) }
  }

  func state(
    of userID: AccountID = "ann", in bundleID: String = EntitlementSample.draw
  ) async throws -> AppValidation? {
    try await read { try await $0.validations.find(userID, bundleID: bundleID) }
  }

  /// Leases for 600 seconds.
  func lease(
    _ token: String = "worker", at now: Date = EntitlementSample.now, limit: Int = 50
  ) async throws -> [StoredValidation] {
    try await write {
      try await $0.validations.lease(now: now, until: now + 600, token: token, limit: limit)
    }
  }

  func leasedUsers(
    _ token: String = "worker", at now: Date = EntitlementSample.now, limit: Int = 50
  ) async throws -> [AccountID] {
    try await lease(token, at: now, limit: limit).map(\.userID)
  }

  func giveBack(_ userID: AccountID, _ bundleID: String, _ token: String) async throws {
    try await write { try await $0.validations.giveBack(userID, bundleID: bundleID, token: token) }
  }

  func holdings(
    of userID: AccountID = "ann", in bundleIDs: [String] = [EntitlementSample.draw]
  ) async throws -> HoldingRows {
    try await read { try await $0.holdings(of: userID, in: bundleIDs) }
  }

  /// Records transactions, each under its own environment.
  func recordTransactions(_ transactions: PurchaseRecord...) async throws {
    try await write { records in
      for transaction in transactions {
        try await records.purchases.record(
          transactions: [transaction], environment: transaction.environment ?? .production,
          now: EntitlementSample.now)
      }
    }
  }
}
