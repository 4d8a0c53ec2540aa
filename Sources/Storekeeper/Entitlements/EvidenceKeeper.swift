internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Records facts in a unit of work: with the memberships that follow them, if the host has these.
///
/// Source: entitlement rules, section 4; linking rules, section 4.6.
struct EvidenceKeeper {
  /// The recorder of the subscription service, if the host has one.
  let recorder: FactsRecorder?
  let now: Date

  /// Facts, completed by what is stored, with the locked associations of their purchases.
  struct Prepared {
    /// The facts, in ascending order of environment.
    var facts: [PurchaseFacts] = []
    /// The associations of the purchases, and of those that Apple moved to them.
    var associations: [PurchaseAssociation] = []
  }

  /// Locks the associations of the purchases, which comes before every other access to evidence, so that
  /// all units of work lock in the same order.
  func prepare(
    _ facts: [PurchaseFacts], in records: UnitOfWork
  ) async throws -> Prepared {
    var prepared = Prepared()
    // Those of one environment stay in their order, the purchases that others continue first.
    let all = facts.flatMap { told in
      told.ancestors.map { ancestor in
        var ancestor = ancestor
        ancestor.isAncestor = true
        return ancestor
      } + [told]
    }
    let order = all.enumerated().sorted { one, other in
      (one.element.environment.rawValue, one.offset)
        < (other.element.environment.rawValue, other.offset)
    }
    for var facts in order.map(\.element) {
      (facts.accountMark, facts.ancestors) = (facts.inheritedMark, [])
      let stored = try await facts.stored(in: records)
      facts.noteMoves(of: stored)
      facts.adoptTypes(of: stored)
      prepared.facts.append(facts)
    }
    for (environment, group) in Dictionary(grouping: prepared.facts, by: \.environment)
      .sorted(by: { $0.key.rawValue < $1.key.rawValue })
    {
      let ids = Set(group.flatMap { $0.originalTransactionIDs + Array($0.previousIDs) })
      prepared.associations += try await records.associations.find(
        ids.sorted(), environment: environment)
    }
    return prepared
  }

  /// Records prepared facts.
  ///
  /// - Throws: ``EntitlementFailure/environmentNotAllowed`` if a subscription is stored for the other
  ///   environment, or an error of the store.
  func keep(_ prepared: Prepared, in records: UnitOfWork) async throws {
    try await inherit(prepared, in: records)
    for facts in prepared.facts {
      if let recorder {
        var facts = facts
        // Kept below, once for each subscription and not for each product.
        facts.receipt = nil
        do {
          _ = try await recorder.record(facts, in: records)
        } catch SubscriptionFailure.environmentMismatch {
          throw EntitlementFailure.environmentNotAllowed
        }
      } else if facts.completeness == .device {
        let stored = try await facts.stored(in: records)
        try await facts.news(besides: stored)?.keep(in: records, now: now)
      } else {
        try await facts.keep(in: records, now: now)
      }
      try await keepReceipt(of: facts, in: records)
    }
  }

  /// Stores a receipt under the ID of each subscription or, if there is none, under one ID.
  private func keepReceipt(
    of facts: PurchaseFacts, in records: UnitOfWork
  ) async throws {
    guard let receipt = facts.receipt else { return }
    let subscriptions = facts.purchases.filter { $0.expiresDate != nil }
    let ids = Set(subscriptions.map(\.originalTransactionID)).sorted()
    for id in ids.isEmpty ? Array(facts.originalTransactionIDs.prefix(1)) : ids {
      try await records.purchases.put(
        StoredReceipt(
          originalTransactionID: id, environment: facts.environment, receipt: receipt,
          asOf: facts.asOf), now: now)
    }
  }

  /// Gives purchases that Apple moved to other original transaction IDs, or that continue others at Google Play, to
  /// the users that own the earlier ones; those that somebody owns stay.
  func inherit(_ prepared: Prepared, in records: UnitOfWork) async throws {
    var known = prepared.associations
    for facts in prepared.facts {
      let heirs = facts.heirs(of: known)
      guard !heirs.isEmpty else { continue }
      known += try await records.associations.add(heirs)
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

extension EntitlementService {
  /// Does work in a unit of work that records evidence, again after each conflict about a unique key.
  func recording<Result: Sendable>(
    _ work:
      nonisolated(nonsending) @Sendable (EvidenceKeeper, UnitOfWork) async throws -> Result,
    at now: Date
  ) async throws -> Result {
    let recorder = subscriptions?.recorder(because: .verify)
    defer { if let recorder { recorder.unknown.tell(report) } }
    let keeper = EvidenceKeeper(recorder: recorder, now: now)
    return try await UniqueConflicts.retrying(5) {
      try await store.write { records in try await work(keeper, records) }
    }
  }
}
