internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A user's claim to the purchases of some facts.
///
/// Source: entitlement rules, section 7.
struct AssociationClaim: Sendable {
  let userID: AccountID
  let bundleID: String
  let facts: [PurchaseFacts]
  /// The app account tokens among the purchases that are the user's own.
  let ownTokens: Set<UUID>
  let now: Date

  /// Associates the purchases with the user, or records that one belongs to another user.
  ///
  /// - Returns: False if one belongs to another user; then nothing else may be written.
  /// - Throws: `StorageFailure.duplicate` if another user was faster, so that the unit of work has to begin
  ///   again; or another error of the store.
  func settle(in records: any AssociationRepository) async throws -> Bool {
    let wanted = wanted
    var known: [PurchaseAssociation] = []
    for (environment, associations) in wanted {
      known += try await records.find(
        associations.map(\.originalTransactionID), environment: environment)
    }
    let foreign = known.filter { $0.userID != userID }
    if let held = foreign.first(where: { !mayTake($0, wanted) }) {
      try await record(claimTo: held, in: records)
      return false
    }
    for held in foreign { try await record(claimTo: held, in: records) }
    for (environment, associations) in wanted {
      let held = known.filter { $0.environment == environment }
      for association in associations where mustReplace(association, held) {
        try await records.replace(association)
      }
      let stored = try await records.add(associations)
      guard stored.allSatisfy({ $0.userID == userID }) else {
        throw StorageFailure.duplicate(.other)
      }
    }
    return true
  }

  /// The associations that are claimed, by environment.
  private var wanted: [(environment: AppStoreEnvironment, associations: [PurchaseAssociation])] {
    let groups = Dictionary(grouping: facts, by: \.environment)
    return groups.sorted { $0.key.rawValue < $1.key.rawValue }.map { environment, facts in
      var evidence: [String: PurchaseAssociation.Evidence] = [:]
      for fact in facts {
        for purchase in fact.purchases {
          let id = purchase.originalTransactionID
          if purchase.appAccountToken.map(ownTokens.contains) ?? false {
            evidence[id] = .appAccountToken
          } else if evidence[id] == nil || evidence[id] == .receipt {
            evidence[id] = fact.voucher == .signedTransaction ? .signedTransaction : .receipt
          }
        }
      }
      let associations = evidence.map { id, evidence in
        PurchaseAssociation(
          environment: environment, originalTransactionID: id, userID: userID, bundleID: bundleID,
          associatedDate: now, evidence: evidence)
      }
      return (
        environment, associations.sorted { $0.originalTransactionID < $1.originalTransactionID }
      )
    }
  }

  /// Whether the user's own token beats an association that another user made without one.
  private func mayTake(
    _ held: PurchaseAssociation,
    _ wanted: [(environment: AppStoreEnvironment, associations: [PurchaseAssociation])]
  ) -> Bool {
    guard held.evidence != .appAccountToken else { return false }
    return wanted.contains { environment, associations in
      environment == held.environment
        && associations.contains {
          $0.originalTransactionID == held.originalTransactionID
            && $0.evidence == .appAccountToken
        }
    }
  }

  /// Whether a stored association is another user's, or was made without the token that there is now.
  private func mustReplace(
    _ association: PurchaseAssociation, _ known: [PurchaseAssociation]
  ) -> Bool {
    association.evidence == .appAccountToken
      && known.contains {
        $0.originalTransactionID == association.originalTransactionID
          && $0.evidence != .appAccountToken
      }
  }

  private func record(
    claimTo held: PurchaseAssociation, in records: any AssociationRepository
  ) async throws {
    try await records.record(
      AssociationConflict(
        originalTransactionID: held.originalTransactionID, owner: held.userID, claimant: userID,
        seenDate: now))
  }
}
