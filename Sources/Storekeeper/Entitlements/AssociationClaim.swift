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
  let identifiers: OwnIdentifiers
  let bundleID: String
  /// The app account tokens among the purchases that are the user's own.
  let ownTokens: Set<UUID>
  /// The marks of Google's purchases that are the user's own.
  let ownMarks: Set<String>
  let now: Date

  private var userID: AccountID { identifiers.userID }

  /// Associates the purchases of prepared facts with the user, or records that one belongs to another user,
  /// also under an identifier that it had before Apple moved it.
  ///
  /// What the same account has under its other identifier moves to the one that it comes under now.
  ///
  /// - Returns: False if one belongs to another user; then nothing else may be written.
  /// - Throws: ``UnknownIdentifiers`` before anything is written; `StorageFailure.duplicate` if another user was faster, so that the unit of work has to begin
  ///   again; or another error of the store.
  func settle(
    _ prepared: EvidenceKeeper.Prepared, in records: any AssociationRepository
  ) async throws -> Bool {
    let wanted = wanted(of: prepared.facts)
    let known = prepared.associations
    let foreign = try known.filter { try !identifiers.contain($0.userID) }
    if let held = foreign.first(where: { !mayTake($0, wanted, prepared.facts) }) {
      try await record(claimTo: held, in: records)
      return false
    }
    for held in foreign { try await record(claimTo: held, in: records) }
    for association in wanted {
      guard let replacement = replacement(by: association, known) else { continue }
      try await records.replace(replacement)
    }
    guard try await records.add(wanted).allSatisfy({ $0.userID == userID }) else {
      throw StorageFailure.duplicate(.other)
    }
    return true
  }

  /// The associations that are claimed, each purchase once, with the best evidence for it; in one order for
  /// all callers, because each locks its row.
  private func wanted(of facts: [PurchaseFacts]) -> [PurchaseAssociation] {
    var wanted: [PurchaseReference: PurchaseAssociation] = [:]
    for facts in facts {
      for purchase in facts.purchases {
        let association = PurchaseAssociation(
          environment: facts.environment, originalTransactionID: purchase.originalTransactionID,
          userID: userID, bundleID: bundleID, associatedDate: now,
          evidence: evidence(for: purchase, in: facts))
        let known = wanted[association.purchase]?.evidence
        // A token beats a signature, and that beats a receipt.
        guard known != .appAccountToken, known == nil || association.evidence != .receipt else {
          continue
        }
        wanted[association.purchase] = association
      }
    }
    return wanted.values.sorted {
      ($0.environment.rawValue, $0.originalTransactionID)
        < ($1.environment.rawValue, $1.originalTransactionID)
    }
  }

  private func evidence(
    for purchase: PurchaseRecord, in facts: PurchaseFacts
  ) -> PurchaseAssociation.Evidence {
    if purchase.appAccountToken.map(ownTokens.contains) ?? false { return .appAccountToken }
    if facts.accountMark.map(ownMarks.contains) ?? false { return .appAccountToken }
    return facts.voucher == .signedTransaction ? .signedTransaction : .receipt
  }

  /// Whether the user's own token beats an association that another user made without one.
  private func mayTake(
    _ held: PurchaseAssociation, _ wanted: [PurchaseAssociation], _ facts: [PurchaseFacts]
  ) -> Bool {
    guard held.evidence != .appAccountToken else { return false }
    var ids: Set = [held.originalTransactionID]
    for facts in facts where facts.environment == held.environment {
      ids.formUnion(
        facts.moves.filter { $0.value.contains(held.originalTransactionID) }.map(\.key))
    }
    return wanted.contains { association in
      association.environment == held.environment
        && ids.contains(association.originalTransactionID)
        && association.evidence == .appAccountToken
    }
  }

  /// Returns the association to store instead of one that is under another identifier, or that was made without
  /// the token that there is now; nil if the stored one stays, or if there is none.
  private func replacement(
    by association: PurchaseAssociation, _ known: [PurchaseAssociation]
  ) -> PurchaseAssociation? {
    guard let held = known.first(where: { $0.purchase == association.purchase }) else { return nil }
    var association = association
    // The same account has shown its token before.
    if held.evidence == .appAccountToken { association.evidence = .appAccountToken }
    let isSame = held.userID == userID && held.evidence == association.evidence
    return isSame || held.userID == userID && association.evidence != .appAccountToken
      ? nil : association
  }

  /// Records the claim, unless the user has claimed the purchase from this owner before.
  private func record(
    claimTo held: PurchaseAssociation, in records: any AssociationRepository
  ) async throws {
    let known = try await records.conflicts(about: held.originalTransactionID)
    guard !known.contains(where: { $0.owner == held.userID && $0.claimant == userID }) else {
      return
    }
    try await records.record(
      AssociationConflict(
        originalTransactionID: held.originalTransactionID, owner: held.userID, claimant: userID,
        seenDate: now))
  }
}

extension PurchaseAssociation {
  /// The purchase.
  fileprivate var purchase: PurchaseReference {
    PurchaseReference(originalTransactionID: originalTransactionID, environment: environment)
  }
}
