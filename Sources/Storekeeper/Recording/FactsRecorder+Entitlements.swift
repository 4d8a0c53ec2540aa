internal import PurchaseStorage
internal import ReceiptModels

extension FactsRecorder {
  /// Records facts that memberships alone asked for, together with what follows for the entitlements in the same
  /// database, if it has any: a purchase that continues others belongs to their owner, and a failure to learn
  /// its state ends.
  ///
  /// - Returns: As ``record(_:noting:in:)``.
  /// - Throws: As ``record(_:noting:in:)``.
  func recordForAll(
    _ facts: PurchaseFacts, noting notification: NotificationRecord? = nil,
    in records: UnitOfWork
  ) async throws -> [Subscription] {
    guard let entitlements = records.entitlements else {
      return try await record(facts, noting: notification, in: records)
    }
    let keeper = EvidenceKeeper(recorder: nil, now: now)
    let prepared = try await keeper.prepare([facts], in: records)
    try await keeper.inherit(prepared, in: records)
    let subscriptions = try await record(facts, noting: notification, in: records)
    // A device knows what was bought, not what became of it.
    for facts in prepared.facts where facts.completeness != .device {
      let ids = facts.originalTransactionIDs
      let failed = try await entitlements.validations.unanswered(
        ids, environment: facts.environment)
      guard !failed.isEmpty else { continue }
      try await entitlements.validations.endFailures(of: ids, environment: facts.environment)
    }
    return subscriptions
  }
}
