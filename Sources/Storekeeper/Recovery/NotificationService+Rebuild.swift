internal import AppStoreServerAPI
internal import JWSVerifier
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension NotificationService {
  /// Records all that Apple tells about a customer, for each service that follows notifications.
  ///
  /// Credits come first, and the facts with everything else that follows them in one unit of work: where a purchase
  /// has the stamp of this answer, all is done.
  ///
  /// - Throws: ``FactsFailure``, ``SubscriptionFailure``, ``CreditFailure`` that may pass, or an error of the store or
  ///   of the host's accounts.
  func record(
    _ customer: CustomerAnswer, since start: Date
  ) async throws -> PurchaseTally {
    let facts = try customer.facts
    var restorations: [(id: String?, outcome: CreditService.Restoration)] = []
    if let credits {
      // In the order of the purchases, so that of two starter packs the first one counts.
      let charges = customer.history.transactions.sorted {
        ($0.payload.purchaseDate ?? .distantPast) < ($1.payload.purchaseDate ?? .distantPast)
      }
      for charge in charges {
        restorations.append((charge.payload.transactionID, try await credits.restore(charge)))
      }
    }
    let followers = try await orderFollowers(of: facts)
    let recorder = FactsRecorder(
      memberships: subscriptions?.memberships(because: .refresh), entitlements: entitlements,
      now: now())
    let before = try await recorder.recording(in: context) { unit in
      for follower in followers { try await follower.lock(in: unit) }
      let before = try await unit.purchases.transactions(
        of: facts.originalTransactionIDs, environment: facts.environment)
      try await recorder.recordForFollowers([facts], in: unit)
      for follower in followers { try await follower.follow(in: unit) }
      return before
    }
    var tally = PurchaseTally(ofApple: PurchaseChanges(from: before, to: facts.purchases))
    // Two purchases of a customer may be asked about at the same time.
    let told = Set(
      before.filter { ($0.signedDate ?? .distantPast) >= start }.map(\.transactionID))
    for (id, outcome) in restorations
    where !outcome.isFault || !(id.map(told.contains) ?? false) {
      tally.credits.note(outcome)
    }
    tally.refused = customer.history.refused.count
    if tally.refused > 0 { report(.historyElementsRefused(tally.refused)) }
    return tally
  }

  /// Returns the followers of orders, one for each purchase, as a notification about that alone has one.
  private func orderFollowers(of facts: PurchaseFacts) async throws -> [OrderFollower] {
    var followers: [OrderFollower] = []
    for id in facts.originalTransactionIDs {
      var own = facts
      own.purchases = facts.purchases.filter { $0.originalTransactionID == id }
      if let follower = try await orders(after: own), !follower.isEmpty {
        followers.append(follower)
      }
    }
    return followers
  }
}
