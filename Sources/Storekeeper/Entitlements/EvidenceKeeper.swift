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

  /// Records facts.
  ///
  /// - Throws: ``EntitlementFailure/environmentNotAllowed`` if a subscription is stored for the other
  ///   environment, or an error of the store.
  func keep(_ facts: PurchaseFacts, in records: EvidenceRecords) async throws {
    try await inherit(facts, in: records.entitlements)
    if let recorder, let subscriptions = records.subscriptions {
      do {
        _ = try await recorder.record(facts, in: subscriptions)
      } catch SubscriptionFailure.environmentMismatch {
        throw EntitlementFailure.environmentNotAllowed
      }
    } else if facts.completeness == .device {
      let stored = try await facts.stored(in: records.entitlements)
      try await facts.news(besides: stored)?.keep(in: records.entitlements, now: now)
    } else {
      try await facts.keep(in: records.entitlements, now: now)
    }
    try await keepReceipt(of: facts, in: records.entitlements)
  }

  /// Stores a receipt under the ID of each subscription or, if there is none, under one ID.
  private func keepReceipt(
    of facts: PurchaseFacts, in records: any EntitlementRecords
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

  /// Gives purchases that Apple moved to other original transaction IDs to the users that own the earlier
  /// ones.
  func inherit(
    _ facts: PurchaseFacts, in records: any EntitlementRecords
  ) async throws {
    let stored = try await records.purchases.originalTransactionIDs(
      ofTransactions: facts.purchases.map(\.transactionID), environment: facts.environment)
    let previous = facts.previousIDs.union(stored).subtracting(facts.originalTransactionIDs)
    guard !previous.isEmpty else { return }
    let owned = try await records.associations.find(
      previous.sorted(), environment: facts.environment)
    guard let owner = owned.first, owned.allSatisfy({ $0.userID == owner.userID }) else { return }
    _ = try await records.associations.add(
      facts.originalTransactionIDs.map { id in
        var inherited = owner
        inherited.originalTransactionID = id
        return inherited
      })
  }
}

extension EntitlementService {
  /// Does work in a unit of work that records evidence, again after each conflict about a unique key.
  func recording<Result: Sendable>(
    _ work:
      nonisolated(nonsending) @Sendable (EvidenceKeeper, EvidenceRecords) async throws -> Result,
    at now: Date
  ) async throws -> Result {
    let recorder = subscriptions?.recorder(because: .verify)
    defer { if let recorder { recorder.unknown.tell(report) } }
    let keeper = EvidenceKeeper(recorder: recorder, now: now)
    return try await UniqueConflicts.retrying(5) {
      try await evidenceStore.write { records in try await work(keeper, records) }
    }
  }
}
