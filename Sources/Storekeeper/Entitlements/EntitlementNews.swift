internal import EntitlementPolicy
internal import JWSVerifier
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The purchase in a verified notification, as far as entitlements need it.
struct EntitlementNews: Sendable {
  let facts: PurchaseFacts
  let service: EntitlementService
  /// Whether the product is listed by one of the host's apps.
  let isListed: Bool

  /// Locks the associations of the purchase, which comes before every other access to evidence.
  func prepare(
    in records: UnitOfWork, now: Date
  ) async throws -> EvidenceKeeper.Prepared {
    try await EvidenceKeeper(recorder: nil, now: now).prepare([facts], in: records)
  }

  /// Gives purchases that Apple moved to the users that own the earlier ones.
  func inherit(
    _ prepared: EvidenceKeeper.Prepared, in records: UnitOfWork, now: Date
  ) async throws {
    try await EvidenceKeeper(recorder: nil, now: now).inherit(prepared, in: records)
  }

  /// Records the purchase for a host without memberships.
  func keep(
    _ prepared: EvidenceKeeper.Prepared, in records: UnitOfWork, now: Date
  ) async throws {
    try await EvidenceKeeper(recorder: nil, now: now).keep(prepared, in: records)
  }

  /// Ends the failure of the purchase and plans the next validation of the users that own it, after it was
  /// recorded.
  ///
  /// Source: entitlement rules, section 9.
  func follow(in records: UnitOfWork, now: Date) async throws {
    let owned = try await records.associations.find(
      facts.originalTransactionIDs, environment: facts.environment)
    for owner in Set(owned.map { Owner(userID: $0.userID, bundleID: $0.bundleID) }).sorted() {
      guard let app = service.apps[owner.bundleID] else { continue }
      try await service.follow(facts.keys, of: owner.userID, in: app, at: now, records)
    }
  }

  /// A user of an app.
  private struct Owner: Hashable, Comparable {
    let userID: AccountID
    let bundleID: String

    static func < (one: Owner, other: Owner) -> Bool {
      one.userID == other.userID
        ? UniqueText(one.bundleID) < UniqueText(other.bundleID) : one.userID < other.userID
    }
  }
}

extension EntitlementService {
  /// Reads a verified notification; returns nil if it has no purchase that can be recorded.
  func news(from verified: Verified<NotificationContent>) -> EntitlementNews? {
    guard
      let facts = PurchaseFacts(verified) ?? (try? PurchaseFacts(purchaseIn: verified)),
      let bundleID = verified.payload.transaction?.bundleID
    else { return nil }
    return news(about: facts, in: bundleID)
  }

  /// The news of facts about an app.
  func news(about facts: PurchaseFacts, in bundleID: String) -> EntitlementNews {
    let catalog = apps[bundleID]?.catalog
    return EntitlementNews(
      facts: facts, service: self,
      isListed: facts.purchases.contains { catalog?[$0.productID] != nil })
  }
}
