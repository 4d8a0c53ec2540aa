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
  /// Whether the purchase was made in one of the host's apps.
  let isOfApp: Bool

  /// Locks the associations of the purchase, which comes before every other access to evidence.
  func lock(in records: any EntitlementRecords) async throws {
    _ = try await records.associations.find(
      facts.originalTransactionIDs, environment: facts.environment)
  }

  /// Gives purchases that Apple moved to the users that own the earlier ones.
  func inherit(in records: any EntitlementRecords, now: Date) async throws {
    try await EvidenceKeeper(recorder: nil, now: now).inherit(facts, in: records)
  }

  /// Records the purchase for a host without memberships.
  func keep(in records: any EntitlementRecords, now: Date) async throws {
    try await EvidenceKeeper(recorder: nil, now: now).keep(facts, in: EvidenceRecords(records))
  }

  /// Plans the next validation of the users that own the purchase, after it was recorded.
  ///
  /// While the state of a user's purchases can't be learned, the plan stays as it is.
  ///
  /// Source: entitlement rules, section 9.
  func follow(in records: any EntitlementRecords, now: Date) async throws {
    let owned = try await records.associations.find(
      facts.originalTransactionIDs, environment: facts.environment)
    for owner in Set(owned.map { Owner(userID: $0.userID, bundleID: $0.bundleID) }).sorted() {
      guard let app = service.apps[owner.bundleID],
        var state = try await records.validations.find(owner.userID, bundleID: owner.bundleID),
        state.firstFailureDate == nil
      else { continue }
      let rows = try await records.holdings(of: owner.userID, in: [owner.bundleID])
      let next = ValidationSchedule(options: app.options).nextValidation(
        of: rows.purchases(of: owner.bundleID, for: app).subscriptions,
        validatedAt: state.validatedDate ?? now)
      guard next != state.nextValidationDate else { continue }
      state.nextValidationDate = next
      try await records.validations.save(state, of: owner.userID)
    }
  }

  /// A user of an app.
  private struct Owner: Hashable, Comparable {
    let userID: AccountID
    let bundleID: String

    static func < (one: Owner, other: Owner) -> Bool {
      (one.userID, one.bundleID) < (other.userID, other.bundleID)
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
    return EntitlementNews(facts: facts, service: self, isOfApp: apps[bundleID] != nil)
  }
}
