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
  let app: EntitledApp
  /// Whether the host's accounts know app account tokens.
  let knowsTokens: Bool
  /// The app account tokens among the purchases that are the user's own.
  let ownTokens: Set<UUID>
  /// The marks of Google's purchases that are the user's own.
  let ownMarks: Set<String>
  /// Whether the user shows the purchases, so that they may move from others; a file of another system does not.
  let isShown: Bool
  let now: Date

  private var userID: AccountID { identifiers.userID }

  /// Associates the purchases of prepared facts with the user, or records that one belongs to another user,
  /// also under an identifier that it had before Apple moved it.
  ///
  /// What the same account has under its other identifier stays there, and what comes with it joins it.
  ///
  /// - Returns: The identifier that has the purchases, which is the user or the account's other one, and the
  ///   associations of the purchases then. Nil if one belongs to another user; then nothing else may be written.
  /// - Throws: ``UnknownIdentifiers`` before anything is written; `StorageFailure.duplicate` if another user was
  ///   faster, so that the unit of work has to begin again; or another error of the store.
  func settle(
    _ prepared: FactsRecorder.Prepared, in unit: UnitOfWork
  ) async throws -> (AccountID, [PurchaseAssociation])? {
    let records = try unit.associations
    let known = associations(thatDecide: prepared)
    let own = try known.filter { try identifiers.contain($0.userID) }
    let holder = own.contains { $0.userID == userID } ? userID : own.first?.userID ?? userID
    let wanted = wanted(of: prepared.facts, for: holder).map { association in
      var association = association
      let held = own.first { $0.key == association.key }
      association.userID = held?.userID ?? holder
      return association
    }
    let foreign = known.filter { !own.contains($0) }
    var moves = foreign.filter { !mayTake($0, wanted, prepared.facts) }
      .map {
        Move(
          id: $0.originalTransactionID, environment: $0.environment, owner: $0.userID, held: $0)
      }
    guard try await mayMove(moves, prepared, in: unit) else { return nil }
    let elsewhere = try await self.moves(
      fromElsewhereOf: wanted, prepared, own: Set(own.map(\.key)), in: unit)
    guard try await mayMove(elsewhere, prepared, in: unit) else { return nil }
    moves += elsewhere
    for held in foreign {
      try await record(claimTo: held.originalTransactionID, of: held.userID, in: records)
    }
    try await carryOut(moves, to: holder, in: unit)
    for association in wanted where mustReplace(association, known) {
      try await records.replace(association)
    }
    guard try await records.add(wanted).allSatisfy({ try identifiers.contain($0.userID) }) else {
      throw StorageFailure.duplicate(.other)
    }
    let taken = Set(moves.map(\.purchase))
    let associations = prepared.associations.map { held in
      guard taken.contains(held.key) else { return held }
      var moved = held
      moved.userID = holder
      return moved
    }
    return (holder, associations)
  }

  /// The associations that decide whether the purchases are free: their own, and of those before each at Google
  /// Play the nearest that somebody has.
  private func associations(thatDecide prepared: FactsRecorder.Prepared) -> [PurchaseAssociation] {
    guard prepared.facts.contains(where: { $0.vendor == .google }) else {
      return prepared.associations
    }
    let told = prepared.facts.filter { !$0.isAncestor }
    return prepared.associations.filter { held in
      told.contains { facts in
        guard facts.environment == held.environment else { return false }
        let ids = facts.originalTransactionIDs
        if ids.contains(held.originalTransactionID) { return true }
        guard facts.vendor == .google else {
          return facts.previousIDs.contains(held.originalTransactionID)
        }
        return ids.contains { id in
          facts.nearest(of: facts.previousIDs(of: id), in: prepared.associations)
            == held.originalTransactionID
        }
      }
    }
  }

  /// The associations that are claimed, each purchase once, with the best evidence for it; in one order for
  /// all callers, because each locks its row.
  private func wanted(
    of facts: [PurchaseFacts], for holder: AccountID
  ) -> [PurchaseAssociation] {
    var wanted: [PurchaseKey: PurchaseAssociation] = [:]
    for facts in facts where !facts.isAncestor {
      for purchase in facts.purchases {
        let association = PurchaseAssociation(
          environment: facts.environment, originalTransactionID: purchase.originalTransactionID,
          userID: holder, bundleID: app.bundleID, associatedDate: now,
          evidence: evidence(for: purchase, in: facts))
        let known = wanted[association.key]?.evidence
        // A token beats a signature, and that beats a receipt.
        guard known != .appAccountToken, known == nil || association.evidence != .receipt else {
          continue
        }
        wanted[association.key] = association
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
    if facts.inheritedMark.map(ownMarks.contains) ?? false { return .appAccountToken }
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
        facts.moves.keys.filter { facts.previousIDs(of: $0).contains(held.originalTransactionID) })
    }
    return wanted.contains { association in
      association.environment == held.environment
        && ids.contains(association.originalTransactionID)
        && association.evidence == .appAccountToken
    }
  }

  /// Whether a stored association is another user's, or was made without the token that there is now.
  private func mustReplace(
    _ association: PurchaseAssociation, _ known: [PurchaseAssociation]
  ) -> Bool {
    association.evidence == .appAccountToken
      && known.contains {
        $0.key == association.key && $0.evidence != .appAccountToken
      }
  }

  /// The claimed purchases that somebody else has by the records of another capability.
  ///
  /// Purchases that somebody has here, those that continue the user's own, and those with the user's own token are
  /// the user's or refused already. Of the others only subscriptions can belong to somebody elsewhere.
  private func moves(
    fromElsewhereOf wanted: [PurchaseAssociation], _ prepared: FactsRecorder.Prepared,
    own: Set<PurchaseKey>, in records: UnitOfWork
  ) async throws -> [Move] {
    var found: [Move] = []
    let known = Set(prepared.associations.map(\.key))
    let moved = prepared.facts.filter { !$0.moves.isEmpty }
    let subscriptions = Set(
      prepared.facts.flatMap { facts in
        facts.purchases.filter { $0.expiresDate != nil }.map(\.originalTransactionID)
      })
    var owners = PurchaseOwners(besides: .entitlements, in: records)
    for (environment, wanted) in Dictionary(grouping: wanted, by: \.environment)
      .sorted(by: { $0.key.rawValue < $1.key.rawValue })
    {
      // Each purchase and those that it continues, up to the first that somebody has here.
      let chains = wanted.filter {
        $0.evidence != .appAccountToken && subscriptions.contains($0.originalTransactionID)
      }.compactMap { association -> ArraySlice<PurchaseKey>? in
        let id = association.originalTransactionID
        let previous = moved.lazy.filter { $0.environment == environment }
          .map { $0.previousIDs(of: id) }.first { !$0.isEmpty }
        let chain = ([id] + (previous ?? [])).map {
          PurchaseKey(originalTransactionID: $0, environment: environment)
        }
        if let nearest = chain.first(where: known.contains), own.contains(nearest) { return nil }
        return chain.prefix { !known.contains($0) }
      }
      try await owners.find(Set(chains.joined()).sorted { $0.identifier < $1.identifier })
      for chain in chains {
        guard let id = chain.first?.originalTransactionID else { continue }
        if case .foreign(let owner) = try owners.relation(of: Array(chain), to: identifiers) {
          found.append(Move(id: id, environment: environment, owner: owner))
        }
      }
    }
    return found
  }

  /// Records the claim, unless the user has claimed the purchase from this owner before.
  func record(
    claimTo id: String, of owner: AccountID, in records: any AssociationRepository
  ) async throws {
    let known = try await records.conflicts(about: id)
    guard !known.contains(where: { $0.owner == owner && $0.claimant == userID }) else { return }
    try await records.record(
      AssociationConflict(
        originalTransactionID: id, owner: owner, claimant: userID, seenDate: now))
  }
}
