internal import LinkPolicy
internal import PurchaseStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The records of a unit of work about an order.
struct OrderUnitRecords {
  let orders: any OrderRecords
  /// The records of memberships, if the host has them.
  let subscriptions: (any SubscriptionRecords)?
  /// The records of entitlements, if the host has them.
  let entitlements: (any EntitlementRecords)?

  init(
    _ orders: any OrderRecords, subscriptions: (any SubscriptionRecords)? = nil,
    entitlements: (any EntitlementRecords)? = nil
  ) {
    self.orders = orders
    self.subscriptions = subscriptions
    self.entitlements = entitlements
  }

  /// Whether something besides orders follows the facts.
  var haveFollowers: Bool { subscriptions != nil || entitlements != nil }

  /// Records facts, with everything that follows them, unless they say nothing new.
  func keep(_ facts: PurchaseFacts, _ recorder: FactsRecorder?, at now: Date) async throws {
    guard haveFollowers else {
      // What renewals and receipts say besides is of use to memberships and entitlements alone.
      guard try await facts.havePurchases(newTo: orders) else { return }
      return try await facts.keepPurchases(in: orders, now: now)
    }
    guard try await facts.areNews(to: orders) else { return }
    if let entitlements {
      let keeper = EvidenceKeeper(recorder: recorder, now: now)
      let prepared = try await keeper.prepare([facts], in: entitlements)
      try await keeper.keep(
        prepared, in: EvidenceRecords(entitlements, subscriptions: subscriptions))
    } else if let recorder, let subscriptions {
      _ = try await recorder.record(facts, in: subscriptions)
    }
  }
}

extension OrderService {
  /// Does work in a unit of work that also records the facts of a report, again after each conflict about a
  /// unique key.
  ///
  /// Facts that contradict the environment of a stored subscription are left out and reported.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - now: The moment of the request.
  ///   - unlessOvertaken: Whether nothing is written if a later word about the purchase is stored, which ends it
  ///     earlier.
  ///   - isSettled: Whether a result shows that the facts are stored already, as far as orders rest on them.
  ///   - work: The work.
  /// - Returns: The result of the work.
  /// - Throws: ``OvertakenAnswer``, an error of the work, or an error of the store.
  func recording<Result: Sendable>(
    _ report: VendorReport, at now: Date, unlessOvertaken: Bool = false,
    unless isSettled: @escaping @Sendable (Result) -> Bool = { _ in false },
    _ work: nonisolated(nonsending) @Sendable (any OrderRecords) async throws -> Result
  ) async throws -> Result {
    let recorder = subscriptions?.recorder(because: .verify)
    defer { if let recorder { recorder.unknown.tell(self.report) } }
    do {
      return try await recording(
        report, recorder, at: now, unlessOvertaken: unlessOvertaken, unless: isSettled, work)
    } catch let failure as SubscriptionFailure where failure == .environmentMismatch {
      self.report(.sourceFailed(failure))
    } catch let failure as EntitlementFailure where failure == .environmentNotAllowed {
      self.report(.sourceFailed(failure))
    }
    return try await recording(
      nil, recorder, at: now, unlessOvertaken: false, unless: isSettled, work)
  }

  private func recording<Result: Sendable>(
    _ report: VendorReport?, _ recorder: FactsRecorder?, at now: Date, unlessOvertaken: Bool,
    unless isSettled: @escaping @Sendable (Result) -> Bool,
    _ work: nonisolated(nonsending) @Sendable (any OrderRecords) async throws -> Result
  ) async throws -> Result {
    try await UniqueConflicts.retrying(5) {
      try await unitStore.write { records in
        let result = try await work(records.orders)
        if let report, records.haveFollowers || !isSettled(result) {
          for facts in try await report.facts(in: records.orders, at: now) {
            try await records.keep(facts, recorder, at: now)
            // Afterwards, because writing has waited for others that write about the same purchase.
            if unlessOvertaken, try await facts.areOvertaken(in: records.orders) {
              throw OvertakenAnswer()
            }
          }
        }
        return result
      }
    }
  }
}
