internal import OrderPolicy
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A unit of work about an order, with the recorder of what the vendor told.
struct OrderUnit {
  let unit: UnitOfWork
  let recorder: FactsRecorder

  /// Records facts, with everything that follows them, unless they say nothing new.
  ///
  /// Also where nothing is new, the vendor's word ends a failure to learn the state of the purchases.
  func keep(_ facts: PurchaseFacts) async throws {
    guard recorder.hasFollowers else {
      // What renewals and receipts say besides is of use to memberships and entitlements alone.
      for facts in facts.lineage where try await facts.havePurchaseNews(to: unit) {
        try await facts.keepPurchases(in: unit, now: recorder.now)
      }
      return
    }
    if try await areNews(facts) {
      try await recorder.record([facts], in: unit)
    } else if recorder.entitlements != nil {
      try await recorder.endFailures(of: facts.lineage, in: unit)
    }
  }

  private func areNews(_ facts: PurchaseFacts) async throws -> Bool {
    for facts in facts.lineage where try await facts.areNews(to: unit) { return true }
    return try await hasSuccession(by: facts)
  }

  /// Returns whether something rests on a purchase that another one continues, and would move to that.
  private func hasSuccession(by facts: PurchaseFacts) async throws -> Bool {
    guard facts.vendor == .google else { return false }
    let own = facts.originalTransactionIDs
    let earlier = own.flatMap { facts.continuedIDs(by: $0) }
    guard !earlier.isEmpty else { return false }
    if recorder.entitlements != nil {
      let owned = Set(
        try await unit.associations.find(earlier + own, environment: facts.environment)
          .map(\.originalTransactionID))
      if !owned.isEmpty, !owned.isSuperset(of: own) { return true }
    }
    guard recorder.memberships != nil else { return false }
    let found = try await unit.find(earlier + own, account: nil)
    if found.memberships.contains(where: { row in
      row.isIAP && earlier.contains { row.originalTransactionID == $0 }
    }) {
      return true
    }
    let owned = Set(
      found.subscriptions.map(\.subscription).filter { $0.owner != nil }
        .map(\.originalTransactionID))
    return !owned.isEmpty && !owned.isSuperset(of: own)
  }
}

extension OrderService {
  /// Does work in a unit of work that also records the facts of a report, again after each conflict about a unique
  /// key.
  ///
  /// The work is given the vendor's word as the stored history judges it. Facts that contradict the environment of a
  /// stored subscription are left out and reported. With `unlessOvertaken` nothing is written if a later word about
  /// the purchase is stored, which ends it earlier. `isSettled` tells whether a result shows that the facts are
  /// stored already, as far as orders rest on them.
  ///
  /// - Throws: ``OvertakenAnswer``, or an error of the work or the store.
  func recording<Result: Sendable>(
    _ report: VendorReport, asking questions: [UnitQuestion] = [], at now: Date,
    unlessOvertaken: Bool = false,
    unless isSettled: @escaping @Sendable (Result) -> Bool = { _ in false },
    _ work:
      nonisolated(nonsending) @Sendable (UnitOfWork, VendorAnswer) async throws -> Result
  ) async throws -> Result {
    let recorder = FactsRecorder(
      memberships: subscriptions?.memberships(because: .verify), entitlements: entitlements,
      now: now)
    do {
      return try await recording(
        report, recorder, asking: questions, at: now, unlessOvertaken: unlessOvertaken,
        unless: isSettled, work)
    } catch let failure as SubscriptionFailure where failure == .environmentMismatch {
      self.report(.sourceFailed(failure))
    }
    return try await recording(
      report, recorder, asking: questions, at: now, unlessOvertaken: false, keepsFacts: false,
      unless: isSettled, work)
  }

  private func recording<Result: Sendable>(
    _ report: VendorReport, _ recorder: FactsRecorder, asking questions: [UnitQuestion],
    at now: Date, unlessOvertaken: Bool, keepsFacts: Bool = true,
    unless isSettled: @escaping @Sendable (Result) -> Bool,
    _ work:
      nonisolated(nonsending) @Sendable (UnitOfWork, VendorAnswer) async throws -> Result
  ) async throws -> Result {
    try await recorder.recording(in: context) { unit in
      let records = OrderUnit(unit: unit, recorder: recorder)
      try await unit.prepare(for: questions)
      let stored = try await report.stored(in: unit)
      let result = try await work(unit, report.answer(besides: stored, at: now))
      if keepsFacts, recorder.hasFollowers || !isSettled(result) {
        for facts in try await report.facts(in: unit, at: now) {
          try await records.keep(facts)
          // Afterwards, because writing has waited for others that write about the same purchase.
          if unlessOvertaken, try await facts.areOvertaken(in: unit) {
            throw OvertakenAnswer()
          }
        }
      }
      return result
    }
  }
}
