internal import JSONValues
internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The owners of purchases by the records of entitlements, and what follows for them.
extension FactsRecorder {
  /// Gives purchases that Apple moved to other original transaction IDs, or that continue others at Google Play, to
  /// the users that own the earlier ones; those that somebody owns stay.
  ///
  /// - Returns: The associations of the purchases, those that were added among them.
  func inherit(_ prepared: Prepared, in unit: UnitOfWork) async throws -> [PurchaseAssociation] {
    var known = prepared.associations
    for facts in prepared.facts {
      let heirs = facts.heirs(of: known)
      guard !heirs.isEmpty else { continue }
      known += try await unit.associations.add(heirs)
    }
    return known
  }

  /// Ends the failures to learn the state of purchases that facts prove, and plans the next validation of their
  /// owners.
  ///
  /// Without an entitlement service nothing is planned, and the purchases of a device prove nothing: a device knows
  /// what was bought, not what became of it. Source: entitlement rules, section 9.
  func follow(
    _ facts: [PurchaseFacts], of owners: [PurchaseAssociation], in unit: UnitOfWork
  ) async throws {
    guard unit.entitlements != nil else { return }
    guard let entitlements else {
      return try await endFailures(of: facts.filter { $0.completeness != .device }, in: unit)
    }
    for facts in facts {
      let proven = facts.keys
      var owners = owners.filter { proven.contains($0.key) }
      if owners.isEmpty {
        // Where nobody owned the purchase there was no row to lock, and writing may have waited for an upload.
        let ids = facts.originalTransactionIDs
        try await unit.prepare(for: [.associations(ids, facts.environment, again: true)])
        owners = try await unit.associations.find(ids, environment: facts.environment)
      }
      for owner in Set(owners.map { Owner(userID: $0.userID, bundleID: $0.bundleID) }).sorted() {
        guard let app = entitlements.apps[owner.bundleID] else { continue }
        try await entitlements.follow(proven, of: owner.userID, in: app, at: now, unit)
      }
    }
  }

  /// Ends the failures to learn the state of purchases about which nothing new was told.
  func endFailures(of facts: [PurchaseFacts], in unit: UnitOfWork) async throws {
    for facts in facts {
      let (ids, environment) = (facts.originalTransactionIDs, facts.environment)
      let failed = try await unit.validations.unanswered(ids, environment: environment)
      guard !failed.isEmpty else { continue }
      if entitlements != nil {
        let owners = try await unit.associations.find(ids, environment: environment)
        try await follow([facts], of: owners, in: unit)
      } else {
        try await unit.validations.endFailures(of: ids, environment: environment)
      }
    }
  }

  /// A user of an app.
  private struct Owner: Hashable, Comparable {
    let userID: AccountID
    let bundleID: String

    static func < (one: Owner, other: Owner) -> Bool {
      one.userID == other.userID
        ? UniqueText(one.bundleID) < UniqueText(other.bundleID) : one.userID < other.userID
    }
  }
}

extension PurchaseFacts {
  /// Returns the first of some original transaction IDs that somebody owns.
  func nearest(of ids: [String], in known: [PurchaseAssociation]) -> String? {
    ids.first { id in
      known.contains { $0.originalTransactionID == id && $0.environment == environment }
    }
  }

  /// Returns the associations of purchases that nobody owns and that continue others of one owner.
  fileprivate func heirs(of known: [PurchaseAssociation]) -> [PurchaseAssociation] {
    let known = known.filter { $0.environment == environment }
    return moves.compactMap { id, previous in
      guard !known.contains(where: { $0.originalTransactionID == id }) else { return nil }
      // Of a chain at Google Play the nearest decides.
      let deciding =
        vendor == .google
        ? Set(nearest(of: previousIDs(of: id), in: known).map { [$0] } ?? []) : previous
      let owned = known.filter { deciding.contains($0.originalTransactionID) }
      guard var heir = owned.first, owned.allSatisfy({ $0.userID == heir.userID }) else {
        return nil
      }
      heir.originalTransactionID = id
      // The mark of the earlier purchase says nothing about the one that continues it.
      if vendor == .google { heir.evidence = .receipt }
      return heir
    }
  }
}
