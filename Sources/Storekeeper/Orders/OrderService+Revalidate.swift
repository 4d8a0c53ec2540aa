public import OrderPolicy
internal import StorekeeperLocks
internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension OrderService {
  /// Checks the subscription of a user who logs in, and returns what is left of it, or nil.
  ///
  /// If the vendor cannot say anything within ``OrderOptions/hookLimit``, the stored subscription is the answer, even
  /// past its end. Only an explicit answer removes it; the claim to its purchase stays. One whose environment does
  /// not count (``OrderOptions/environments``) is no answer, and is removed when the vendor answers. Source:
  /// entitlement rules, sections 12 and 13.
  ///
  /// - Throws: An error of the store or of the host's accounts, or `CancellationError`.
  public func subscriptionForProfile(of userID: AccountID) async throws -> UserSubscription? {
    let now = now()
    let found = try await store.read { records in
      try await records.orderedSubscriptions.find(userID)
    }
    guard let stored = found else { return nil }
    let environments = try await environments(for: userID)
    guard stored.isDue(at: now, interval: options.minimumRevalidationInterval) else {
      return try await shown(stored, in: environments)
    }
    guard let vendor = vendor(stored.vendor) else {
      note(.notConfigured, of: stored.vendor)
      return try await shown(stored, in: environments)
    }
    let report = await self.report(on: stored, from: vendor, at: now)
    try Task.checkCancellation()
    if case .incidentalFailure(let failure) = report.answer {
      note(failure, of: stored.vendor, in: report)
      return try await shown(stored, in: environments)
    }
    let followed = try await follow(report, of: stored, at: now)
    return followed.subscription.flatMap { shown($0, followed.levels, in: environments) }
  }

  /// Records what follows from a vendor's word about a stored subscription.
  func follow(
    _ report: VendorReport, of stored: OrderedSubscription, at now: Date
  ) async throws -> FollowedSubscription {
    let environments = try await environments(for: stored.userID)
    let followed = try await OwnIdentifiers.asking(of: stored.userID, in: accounts) { own in
      try await recording(
        report, asking: report.questions(of: stored.userID), at: now,
        unless: { $0.confirms(stored) }
      ) { records, answer in
        try await records.follow(answer, of: stored, own, environments: environments, at: now)
      }
    }
    if case .keep(let failure)? = followed.decision {
      note(failure, of: stored.vendor, in: report)
    }
    return followed
  }

  /// Checks the subscription of a user whose session is extended; that succeeds whatever happens.
  ///
  /// Where the check fails, what is stored is the answer; where that cannot be read either, there is none. The
  /// failure is reported. Source: entitlement rules, section 12.
  @discardableResult
  public func validateOnTokenRefresh(of userID: AccountID) async -> UserSubscription? {
    do {
      return try await subscriptionForProfile(of: userID)
    } catch {
      report(.sourceFailed(error))
    }
    // Neither the host's accounts nor a write may stand in the way of what is stored.
    let found = try? await store.read { records in
      (
        try await records.orderedSubscriptions.find(userID), try await records.levels.all(),
        try await options.environments.ending(in: records)
      )
    }
    guard let found, let stored = found.0 else { return nil }
    return shown(
      stored, found.1, in: found.2.counting(for: Account(id: userID), at: now()))
  }

  private func report(
    on stored: OrderedSubscription, from vendor: any PurchaseVendor, at now: Date
  ) async -> VendorReport {
    let waited = await clock.wait(atMost: options.hookLimit) { () -> VendorReport? in
      await vendor.report(on: stored.receiptData, for: .revalidation, at: now)
    }
    switch waited {
    case .value(let report): return report
    case .timeUp, .cancelled:
      return VendorReport(.incidentalFailure(IncidentalFailure(.unreachable)))
    }
  }

  private func shown(
    _ row: OrderedSubscription, in environments: CountedEnvironments
  ) async throws -> UserSubscription? {
    shown(row, try await levels(), in: environments)
  }

  private func shown(
    _ row: OrderedSubscription, _ levels: SubscriptionLevels, in environments: CountedEnvironments
  ) -> UserSubscription? {
    guard row.counts(in: environments) else { return nil }
    let shown = levels.subscription(of: row)
    if shown == nil {
      note(IncidentalFailure(.unknownProduct, needsAttention: true), of: row.vendor)
    }
    return shown
  }
}

/// A stored subscription after a vendor's word about it.
struct FollowedSubscription: Sendable {
  /// Nil if another unit of work changed the subscription meanwhile.
  fileprivate(set) var decision: RevalidationDecision?
  fileprivate(set) var subscription: OrderedSubscription?
  fileprivate(set) var levels: SubscriptionLevels

  /// Whether the word had its effect; false if another one came first.
  var isApplied: Bool { decision != nil }

  /// Whether the word changed nothing but the moment of the answer.
  func confirms(_ stored: OrderedSubscription) -> Bool {
    guard var row = subscription else { return false }
    row.validatedDate = stored.validatedDate
    return row == stored
  }
}

extension UnitOfWork {
  /// Decides what a vendor's word means for a stored subscription, and writes it.
  ///
  /// A notification removes nothing, and leaves the moment of the vendor's last answer as it is.
  func follow(
    _ answer: VendorAnswer, of stored: OrderedSubscription, _ identifiers: OwnIdentifiers,
    environments: CountedEnvironments, at now: Date, isNotification: Bool = false
  ) async throws -> FollowedSubscription {
    let present = try await orderedSubscriptions.find(stored.userID)
    let levels = try await levels.all()
    let situation = try await situation(of: answer, identifiers)
    // An order or another check was faster.
    guard present == stored else {
      return FollowedSubscription(subscription: present, levels: levels)
    }
    let decision = RevalidationDecision(
      of: stored, answer, levels: levels, environments: environments, situation, at: now)
    var kept: OrderedSubscription? = stored
    switch decision {
    case .remove where isNotification: break
    case .remove:
      _ = try await orderedSubscriptions.remove(stored.userID)
      kept = nil
    case .keep: break
    case .update(var row):
      if isNotification { row.validatedDate = stored.validatedDate }
      guard row != stored else { break }
      guard try await claim(answer, for: stored.userID, situation) else {
        throw StorageFailure.conflict
      }
      try await orderedSubscriptions.save(row)
      kept = row
    }
    return FollowedSubscription(decision: decision, subscription: kept, levels: levels)
  }
}
